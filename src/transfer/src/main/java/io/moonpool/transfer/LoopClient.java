package io.moonpool.transfer;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;

/** The data connections that one event loop has opened. */
final class LoopClient extends LoopPeers<TcpEndpoint, Transfer> {
  private final DataConnector connector;

  LoopClient(EventLoop eventLoop, DataConnector connector) {
    super(eventLoop);
    this.connector = connector;
  }

  TransferConfig config() {
    return connector.config();
  }

  @Override
  Peer peer(TcpEndpoint endpoint) {
    return new Peer(this, endpoint);
  }

  /**
   * Opens a connection, which tells its owner when it is ready.
   *
   * @return fails when no connection could be made; the owner hears of later failures itself
   */
  Future<Void> connect(TcpEndpoint endpoint, ClientConnection.Owner owner) {
    ClientConnection connection =
        new ClientConnection(
            owner,
            connector.scratch(eventLoop()),
            endpoint.server(),
            config().operationTimeout().toNanos());
    return connector
        .connect(eventLoop(), endpoint, connection)
        .map(
            channel -> {
              eventLoop()
                  .schedule(
                      connection::giveUpUnlessReady,
                      config().connectTimeout().toMillis(),
                      TimeUnit.MILLISECONDS);
              return null;
            });
  }
}
