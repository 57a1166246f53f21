package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.frame.FrameClient;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the master: greets it first, and again after the connection was lost, since it
 * may be another one then. Runs on the client's loop.
 */
final class MasterLink implements MasterCalls {
  private final FrameClient frames;
  private final String clientName;
  private Runnable onOtherMaster = () -> {};
  private @Nullable HelloAnswer master;
  private @Nullable Future<HelloAnswer> greeting;

  MasterLink(FrameClient frames, String clientName) {
    this.frames = frames;
    this.clientName = clientName;
  }

  /** Has something run whenever the master turns out to be another one than before. */
  void onOtherMaster(Runnable action) {
    onOtherMaster = action;
  }

  /** Connects, if need be, and learns about the master. */
  Future<HelloAnswer> greet() {
    Future<HelloAnswer> underWay = greeting;
    if (underWay != null) {
      return underWay;
    }
    Future<HelloAnswer> answer =
        frames.call(Calls.HELLO, new Hello(Hello.VERSION, clientName)).map(this::learn);
    if (!answer.isComplete()) {
      greeting = answer;
    }
    answer.onFailure(failed -> greeting = null);
    return answer;
  }

  private HelloAnswer learn(HelloAnswer answer) {
    HelloAnswer before = master;
    master = answer;
    if (before != null && before.masterEpoch() != answer.masterEpoch()) {
      onOtherMaster.run();
    }
    return answer;
  }

  @Override
  public <Q, R> Future<R> call(Call<Q, R> call, Q request) {
    Future<HelloAnswer> greeted = greeting;
    if (greeted == null || !greeted.succeeded()) {
      return greet().compose(known -> send(call, request));
    }
    return send(call, request);
  }

  private <Q, R> Future<R> send(Call<Q, R> call, Q request) {
    return frames
        .call(call, request)
        .onFailure(
            failure -> {
              if (StoreException.codeOf(failure) == ErrorCode.RPC_FAIL) {
                greeting = null;
              }
            });
  }

  @Override
  public HelloAnswer master() {
    HelloAnswer known = master;
    if (known == null) {
      throw new IllegalStateException("no master has been greeted yet");
    }
    return known;
  }

  Future<Void> close() {
    return frames.close();
  }
}
