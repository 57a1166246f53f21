package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What one event loop has to do with clients of Mooncake that lend memory. */
final class MooncakeLoop extends LoopPeers<MooncakeEndpoint, MooncakeTransfer> {
  private final Vertx vertx;
  private final DataConnector connector;
  private final Supplier<byte[]> description;

  /**
   * A loop without peers.
   *
   * @param description what this process says in a handshake
   */
  MooncakeLoop(
      EventLoop eventLoop, Vertx vertx, DataConnector connector, Supplier<byte[]> description) {
    super(eventLoop);
    this.vertx = vertx;
    this.connector = connector;
    this.description = description;
  }

  TransferConfig config() {
    return connector.config();
  }

  @Override
  MooncakePeer peer(MooncakeEndpoint owner) {
    return new MooncakePeer(this, owner);
  }

  /** Starts a transfer. All segments of a peer are reached through the same connections. */
  @Override
  void submit(MooncakeEndpoint endpoint, MooncakeTransfer transfer) {
    super.submit(new MooncakeEndpoint(1, MooncakeEndpoint.TCP, endpoint.endpoint()), transfer);
  }

  /** Asks a peer for the port of its data. Completes on the loop. */
  Future<Integer> greet(MooncakeEndpoint endpoint) {
    Promise<Integer> promise = Promise.promise();
    MooncakeGreeting greeting =
        new MooncakeGreeting(connector.scratch(eventLoop()), description.get());
    connector
        .connect(eventLoop(), new TcpEndpoint(endpoint.host(), endpoint.port(), 0), greeting)
        .onFailure(
            cause ->
                promise.tryFail(
                    new StoreException(
                        ErrorCode.TRANSFER_FAIL,
                        "no connection to " + endpoint.endpoint() + ": " + cause.getMessage())))
        .onSuccess(
            channel ->
                eventLoop()
                    .schedule(
                        greeting::giveUp,
                        config().connectTimeout().toMillis(),
                        TimeUnit.MILLISECONDS));
    greeting
        .answer()
        // It may be long.
        .compose(text -> vertx.executeBlocking(() -> MooncakeWire.dataPort(text), false))
        .map(Objects::requireNonNull)
        .onComplete(
            read ->
                eventLoop()
                    .execute(
                        () -> {
                          if (read.succeeded()) {
                            promise.tryComplete(read.result());
                          } else {
                            promise.tryFail(read.cause());
                          }
                        }));
    return promise.future();
  }

  /** Opens a connection to the data of a peer. Completes on the loop. */
  Future<MooncakeConnection> connect(MooncakePeer peer, String host, int port) {
    MooncakeConnection connection =
        new MooncakeConnection(
            peer, connector.scratch(eventLoop()), config().operationTimeout().toNanos());
    return connector
        .connect(eventLoop(), new TcpEndpoint(host, port, 0), connection)
        .map(connection);
  }
}
