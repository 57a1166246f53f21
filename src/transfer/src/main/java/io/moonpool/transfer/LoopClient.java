package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The data connections that one event loop has opened. All state belongs to that loop, so a
 * transfer that starts on it never changes threads.
 */
final class LoopClient {
  /** How often deadlines are looked at while there is anything to expire. */
  private static final long BUSY_TICK_MILLIS = 10;

  /** How often idle connections are looked at. */
  private static final long IDLE_TICK_MILLIS = 1_000;

  private final EventLoop eventLoop;
  private final DataConnector connector;
  private final Map<TcpEndpoint, Peer> peers = new HashMap<>();
  private @Nullable Future<?> nextTick;
  private boolean tickingFast;
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
    if (!tickingFast) {
      schedule(true);
    }
  }

  /** Has {@link #tick} called soon, instead of when it was to be called. */
  private void schedule(boolean fast) {
    Future<?> present = nextTick;
    if (present != null) {
      present.cancel(false);
    }
    tickingFast = fast;
    nextTick =
        eventLoop.schedule(
            this::tick, fast ? BUSY_TICK_MILLIS : IDLE_TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    nextTick = null;
    tickingFast = false;
    long now = System.nanoTime();
    boolean busy = false;
    for (Iterator<Peer> i = peers.values().iterator(); i.hasNext(); ) {
      Peer peer = i.next();
      peer.tick(now);
      busy |= peer.busy();
      if (peer.unused()) {
        i.remove();
      }
    }
    // A transfer that a completion above has started may have seen to it already.
    if (nextTick == null && !peers.isEmpty()) {
      schedule(busy);
    }
  }

  /**
   * Opens a connection, which tells its owner when it is ready.
   *
   * @return fails when no connection could be made; the owner hears of later failures itself
   */
  io.vertx.core.Future<Void> connect(TcpEndpoint endpoint, ClientConnection.Owner owner) {
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
    for (Peer peer : List.copyOf(peers.values())) {
      peer.close();
    }
  }
}
