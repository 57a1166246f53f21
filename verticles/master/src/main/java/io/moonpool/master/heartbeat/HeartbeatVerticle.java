package io.moonpool.master.heartbeat;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.libc.LibcException;
import io.moonpool.libc.ThreadScheduling;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.loop.LoopCounter;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.spi.transport.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeat port: a plain Netty server on the reserved loop, accept included, and the observed
 * clock. Speaks to nobody: it writes liveness slots and reads the published view.
 */
public final class HeartbeatVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatVerticle.class);

  /** Room for that many pings of one connection in one read. */
  private static final int PINGS_IN_A_READ = 32;

  private static final int BACKLOG = 4_096;

  private final MasterConfig config;
  private final MasterLoop loop;
  private final Transport transport;
  private final PingRecorder recorder;
  private final MooncakePings mooncake;
  private final @Nullable SslContext tls;
  private final ObservedTime time;
  private final LoopCounter pings = new LoopCounter();
  private final HeartbeatConnections connections;
  private final BrokenPeers broken = new BrokenPeers();

  /** Buffers of this port alone: no allocator lock is shared with anything else. */
  private final ByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);

  private @Nullable Channel server;

  /**
   * A verticle that must be deployed on that loop.
   *
   * @param loop the reserved one
   * @param transport makes the sockets
   * @param clientsById whose pings come in the frames of another protocol
   * @param tls null for none
   */
  public HeartbeatVerticle(
      MasterConfig config,
      MasterLoop loop,
      Transport transport,
      PingRecorder recorder,
      ClientsById clientsById,
      @Nullable SslContext tls) {
    this.config = config;
    this.loop = loop;
    this.transport = transport;
    this.recorder = recorder;
    this.mooncake = new MooncakePings(config.mooncake(), clientsById);
    this.tls = tls;
    this.connections = new HeartbeatConnections(config.maxConnections());
    this.time = new ObservedTime(loop, recorder.clock());
  }

  @Override
  public Future<?> start() {
    if (!loop.isCurrent()) {
      return Future.failedFuture(
          new IllegalStateException("the heartbeat must be deployed on loop " + loop.name()));
    }
    tuneThread();
    InetSocketAddress address;
    try {
      address = address();
    } catch (UnknownHostException e) {
      return Future.failedFuture(e);
    }
    Promise<Void> listening = Promise.promise();
    bind(address)
        .addListener(
            done -> {
              if (done.isSuccess()) {
                server = ((ChannelFuture) done).channel();
                time.start();
                listening.complete();
              } else {
                listening.fail(
                    new java.io.IOException(
                        "heartbeat_port "
                            + config.heartbeatPort()
                            + " of "
                            + config.rpcHost()
                            + " cannot be listened on: "
                            + done.cause().getMessage(),
                        done.cause()));
              }
            });
    return listening.future();
  }

  private InetSocketAddress address() throws UnknownHostException {
    byte[] literal = NetUtil.createByteArrayFromIpAddressString(config.rpcHost());
    if (literal == null) {
      throw new UnknownHostException(
          "rpc_host must be an IP address, so that no name has to be resolved: "
              + config.rpcHost());
    }
    return new InetSocketAddress(InetAddress.getByAddress(literal), config.heartbeatPort());
  }

  private ChannelFuture bind(InetSocketAddress address) {
    EventLoop eventLoop = loop.eventLoop();
    return new ServerBootstrap()
        .group(eventLoop, eventLoop)
        .channelFactory(transport.serverChannelFactory(false))
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.ALLOCATOR, allocator)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.ALLOCATOR, allocator)
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                accept(channel);
              }
            })
        .bind(address);
  }

  private void accept(Channel channel) {
    if (!connections.tryOpen(channel)) {
      channel.close();
      return;
    }
    int bytes = PINGS_IN_A_READ * HeartbeatFrame.BYTES;
    PingBuffer input = new PingBuffer(allocator.directBuffer(bytes, bytes));
    if (tls == null) {
      channel.config().setRecvByteBufAllocator(input);
    } else {
      channel.pipeline().addLast(tls.newHandler(allocator));
    }
    channel
        .pipeline()
        .addLast(
            new HeartbeatHandler(
                recorder,
                mooncake,
                pings,
                connections,
                broken,
                input,
                allocator.directBuffer(bytes, bytes)));
  }

  /** Asks the kernel for what the configuration says; goes on without it when refused. */
  private void tuneThread() {
    try {
      ThreadScheduling scheduling = ThreadScheduling.ofCurrentThread();
      if (config.heartbeatSliceMicros() > 0) {
        scheduling = scheduling.withSliceNanos(config.heartbeatSliceMicros() * 1_000L);
      }
      if (config.heartbeatNice() != 0) {
        scheduling = scheduling.withNice(config.heartbeatNice());
      }
      scheduling.applyToCurrentThread();
    } catch (LibcException | UnsupportedOperationException e) {
      LOG.warn("the heartbeat thread keeps the default scheduling: {}", e.getMessage());
    }
  }

  @Override
  public Future<?> stop() {
    time.stop();
    Channel listening = server;
    if (listening == null) {
      return Future.succeededFuture();
    }
    Promise<Void> closed = Promise.promise();
    listening.close().addListener(ignored -> closed.complete());
    return closed.future();
  }

  /** The port it listens on, once it is deployed. */
  public int port() {
    Channel listening = server;
    if (listening == null) {
      throw new IllegalStateException("not listening");
    }
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** Pings answered; from any thread. */
  public long pings() {
    return pings.get();
  }

  /** Connections that are open; from any thread. */
  public int connections() {
    return connections.open();
  }

  /** Connections that were closed since there were too many; from any thread. */
  public long refusedConnections() {
    return connections.refused();
  }

  /** Connections that were closed for bytes that are no ping; from any thread. */
  public long malformedConnections() {
    return broken.malformed();
  }

  /** The clock that this verticle advances. */
  public ObservedClock clock() {
    return recorder.clock();
  }
}
