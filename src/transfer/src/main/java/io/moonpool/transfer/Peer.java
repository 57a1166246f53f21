package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one data server. Small transfers share a connection and are
 * pipelined on it. Large ones are cut into frames that take turns on a few others, one frame at a
 * time on each, so that a small transfer never waits behind a large one, and a large one that is
 * cut off in the middle takes no other down with it.
 */
final class Peer implements LoopPeers.Connections<Transfer> {
  /** Transfers up to this size share a connection. */
  static final long SMALL_BYTES = 64 << 10;

  /** Connections for large transfers. */
  private static final int BULK_CONNECTIONS = 2;

  private final LoopClient loop;
  private final TcpEndpoint endpoint;
  private final List<ClientConnection> connections = new ArrayList<>();
  private final ArrayDeque<Transfer> smallWaiting = new ArrayDeque<>();
  private final ArrayDeque<Transfer> bulkWaiting = new ArrayDeque<>();
  private final Lane small = new Lane(smallWaiting, 1, Integer.MAX_VALUE);
  private final Lane bulk = new Lane(bulkWaiting, BULK_CONNECTIONS, 1);
  private boolean closed;

  Peer(LoopClient loop, TcpEndpoint endpoint) {
    this.loop = loop;
    this.endpoint = endpoint;
  }

  @Override
  public void submit(Transfer transfer) {
    Lane lane = transfer.bytes() <= SMALL_BYTES ? small : bulk;
    lane.waiting.add(transfer);
    lane.dispatch();
  }

  @Override
  public void tick(long nowNanos) {
    // A copy: a connection that closes removes itself.
    for (ClientConnection connection : List.copyOf(connections)) {
      connection.expire(nowNanos);
      if (connection.ready()
          && connection.load() == 0
          && nowNanos - connection.lastUsedNanos() > loop.config().idleTimeout().toNanos()) {
        connection.close();
      }
    }
    small.expire(nowNanos);
    bulk.expire(nowNanos);
  }

  @Override
  public boolean unused() {
    return connections.isEmpty() && small.unused() && bulk.unused();
  }

  @Override
  public boolean busy() {
    if (!small.unused() || !bulk.unused()) {
      return true;
    }
    for (ClientConnection connection : connections) {
      if (connection.load() > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    closed = true;
    List.copyOf(connections).forEach(ClientConnection::close);
    StoreException cause = new StoreException(ErrorCode.TRANSFER_FAIL, "the transport is closed");
    small.fail(cause);
    bulk.fail(cause);
  }

  /** Connections of one kind and the transfers that wait for one. */
  private final class Lane implements ClientConnection.Owner {
    private final ArrayDeque<Transfer> waiting;
    private final int maxConnections;
    private final int maxLoad;
    private final List<ClientConnection> open = new ArrayList<>();
    private int connecting;

    Lane(ArrayDeque<Transfer> waiting, int maxConnections, int maxLoad) {
      this.waiting = waiting;
      this.maxConnections = maxConnections;
      this.maxLoad = maxLoad;
    }

    boolean unused() {
      return waiting.isEmpty() && connecting == 0;
    }

    /** Hands waiting frames to connections that have room, and opens more when there is need. */
    void dispatch() {
      for (ClientConnection free = free(); free != null && !waiting.isEmpty(); free = free()) {
        Transfer transfer = waiting.remove();
        if (transfer.framesLeft() == 0) {
          continue; // One of its frames failed.
        }
        ClientFrame frame = transfer.nextFrame();
        if (transfer.framesLeft() > 0) {
          waiting.add(transfer);
        }
        free.send(frame);
      }
      int usable = connecting;
      for (ClientConnection connection : open) {
        usable += connection.usable() ? 1 : 0;
      }
      for (long need = framesWaiting(); need > connecting && usable < maxConnections; usable++) {
        connecting++;
        loop.connect(endpoint, this).onFailure(this::connectFailed);
      }
    }

    private @Nullable ClientConnection free() {
      for (ClientConnection connection : open) {
        if (connection.usable() && connection.load() < maxLoad) {
          return connection;
        }
      }
      return null;
    }

    private long framesWaiting() {
      long frames = 0;
      for (Iterator<Transfer> i = waiting.iterator(); i.hasNext() && frames <= maxConnections; ) {
        frames += i.next().framesLeft();
      }
      return frames;
    }

    private void connectFailed(Throwable cause) {
      connecting--;
      failIfStuck(
          cause instanceof StoreException known
              ? known
              : new StoreException(
                  ErrorCode.TRANSFER_FAIL,
                  "no connection to "
                      + endpoint.host()
                      + ":"
                      + endpoint.port()
                      + ": "
                      + cause.getMessage()));
    }

    @Override
    public void ready(ClientConnection connection) {
      connecting--;
      open.add(connection);
      connections.add(connection);
      if (closed) {
        connection.close();
      } else {
        dispatch();
      }
    }

    @Override
    public void answered(ClientConnection connection) {
      if (!waiting.isEmpty()) {
        dispatch();
      }
    }

    @Override
    public void closed(ClientConnection connection, StoreException cause) {
      connections.remove(connection);
      if (open.remove(connection)) {
        // What waits was not on it: it gets a connection of its own, or hears why there is none.
        dispatch();
      } else {
        connecting--; // It never got ready.
        failIfStuck(cause);
      }
    }

    /** Without any connection left, what waits fails; the next transfer tries anew. */
    private void failIfStuck(StoreException cause) {
      if (connecting == 0 && open.isEmpty()) {
        fail(cause);
      }
    }

    void fail(StoreException cause) {
      for (Transfer t = waiting.poll(); t != null; t = waiting.poll()) {
        t.fail(cause);
      }
    }

    void expire(long nowNanos) {
      for (Iterator<Transfer> i = waiting.iterator(); i.hasNext(); ) {
        Transfer transfer = i.next();
        if (nowNanos - transfer.deadlineNanos() >= 0) {
          i.remove();
          transfer.fail(new StoreException(ErrorCode.LEASE_EXPIRED));
        }
      }
    }
  }
}
