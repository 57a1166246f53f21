package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop has to do with clients of Mooncake that lend memory. All state belongs to
 * that loop, so a transfer that starts on it never changes threads.
 */
final class MooncakeLoop {
  /** How often deadlines are looked at while there is anything to expire. */
  private static final long BUSY_TICK_MILLIS = 10;

  /** How often idle connections are looked at. */
  private static final long IDLE_TICK_MILLIS = 1_000;

  private final EventLoop eventLoop;
  private final Vertx vertx;
  private final DataConnector connector;
  private final Supplier<byte[]> description;
  private final Map<MooncakeEndpoint, MooncakePeer> peers = new HashMap<>();
  private java.util.concurrent.@Nullable Future<?> nextTick;
  private boolean tickingFast;
  private boolean closed;

  /**
   * A loop without peers.
   *
   * @param description what this process says in a handshake
   */
  MooncakeLoop(
      EventLoop eventLoop, Vertx vertx, DataConnector connector, Supplier<byte[]> description) {
    this.eventLoop = eventLoop;
    this.vertx = vertx;
    this.connector = connector;
    this.description = description;
  }

  TransferConfig config() {
    return connector.config();
  }

  /** Starts a transfer. On the loop. */
  void submit(MooncakeEndpoint endpoint, MooncakeTransfer transfer) {
    if (closed) {
      transfer.fail(new StoreException(ErrorCode.TRANSFER_FAIL, "the transport is closed"));
      return;
    }
    if (System.nanoTime() - transfer.deadlineNanos() >= 0) {
      transfer.fail(new StoreException(ErrorCode.LEASE_EXPIRED));
      return;
    }
    // All segments of a peer are reached through the same connections.
    MooncakeEndpoint owner = new MooncakeEndpoint(1, MooncakeEndpoint.TCP, endpoint.endpoint());
    peers.computeIfAbsent(owner, added -> new MooncakePeer(this, owner)).submit(transfer);
    if (!tickingFast) {
      schedule(true);
    }
  }

  /** Has {@link #tick} called soon, instead of when it was to be called. */
  private void schedule(boolean fast) {
    java.util.concurrent.Future<?> present = nextTick;
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
    for (MooncakePeer peer : List.copyOf(peers.values())) {
      peer.tick(now);
      busy |= peer.busy();
    }
    for (Iterator<MooncakePeer> i = peers.values().iterator(); i.hasNext(); ) {
      if (i.next().unused()) {
        i.remove();
      }
    }
    if (nextTick == null && !peers.isEmpty()) {
      schedule(busy);
    }
  }

  /** Asks a peer for the port of its data. Completes on the loop. */
  Future<Integer> greet(MooncakeEndpoint endpoint) {
    Promise<Integer> promise = Promise.promise();
    MooncakeGreeting greeting =
        new MooncakeGreeting(connector.scratch(eventLoop), description.get());
    connector
        .connect(eventLoop, new TcpEndpoint(endpoint.host(), endpoint.port(), 0), greeting)
        .onFailure(
            cause ->
                promise.tryFail(
                    new StoreException(
                        ErrorCode.TRANSFER_FAIL,
                        "no connection to " + endpoint.endpoint() + ": " + cause.getMessage())))
        .onSuccess(
            channel ->
                eventLoop.schedule(
                    greeting::giveUp, config().connectTimeout().toMillis(), TimeUnit.MILLISECONDS));
    greeting
        .answer()
        // It may be long.
        .compose(text -> vertx.executeBlocking(() -> MooncakeWire.dataPort(text), false))
        .map(Objects::requireNonNull)
        .onComplete(
            read ->
                eventLoop.execute(
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
            peer, connector.scratch(eventLoop), config().operationTimeout().toNanos());
    return connector.connect(eventLoop, new TcpEndpoint(host, port, 0), connection).map(connection);
  }

  /** Closes all connections; transfers under way fail. On the loop. */
  void close() {
    closed = true;
    for (MooncakePeer peer : List.copyOf(peers.values())) {
      peer.close();
    }
  }
}
