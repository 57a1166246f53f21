package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
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

  /** A connection without use for this long is closed. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final VertxInternal vertx;
  private final EventLoop eventLoop;
  private final TransferConfig config;
  private final LoopScratch scratch = new LoopScratch();
  private final Map<TcpEndpoint, Peer> peers = new HashMap<>();
  private boolean ticking;
  private boolean closed;

  LoopClient(VertxInternal vertx, EventLoop eventLoop, TransferConfig config) {
    this.vertx = vertx;
    this.eventLoop = eventLoop;
    this.config = config;
  }

  long idleNanos() {
    return IDLE_NANOS;
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
            owner, scratch, endpoint.server(), config.operationTimeout().toNanos());
    Bootstrap bootstrap =
        new Bootstrap()
            .group(eventLoop)
            .channelFactory(vertx.transport().channelFactory(false))
            // Before connecting: the window that a connection can offer is fixed then.
            .option(ChannelOption.SO_RCVBUF, config.socketBufferBytes())
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) config.connectTimeout().toMillis())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    DataChannels.configure(channel, config, connection);
                    channel.pipeline().addLast(connection);
                  }
                });
    Promise<Void> promise = Promise.promise();
    bootstrap
        .connect(endpoint.host(), endpoint.port())
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                promise.complete();
                eventLoop.schedule(
                    () -> {
                      if (!connection.ready()) {
                        connection.close();
                      }
                    },
                    config.connectTimeout().toMillis(),
                    TimeUnit.MILLISECONDS);
              } else {
                promise.fail(connected.cause());
              }
            });
    return promise.future();
  }

  /** Closes all connections; transfers under way fail. On the loop. */
  void close() {
    closed = true;
    for (Peer peer : java.util.List.copyOf(peers.values())) {
      peer.close();
    }
  }
}
