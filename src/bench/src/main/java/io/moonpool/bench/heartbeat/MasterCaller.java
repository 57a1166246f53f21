package io.moonpool.bench.heartbeat;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.protocol.wire.Form;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocking calls to the master over one connection. Any thread but event loops. */
public final class MasterCaller {
  private static final long LIMIT_SECONDS = 300;

  private final FrameClient client;

  /** A caller with a connection of its own, which is made at the first call. */
  public MasterCaller(Vertx vertx, MasterUnderTest master) {
    this(vertx, master, Form.SHORT);
  }

  /**
   * A caller with a connection of its own, which is made at the first call.
   *
   * @param form of the requests: Mooncake's published clients send literals
   */
  MasterCaller(Vertx vertx, MasterUnderTest master, Form form) {
    client =
        FrameClient.create(
            vertx,
            FrameClientOptions.of(master.host(), master.rpcPort())
                .withForm(form)
                .withCallTimeoutMillis(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS)));
  }

  /**
   * Makes a call and waits for its answer.
   *
   * @throws io.moonpool.model.StoreException what the master answered, or that it did not
   * @throws IllegalStateException when the answer takes longer than anything may
   */
  public <Q, R> R call(Call<Q, R> call, Q request) throws InterruptedException {
    return await(call.name(), client.call(call, request));
  }

  <Q, R> Future<R> callLater(Call<Q, R> call, Q request) {
    return client.call(call, request);
  }

  static <R> R await(String call, Future<R> answer) throws InterruptedException {
    try {
      return answer.toCompletionStage().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(call + " failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(call + " was not answered within " + LIMIT_SECONDS + " s", e);
    }
  }
}
