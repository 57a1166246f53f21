package io.moonpool.node;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.vertx.core.Vertx;

/** Asks a master directly, as a client with other manners would. */
final class MasterCaller implements AutoCloseable {
  private final FrameClient frames;

  MasterCaller(Vertx vertx, int port) {
    frames = FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", port));
  }

  <Q, R> R call(Call<Q, R> call, Q request) {
    return Cluster.await(frames.call(call, request));
  }

  @Override
  public void close() {
    Cluster.await(frames.close());
  }
}
