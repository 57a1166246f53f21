package io.moonpool.transfer;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves one-sided puts and gets into the segments that this process lends, on the event loops of
 * its Vert.x instance. Methods may be called from any thread.
 */
final class DataServer {
  private final VertxInternal vertx;
  private final TransferConfig config;
  private final long instance = new SecureRandom().nextLong();
  private final Map<UUID, Lent> segments = new ConcurrentHashMap<>();
  private final Set<DataServerConnection> connections = ConcurrentHashMap.newKeySet();
  private final Map<EventLoop, LoopScratch> scratches = new ConcurrentHashMap<>();
  private @Nullable Channel listener;

  DataServer(Vertx vertx, TransferConfig config) {
    this.vertx = (VertxInternal) vertx;
    this.config = config;
  }

  /** Listens. Call it once. */
  Future<Void> listen() {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(vertx.acceptorEventLoopGroup(), vertx.nettyEventLoopGroup())
            .channelFactory(vertx.transport().serverChannelFactory(false))
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, 1024)
            // Before listen: the window that a connection can offer is fixed when it is accepted.
            .option(ChannelOption.SO_RCVBUF, config.socketBufferBytes())
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel);
                  }
                });
    Promise<Void> promise = Promise.promise();
    bootstrap
        .bind(new InetSocketAddress(config.host(), config.port()))
        .addListener(
            (io.netty.channel.ChannelFuture bound) -> {
              if (bound.isSuccess()) {
                listener = bound.channel();
                promise.complete();
              } else {
                promise.fail(bound.cause());
              }
            });
    return promise.future();
  }

  private void accept(Channel channel) {
    LoopScratch scratch = scratches.computeIfAbsent(channel.eventLoop(), loop -> new LoopScratch());
    DataServerConnection connection = new DataServerConnection(this, scratch);
    DataChannels.configure(channel, config, connection);
    channel.pipeline().addLast(connection);
  }

  /** Distinguishes this server from others that listened at the same address before. */
  long instance() {
    return instance;
  }

  /** Where this server listens, as peers reach it. */
  TcpEndpoint endpoint() {
    Channel bound = listener;
    if (bound == null) {
      throw new IllegalStateException("the data server does not listen");
    }
    int port = ((InetSocketAddress) bound.localAddress()).getPort();
    return new TcpEndpoint(config.advertisedHost(), port, instance);
  }

  /**
   * Lends a segment, inactive at first.
   *
   * @throws IllegalStateException when it is lent already
   */
  Lent lend(UUID id, Region region) {
    Lent lent = new Lent(id, region);
    if (segments.putIfAbsent(id, lent) != null) {
      throw new IllegalStateException("segment " + id + " is registered already");
    }
    return lent;
  }

  @Nullable Lent lent(UUID id) {
    return segments.get(id);
  }

  /** Lends the segment no longer; completes when no transfer touches it. */
  Future<Void> withdraw(UUID id) {
    Lent lent = segments.remove(id);
    if (lent == null) {
      return Future.succeededFuture();
    }
    Future<Void> idle = lent.withdraw();
    connections.forEach(connection -> connection.abandon(id));
    return idle;
  }

  void opened(DataServerConnection connection) {
    connections.add(connection);
  }

  void closed(DataServerConnection connection) {
    connections.remove(connection);
  }

  /** Stops listening and closes all connections. */
  Future<Void> close() {
    Channel bound = listener;
    Promise<Void> promise = Promise.promise();
    if (bound == null) {
      promise.complete();
    } else {
      bound.close().addListener(done -> promise.complete());
    }
    connections.forEach(DataServerConnection::close);
    return promise.future();
  }
}
