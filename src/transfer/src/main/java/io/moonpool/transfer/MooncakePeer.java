package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one client of Mooncake that lends memory. Its handshake
 * tells the port of the data; it is asked again when that port does not answer any more. Each
 * connection carries one request at a time; pieces of large transfers take turns with what else
 * waits.
 */
final class MooncakePeer implements LoopPeers.Connections<MooncakeTransfer> {
  /** Connections at one time. */
  private static final int MAX_CONNECTIONS = 8;

  private final MooncakeLoop loop;
  private final MooncakeEndpoint endpoint;
  private final List<MooncakeConnection> connections = new ArrayList<>();
  private final ArrayDeque<MooncakeTransfer> waiting = new ArrayDeque<>();

  /** Requests that a connection was closed before. */
  private final ArrayDeque<MooncakePiece> again = new ArrayDeque<>();

  private @Nullable Future<Integer> greeting;
  private int opening;
  private boolean closed;

  MooncakePeer(MooncakeLoop loop, MooncakeEndpoint endpoint) {
    this.loop = loop;
    this.endpoint = endpoint;
  }

  @Override
  public void submit(MooncakeTransfer transfer) {
    waiting.add(transfer);
    dispatch();
  }

  /** Hands what waits to connections that are free, and opens more when there is need. */
  void dispatch() {
    for (MooncakeConnection free = free(); free != null; free = free()) {
      MooncakePiece piece = nextPiece();
      if (piece == null) {
        return;
      }
      free.send(piece);
    }
    for (long need = piecesWaiting();
        need > opening && connections.size() + opening < MAX_CONNECTIONS; ) {
      open();
    }
  }

  private @Nullable MooncakeConnection free() {
    for (MooncakeConnection connection : connections) {
      if (connection.free()) {
        return connection;
      }
    }
    return null;
  }

  private @Nullable MooncakePiece nextPiece() {
    MooncakePiece repeated = again.poll();
    if (repeated != null) {
      return repeated;
    }
    for (MooncakeTransfer next = waiting.poll(); next != null; next = waiting.poll()) {
      if (next.hasNext()) { // None of its pieces has failed.
        MooncakePiece piece = next.nextPiece();
        if (next.hasNext()) {
          waiting.add(next);
        }
        return piece;
      }
    }
    return null;
  }

  private long piecesWaiting() {
    long pieces = again.size();
    for (Iterator<MooncakeTransfer> i = waiting.iterator();
        i.hasNext() && pieces <= MAX_CONNECTIONS; ) {
      pieces += i.next().piecesLeft();
    }
    return pieces;
  }

  private void open() {
    opening++;
    Future<Integer> known = greeting;
    boolean fresh = known == null;
    port()
        .compose(this::connect)
        .recover(
            failure -> {
              // The peer may have started anew, with another port for its data.
              forget(known);
              return fresh ? Future.failedFuture(failure) : port().compose(this::connect);
            })
        .onSuccess(this::opened)
        .onFailure(this::notOpened);
  }

  private Future<Integer> port() {
    Future<Integer> known = greeting;
    if (known == null) {
      known = loop.greet(endpoint);
      greeting = known;
    }
    return known;
  }

  @SuppressWarnings("ReferenceEquality") // That very handshake, not one with an equal answer.
  private void forget(@Nullable Future<Integer> known) {
    Future<Integer> present = greeting;
    if (known == null || known == present || (present != null && present.failed())) {
      greeting = null;
    }
  }

  private Future<MooncakeConnection> connect(int port) {
    return loop.connect(this, endpoint.host(), port);
  }

  private void opened(MooncakeConnection connection) {
    opening--;
    connections.add(connection);
    if (closed) {
      connection.close();
    } else {
      dispatch();
    }
  }

  private void notOpened(Throwable cause) {
    opening--;
    if (opening == 0 && connections.isEmpty()) {
      fail(
          cause instanceof StoreException known
              ? known
              : new StoreException(
                  ErrorCode.TRANSFER_FAIL,
                  "no connection to " + endpoint.endpoint() + ": " + cause.getMessage()));
    }
  }

  private void fail(StoreException cause) {
    for (MooncakePiece piece = again.poll(); piece != null; piece = again.poll()) {
      piece.end(cause);
    }
    for (MooncakeTransfer next = waiting.poll(); next != null; next = waiting.poll()) {
      next.fail(cause);
    }
  }

  /** A connection was closed before it took this request: others that are free may be, too. */
  void stale(MooncakePiece piece) {
    again.add(piece);
    for (MooncakeConnection connection : List.copyOf(connections)) {
      if (connection.free()) {
        connections.remove(connection);
        connection.close();
      }
    }
  }

  /** A connection is gone; its request has ended, or waits again. */
  void closed(MooncakeConnection connection) {
    connections.remove(connection);
    if (!closed) {
      dispatch();
    }
  }

  @Override
  public void tick(long nowNanos) {
    for (MooncakeConnection connection : List.copyOf(connections)) {
      connection.expire(nowNanos);
      if (connection.free()
          && nowNanos - connection.lastUsedNanos() > loop.config().idleTimeout().toNanos()) {
        connections.remove(connection);
        connection.close();
      }
    }
    for (Iterator<MooncakePiece> i = again.iterator(); i.hasNext(); ) {
      MooncakePiece piece = i.next();
      if (piece.expired(nowNanos)) {
        i.remove();
        piece.end(new StoreException(ErrorCode.LEASE_EXPIRED));
      }
    }
    for (Iterator<MooncakeTransfer> i = waiting.iterator(); i.hasNext(); ) {
      MooncakeTransfer transfer = i.next();
      if (nowNanos - transfer.deadlineNanos() >= 0) {
        i.remove();
        transfer.fail(new StoreException(ErrorCode.LEASE_EXPIRED));
      }
    }
  }

  @Override
  public boolean unused() {
    return connections.isEmpty() && opening == 0 && waiting.isEmpty() && again.isEmpty();
  }

  @Override
  public boolean busy() {
    if (!waiting.isEmpty() || !again.isEmpty() || opening > 0) {
      return true;
    }
    for (MooncakeConnection connection : connections) {
      if (!connection.free()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    closed = true;
    StoreException cause = new StoreException(ErrorCode.TRANSFER_FAIL, "the transport is closed");
    List.copyOf(connections).forEach(connection -> connection.giveUp(cause));
    fail(cause);
  }
}
