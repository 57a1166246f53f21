package io.moonpool.transfer;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Serves one-sided puts and gets into the segments that this process lends over tcp, and the
 * handshakes of those that it shares, on the event loops of its Vert.x instance. Methods may be
 * called from any thread.
 */
final class DataServer {
  private final VertxInternal vertx;
  private final ChannelSetup setup;
  private final long instance = new SecureRandom().nextLong();
  private final SharedSegments shared;
  private final Map<UUID, Lent> segments = new ConcurrentHashMap<>();
  private final Set<DataServerConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile @Nullable UcxSegments ucx;
  private final AtomicInteger accepted = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private volatile @Nullable Channel listener;
  private volatile boolean closed;

  DataServer(VertxInternal vertx, ChannelSetup setup) {
    this.vertx = vertx;
    this.setup = setup;
    this.shared = new SharedSegments(vertx);
  }

  /** Listens. Call it once. */
  Future<Void> listen() {
    TransferConfig config = setup.config();
    Promise<Void> promise = Promise.promise();
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
            })
        .bind(setup.bindAddress())
        .addListener(
            (ChannelFuture bound) -> {
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
    if (accepted.incrementAndGet() > config().maxConnections()) {
      accepted.decrementAndGet();
      refused.increment();
      channel.close();
      return;
    }
    channel.closeFuture().addListener(closed -> accepted.decrementAndGet());
    LoopScratch scratch = setup.scratch(channel.eventLoop());
    setup.accepted(channel, new DataServerConnection(this, scratch));
  }

  TransferConfig config() {
    return setup.config();
  }

  /** Distinguishes this server from others that listened at the same address before. */
  long instance() {
    return instance;
  }

  /** The segments that peers may map. */
  SharedSegments shared() {
    return shared;
  }

  /** Segments are lent through UCX, too. Call it before the server listens. */
  void ucx(UcxSegments segmentsOfUcx) {
    ucx = segmentsOfUcx;
  }

  /** The segments that peers may reach through UCX; null when this process does not offer that. */
  @Nullable UcxSegments ucx() {
    return ucx;
  }

  /** Where this server listens, as peers reach it. */
  TcpEndpoint endpoint() {
    Channel bound = listener;
    if (bound == null) {
      throw new IllegalStateException("the data server does not listen");
    }
    int port = ((InetSocketAddress) bound.localAddress()).getPort();
    return new TcpEndpoint(config().advertisedHost(), port, instance);
  }

  /**
   * Lends a segment, inactive at first.
   *
   * @throws IllegalStateException when it is lent already
   */
  void lend(UUID id, Region region) {
    Lent lent = new Lent(id, region);
    if (segments.putIfAbsent(id, lent) != null) {
      lent.withdraw();
      throw new IllegalStateException("segment " + id + " is registered already");
    }
  }

  /** The segment, null when it is not lent over tcp. */
  @Nullable Lent lent(UUID id) {
    return segments.get(id);
  }

  /**
   * Lends under another generation, once nothing is under way under the old one. Blocks.
   *
   * @param generation {@link Lent#INACTIVE} to lend under none
   */
  void activate(UUID id, long generation) {
    Lent lent = segments.get(id);
    if (lent == null) {
      throw new IllegalStateException("segment " + id + " is not registered");
    }
    if (lent.generation() == generation) {
      return;
    }
    ServerConnection.pause(lent, connections);
    lent.generation(generation);
  }

  /** Lends the segment no longer; completes when no transfer touches it. */
  Future<Void> withdraw(UUID id) {
    Lent lent = segments.remove(id);
    if (lent == null) {
      return Future.succeededFuture();
    }
    return ServerConnection.withdraw(vertx, lent, connections);
  }

  /**
   * Channels that were accepted and are not closed yet, those that have not said a word included.
   */
  int accepted() {
    return accepted.get();
  }

  /** Channels that were closed at once, since there were too many. */
  long refused() {
    return refused.sum();
  }

  /** Connections that are open now. */
  int connections() {
    return connections.size();
  }

  void opened(DataServerConnection connection) {
    connections.add(connection);
    if (closed) {
      connection.close();
    }
  }

  void closed(DataServerConnection connection) {
    connections.remove(connection);
  }

  /** Stops listening and closes all connections. */
  Future<Void> close() {
    closed = true;
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
