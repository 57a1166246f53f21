package io.moonpool.bench.master;

import io.moonpool.model.KeyBatch;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Clients that make one call after the other, each on an event loop and a connection of its own, as
 * an application would. Started and awaited by one thread.
 */
final class ClosedLoop {
  private static final long LIMIT_MINUTES = 30;

  private final List<Client> clients = new ArrayList<>();
  private volatile long fromNanos = System.nanoTime();
  private volatile boolean stopped;

  /**
   * What the clients saw of the calls that were begun after the mark.
   *
   * @param nanos how long calls took
   * @param keys in these calls
   * @param failed of these
   * @param seconds from the mark to the end
   */
  record Seen(Histogram nanos, long keys, long failed, double seconds) {}

  /**
   * Clients that do not run yet.
   *
   * @param operation makes what a client does, on its event loop
   * @param keys by the number of the client
   */
  ClosedLoop(Vertx vertx, int count, Supplier<Operation> operation, IntFunction<KeyBatches> keys) {
    for (int i = 0; i < count; i++) {
      clients.add(
          new Client(((VertxInternal) vertx).createEventLoopContext(), operation, keys.apply(i)));
    }
  }

  private final class Client {
    private final Context context;
    private final Supplier<Operation> maker;
    private final KeyBatches keys;
    private final Promise<Void> done = Promise.promise();
    private final Histogram nanos = new Histogram(3);
    private @Nullable Operation operation;
    private long asked;
    private long failed;

    Client(Context context, Supplier<Operation> maker, KeyBatches keys) {
      this.context = context;
      this.maker = maker;
      this.keys = keys;
    }

    void start() {
      context.runOnContext(
          ignored -> {
            Operation made = maker.get();
            operation = made;
            next(made);
          });
    }

    private void next(Operation made) {
      KeyBatch batch = stopped ? null : keys.next();
      if (batch == null) {
        done.complete();
        return;
      }
      long begunNanos = System.nanoTime();
      made.run(batch)
          .onComplete(
              (failures, failure) -> {
                if (failure != null) {
                  done.fail(failure);
                  return;
                }
                if (begunNanos - fromNanos >= 0) {
                  nanos.recordValue(System.nanoTime() - begunNanos);
                  asked += batch.size();
                  failed += failures;
                }
                next(made);
              });
    }
  }

  void start() {
    clients.forEach(Client::start);
  }

  /** From now on it counts. */
  void mark() {
    fromNanos = System.nanoTime();
  }

  /** No client begins another call. */
  void stop() {
    stopped = true;
  }

  /**
   * Waits until the clients have no keys left or were stopped.
   *
   * @throws IllegalStateException when a call failed as a whole
   */
  Seen await() throws InterruptedException {
    try {
      Future.all(clients.stream().map(client -> client.done.future()).toList())
          .toCompletionStage()
          .toCompletableFuture()
          .get(LIMIT_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      stop();
      throw new IllegalStateException("a call of the load failed: " + e.getMessage(), e);
    } catch (TimeoutException e) {
      stop();
      throw new IllegalStateException("the load took longer than " + LIMIT_MINUTES + " min", e);
    }
    double seconds = (System.nanoTime() - fromNanos) / 1e9;
    Histogram all = new Histogram(3);
    long asked = 0;
    long failed = 0;
    for (Client client : clients) {
      all.add(client.nanos);
      asked += client.asked;
      failed += client.failed;
    }
    return new Seen(all, asked, failed, seconds);
  }
}
