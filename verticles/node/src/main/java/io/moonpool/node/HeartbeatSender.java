package io.moonpool.node;

import io.moonpool.model.ClientState;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the master that this node lives. Runs on an event loop and a thread of its own, which do
 * nothing else, so that no other work of the process can delay a ping.
 *
 * <p>Pings go to the heartbeat port. As long as one of them is unanswered there, or there is no
 * connection, further ones also go to the main port, as frame calls over a connection on the same
 * loop, while the heartbeat port is tried again.
 */
final class HeartbeatSender {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatSender.class);

  /** A connection that has not answered for so many pings is given up. */
  private static final int PATIENCE_PINGS = 3;

  /** Two ticks of the master's monitor, which takes a suspicion back. */
  private static final long AFTER_SUSPICION_MILLIS = 200;

  private final VertxInternal vertx;
  private final NodeConfig config;
  private final @Nullable SslContext tls;
  private final Runnable onRemount;
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final ContextInternal context;
  private final HeartbeatStats stats = new HeartbeatStats(System.nanoTime());

  /** Buffers of pings alone: no allocator lock is shared with transfers. */
  private final ByteBufAllocator buffers = new UnpooledByteBufAllocator(true, true);

  // All that follows belongs to the loop.
  private final FrameClientOptions mainPort;
  private @Nullable FrameClient frames;
  private @Nullable Announcement announced;
  private @Nullable Channel channel;
  private @Nullable InetAddress lastAddress;
  private boolean connecting;
  private boolean closed;
  private boolean silent;
  private boolean suspected;
  private long sequence;
  private int unanswered;

  /**
   * A sender that is quiet until something is announced.
   *
   * @param mainPort how the master's main port is reached
   * @param tls for the heartbeat port; null for none
   * @param onRemount run on the sender's loop when the master asks for it: must not block
   */
  HeartbeatSender(
      Vertx vertx,
      NodeConfig config,
      FrameClientOptions mainPort,
      @Nullable SslContext tls,
      Runnable onRemount) {
    this.vertx = (VertxInternal) vertx;
    this.config = config;
    this.mainPort = mainPort;
    this.tls = tls;
    this.onRemount = onRemount;
    this.group =
        new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("moonpool-node-heartbeat", true),
            this.vertx.transport().ioHandlerFactory());
    this.loop = group.next();
    this.context = this.vertx.contextBuilder().withEventLoop(loop).build();
    // With a fixed delay: a process that was stopped must not make up for the pings of that time,
    // all of them before it reads an answer.
    loop.scheduleWithFixedDelay(
        this::tick,
        config.heartbeatIntervalMillis(),
        config.heartbeatIntervalMillis(),
        TimeUnit.MILLISECONDS);
  }

  HeartbeatStats stats() {
    return stats;
  }

  /** Pings with that from now on, the first time at once. Any thread. */
  void announce(Announcement what) {
    loop.execute(
        () -> {
          Announcement before = announced;
          announced = what;
          if (before == null || before.heartbeatPort() != what.heartbeatPort()) {
            disconnect();
          }
          unanswered = 0;
          stats.registered(System.nanoTime());
          tick();
        });
  }

  private void tick() {
    Announcement current = announced;
    if (current == null || closed) {
      return;
    }
    sequence++;
    Channel open = channel;
    boolean fallBack = current.heartbeatPort() == 0 || open == null || unanswered > 0;
    if (open != null) {
      unanswered++;
      send(open, current);
      if (unanswered > PATIENCE_PINGS) {
        disconnect();
      }
    } else if (current.heartbeatPort() != 0 && !connecting) {
      connect(current.heartbeatPort());
    }
    if (fallBack) {
      pingMainPort(current);
    }
    noteSilence();
  }

  private void send(Channel open, Announcement current) {
    ByteBuf frame = open.alloc().buffer(HeartbeatFrame.BYTES, HeartbeatFrame.BYTES);
    HeartbeatFrame.setPing(
        frame, 0, current.slot(), current.incarnation(), sequence, System.nanoTime());
    frame.writerIndex(HeartbeatFrame.BYTES);
    open.writeAndFlush(frame, open.voidPromise());
    stats.sent.increment();
  }

  private void pingMainPort(Announcement current) {
    FrameClient client = frames;
    if (client == null) {
      // In the context of this loop, so that the connection is served by it.
      context.dispatch(() -> frames = FrameClient.create(vertx, mainPort));
      client = frames;
    }
    if (client == null) {
      return;
    }
    stats.sentToMainPort.increment();
    long sentNanos = System.nanoTime();
    client
        .call(Calls.PING, new Ping(current.slot(), current.incarnation(), sequence))
        .onSuccess(
            answer ->
                answered(
                    current.incarnation(),
                    answer.status(),
                    answer.masterEpoch(),
                    answer.viewVersion(),
                    sentNanos));
  }

  private void answered(
      long incarnation, PingStatus status, long masterEpoch, int viewVersion, long sentNanos) {
    Announcement current = announced;
    if (current == null || current.incarnation() != incarnation) {
      return; // an answer to an earlier incarnation says nothing about this one
    }
    stats.answer(System.nanoTime(), sentNanos);
    stats.master(seen(status), masterEpoch, viewVersion);
    if (silent) {
      silent = false;
      LOG.info("the master answers pings again");
    }
    switch (status) {
      case OK -> {
        if (suspected) {
          suspected = false;
          LOG.info("the master serves what this node has again");
        }
      }
      case SUSPECTED -> suspected(current);
      case NEED_REMOUNT -> {
        suspected = false; // that was of an incarnation which is gone
        stats.remountsAsked.increment();
        announced = null; // nothing to say until the node is registered again
        onRemount.run();
      }
    }
  }

  private static ClientState seen(PingStatus status) {
    return switch (status) {
      case OK -> ClientState.ACTIVE;
      case SUSPECTED -> ClientState.SUSPECTED;
      case NEED_REMOUNT -> ClientState.OFFLINE;
    };
  }

  /** Tells of a suspicion, and asks soon how it is now: that ping has ended it. */
  private void suspected(Announcement current) {
    if (!suspected) {
      suspected = true;
      stats.suspicions.increment();
      LOG.warn(
          "the master had suspected this node, for want of pings: for some time nothing of it was"
              + " served; it last answered {} ms before",
          stats.lastGapNanos() / 1_000_000);
      loop.schedule(
          () -> {
            if (current.equals(announced)) {
              tick();
            }
          },
          AFTER_SUSPICION_MILLIS,
          TimeUnit.MILLISECONDS);
    }
  }

  private void noteSilence() {
    if (!silent && stats.silentMillis() > 5 * config.heartbeatIntervalMillis()) {
      silent = true;
      LOG.warn(
          "the master at {} has not answered pings for {} ms; trying on",
          config.masterHost(),
          stats.silentMillis());
    }
  }

  /** Names are resolved aside: that may block for as long as a name server pleases. */
  private void connect(int port) {
    connecting = true;
    Thread.ofVirtual()
        .name("moonpool-node-resolve")
        .start(
            () -> {
              InetAddress found = null;
              try {
                found = InetAddress.getByName(config.masterHost());
              } catch (UnknownHostException e) {
                LOG.debug("the master's name cannot be resolved", e);
              }
              InetAddress address = found;
              loop.execute(() -> connect(address, port));
            });
  }

  private void connect(@Nullable InetAddress found, int port) {
    InetAddress address = found == null ? lastAddress : found;
    if (address == null || closed) {
      connecting = false;
      return;
    }
    lastAddress = address;
    new Bootstrap()
        .group(loop)
        .channelFactory(vertx.transport().channelFactory(false))
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.ALLOCATOR, buffers)
        .option(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            Math.toIntExact(Math.max(1_000, config.heartbeatIntervalMillis())))
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel opened) {
                if (tls != null) {
                  opened
                      .pipeline()
                      .addLast(tls.newHandler(opened.alloc(), config.masterHost(), port));
                }
                opened
                    .pipeline()
                    .addLast(new FixedLengthFrameDecoder(HeartbeatFrame.BYTES), new Answers());
              }
            })
        .connect(new InetSocketAddress(address, port))
        .addListener((ChannelFuture connected) -> connected(connected, port));
  }

  private void connected(ChannelFuture connected, int port) {
    connecting = false;
    Announcement current = announced;
    if (!connected.isSuccess()) {
      LOG.debug("no connection to the heartbeat port {}", port, connected.cause());
    } else if (closed || current == null || current.heartbeatPort() != port) {
      connected.channel().close();
    } else {
      channel = connected.channel();
      unanswered = 1;
      sequence++;
      send(connected.channel(), current);
    }
  }

  private void disconnect() {
    Channel open = channel;
    channel = null;
    unanswered = 0;
    if (open != null) {
      open.close();
    }
  }

  /** Stops pinging and ends the loop. Any thread. */
  Future<Void> close() {
    Promise<Void> ended = Promise.promise();
    loop.execute(
        () -> {
          closed = true;
          disconnect();
          FrameClient client = frames;
          Future<Void> framesClosed = client == null ? Future.succeededFuture() : client.close();
          framesClosed.onComplete(
              done ->
                  group
                      .shutdownGracefully(0, 1, TimeUnit.SECONDS)
                      .addListener(terminated -> ended.complete()));
        });
    return ended.future();
  }

  /** The answers on a connection to the heartbeat port. */
  private final class Answers extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext where, Object message) {
      ByteBuf frame = (ByteBuf) message;
      try {
        int at = frame.readerIndex();
        if (!HeartbeatFrame.isAnswer(frame, at)) {
          LOG.warn("what listens at the master's heartbeat port does not speak its protocol");
          where.close();
          return;
        }
        if (where.channel().equals(channel)) {
          unanswered = 0;
        }
        stats.answeredByHeartbeatPort.increment();
        answered(
            HeartbeatFrame.incarnation(frame, at),
            HeartbeatFrame.status(frame, at),
            HeartbeatFrame.masterEpoch(frame, at),
            HeartbeatFrame.viewVersion(frame, at),
            HeartbeatFrame.sentNanos(frame, at));
      } finally {
        frame.release();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext where) {
      if (where.channel().equals(channel)) {
        disconnect();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext where, Throwable cause) {
      LOG.debug("the connection to the heartbeat port broke", cause);
      where.close();
    }
  }
}
