package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The peers that one event loop has something to do with. All state belongs to that loop, so a
 * transfer that starts on it never changes threads.
 *
 * @param <E> where a peer is
 * @param <T> what it is given to do
 */
abstract class LoopPeers<E, T extends PiecewiseTransfer> {
  /** How often deadlines are looked at while there is anything to expire. */
  private static final long BUSY_TICK_MILLIS = 10;

  /** How often idle connections are looked at. */
  private static final long IDLE_TICK_MILLIS = 1_000;

  private final EventLoop eventLoop;
  private final Map<E, Connections<T>> peers = new HashMap<>();
  private @Nullable Future<?> nextTick;
  private boolean tickingFast;
  private boolean closed;

  /** The connections to one peer. On the loop. */
  interface Connections<T> {
    /** Starts a transfer. */
    void submit(T transfer);

    /** Ends what has expired and closes what nobody has used for long. */
    void tick(long nowNanos);

    /** True when something is under way or waits. */
    boolean busy();

    /** True when it has no connection and nothing to do. */
    boolean unused();

    /** Closes all connections, those that are being made too; what is under way fails. */
    void close();
  }

  LoopPeers(EventLoop eventLoop) {
    this.eventLoop = eventLoop;
  }

  final EventLoop eventLoop() {
    return eventLoop;
  }

  /** A peer without connections. */
  abstract Connections<T> peer(E endpoint);

  /** Starts a transfer. On the loop. */
  void submit(E endpoint, T transfer) {
    if (closed) {
      transfer.fail(new StoreException(ErrorCode.TRANSFER_FAIL, "the transport is closed"));
      return;
    }
    if (System.nanoTime() - transfer.deadlineNanos() >= 0) {
      transfer.fail(new StoreException(ErrorCode.LEASE_EXPIRED));
      return;
    }
    Connections<T> peer = peers.get(endpoint);
    if (peer == null) {
      peer = peer(endpoint);
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
    // A copy: a completion may start a transfer to a new peer.
    for (Connections<T> peer : List.copyOf(peers.values())) {
      peer.tick(now);
      busy |= peer.busy();
    }
    peers.values().removeIf(Connections::unused);
    // A transfer that a completion above has started may have seen to it already.
    if (nextTick == null && !peers.isEmpty()) {
      schedule(busy);
    }
  }

  /** Closes all connections; transfers under way fail. On the loop. */
  final void close() {
    closed = true;
    for (Connections<T> peer : List.copyOf(peers.values())) {
      peer.close();
    }
  }
}
