package io.moonpool.client;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.frame.FrameCaller;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the master. Greets it on every new connection, since it may be another master
 * then. Runs on the client's loop.
 */
final class MasterLink implements MasterCalls {
  private final FrameClient frames;
  private final String clientName;
  private Runnable onOtherMaster = () -> {};
  private @Nullable HelloAnswer master;

  /** A link that is not connected yet. */
  MasterLink(Vertx vertx, FrameClientOptions options, String clientName) {
    this.clientName = clientName;
    this.frames = FrameClient.create(vertx, options, this::greet);
  }

  /** Has something run whenever the master turns out to be another one than before. */
  void onOtherMaster(Runnable action) {
    onOtherMaster = action;
  }

  /** Connects. */
  Future<HelloAnswer> connect() {
    return greet(frames);
  }

  private Future<HelloAnswer> greet(FrameCaller caller) {
    return caller.call(Calls.HELLO, new Hello(Hello.VERSION, clientName)).map(this::learn);
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
    return frames.call(call, request);
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
