package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The data connections that one event loop has opened. All state belongs to that loop, so a
 * transfer that starts on it never changes threads.
 */
final class LoopClient {
  /** How often deadlines are looked at while there is anything to expire. */
  private static final long TICK_MILLIS = 10;

  private final EventLoop eventLoop;
  private final DataConnector connector;
  private final Map<TcpEndpoint, Peer> peers = new HashMap<>();
  private boolean ticking;
  private boolean closed;

  LoopClient(EventLoop eventLoop, DataConnector connector) {
    this.eventLoop = eventLoop;
    this.connector = connector;
  }

  TransferConfig config() {
    return connector.config();
  }

  /** Starts a transfer. On the loop. */
  void submit(TcpEndpoint endpoint, Transfer transfer) {
    if (closed) {
      transfer.fail(new StoreException(ErrorCode.TRANSFER_FAIL, "the transport is closed"));
      return;
    }
    if (System.nanoTime() - transfer.deadlineNanos() >= 0) {
      transfer.fail(new StoreException(ErrorCode.LEASE_EXPIRED));
      return;
    }
    Peer peer = peers.get(endpoint);
    if (peer == null) {
      peer = new Peer(this, endpoint);
      peers.put(endpoint, peer);
    }
    peer.submit(transfer);
    if (!ticking) {
      ticking = true;
      scheduleTick();
    }
  }

  private void scheduleTick() {
    eventLoop.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    long now = System.nanoTime();
    for (Iterator<Peer> i = peers.values().iterator(); i.hasNext(); ) {
      Peer peer = i.next();
      peer.tick(now);
      if (peer.unused()) {
        i.remove();
      }
    }
    ticking = !peers.isEmpty();
    if (ticking) {
      scheduleTick();
    }
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
            connector.scratch(eventLoop),
            endpoint.server(),
            config().operationTimeout().toNanos());
    return connector
        .connect(eventLoop, endpoint, connection)
        .map(
            channel -> {
              eventLoop.schedule(
                  connection::giveUpUnlessReady,
                  config().connectTimeout().toMillis(),
                  TimeUnit.MILLISECONDS);
              return null;
            });
  }

  /** Closes all connections; transfers under way fail. On the loop. */
  void close() {
    closed = true;
    for (Peer peer : java.util.List.copyOf(peers.values())) {
      peer.close();
    }
  }
}
