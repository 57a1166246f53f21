package io.moonpool.transfer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What both ends of every data connection have in common: socket options, and TLS if wanted. */
final class ChannelSetup {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelSetup.class);

  private static final int LOW_WATER_BYTES = 256 << 10;
  private static final int HIGH_WATER_BYTES = 512 << 10;

  /** System calls of one flush before the loop sees to others; each writes a piece at most. */
  private static final int WRITE_SPIN = 4;

  /** Reads of up to 64 KiB that are decrypted before the loop sees to others. */
  private static final int TLS_READS = 4;

  private final TransferConfig config;
  private final InetSocketAddress bindAddress;
  private final @Nullable SslContext serverTls;
  private final @Nullable SslContext clientTls;
  private final Map<EventLoop, LoopScratch> scratches = new ConcurrentHashMap<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicBoolean warned = new AtomicBoolean();

  private ChannelSetup(
      TransferConfig config,
      InetSocketAddress bindAddress,
      @Nullable SslContext serverTls,
      @Nullable SslContext clientTls) {
    this.config = config;
    this.bindAddress = bindAddress;
    this.serverTls = serverTls;
    this.clientTls = clientTls;
  }

  /**
   * Loads keys and certificates and looks up the address to listen at. Blocks.
   *
   * @throws Exception when they cannot be loaded or it is not known
   */
  static ChannelSetup load(Vertx vertx, TransferConfig config) throws Exception {
    InetSocketAddress bind =
        new InetSocketAddress(InetAddress.getByName(config.host()), config.port());
    TransferTls tls = config.tls();
    if (tls == null) {
      return new ChannelSetup(config, bind, null, null);
    }
    return new ChannelSetup(
        config, bind, config.serve() ? server(vertx, tls) : null, client(vertx, tls));
  }

  private static SslContext server(Vertx vertx, TransferTls tls) throws Exception {
    KeyCertOptions key = tls.key();
    if (key == null) {
      throw new IllegalArgumentException(
          "TLS on the data server needs a certificate: set tls_cert and tls_key");
    }
    SslContextBuilder builder = SslContextBuilder.forServer(key.getKeyManagerFactory(vertx));
    TrustOptions trust = tls.trust();
    if (trust != null) {
      builder.trustManager(trust.getTrustManagerFactory(vertx));
    }
    return builder
        .clientAuth(tls.requireClientCertificate() ? ClientAuth.REQUIRE : ClientAuth.NONE)
        .build();
  }

  private static SslContext client(Vertx vertx, TransferTls tls) throws Exception {
    SslContextBuilder builder = SslContextBuilder.forClient();
    KeyCertOptions key = tls.key();
    if (key != null) {
      builder.keyManager(key.getKeyManagerFactory(vertx));
    }
    TrustOptions trust = tls.trust();
    if (trust != null) {
      builder.trustManager(trust.getTrustManagerFactory(vertx));
    }
    return builder.endpointIdentificationAlgorithm(tls.verifyHost() ? "HTTPS" : null).build();
  }

  /** The scratch of an event loop, which all its data connections share. Any thread. */
  LoopScratch scratch(EventLoop loop) {
    return scratches.computeIfAbsent(loop, added -> new LoopScratch());
  }

  TransferConfig config() {
    return config;
  }

  /** Where the data server listens. */
  InetSocketAddress bindAddress() {
    return bindAddress;
  }

  /** Sets up an accepted channel. On its event loop. */
  void accepted(Channel channel, FrameHandler handler) {
    SslContext tls = serverTls;
    configure(channel, tls == null ? null : tls.newHandler(channel.alloc()), handler);
  }

  /** Channels that this process has opened and not closed yet, those that connect included. */
  int opened() {
    return opened.get();
  }

  /** Sets up a channel that is about to connect. On its event loop. */
  void connecting(Channel channel, TcpEndpoint endpoint, FrameHandler handler) {
    opened.incrementAndGet();
    channel.closeFuture().addListener(closed -> opened.decrementAndGet());
    SslContext tls = clientTls;
    configure(
        channel,
        tls == null ? null : tls.newHandler(channel.alloc(), endpoint.host(), endpoint.port()),
        handler);
  }

  private void configure(Channel channel, @Nullable SslHandler tls, FrameHandler handler) {
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
    channel.config().setOption(ChannelOption.SO_SNDBUF, config.socketBufferBytes());
    channel.config().setOption(ChannelOption.SO_RCVBUF, config.socketBufferBytes());
    warnOfSmallBuffers(channel);
    channel
        .config()
        .setWriteBufferWaterMark(new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES));
    channel.config().setWriteSpinCount(WRITE_SPIN);
    if (channel instanceof EpollSocketChannel) {
      // Bytes that nobody acknowledges or takes break the connection, whatever the kernel's own
      // patience is.
      channel
          .config()
          .setOption(
              EpollChannelOption.TCP_USER_TIMEOUT, (int) config.operationTimeout().toMillis());
    }
    if (tls != null) {
      tls.setHandshakeTimeoutMillis(config.connectTimeout().toMillis());
      DefaultMaxMessagesRecvByteBufAllocator allocator = channel.config().getRecvByteBufAllocator();
      allocator.maxMessagesPerRead(TLS_READS);
      channel.pipeline().addLast(tls);
    } else if (channel instanceof EpollSocketChannel || channel instanceof NioSocketChannel) {
      // Others (io_uring) read later than they allocate, and checks made in between would be void.
      channel.config().setRecvByteBufAllocator(new DirectReceive(handler));
    }
    channel.pipeline().addLast(handler);
  }

  private void warnOfSmallBuffers(Channel channel) {
    Integer receive = channel.config().getOption(ChannelOption.SO_RCVBUF);
    Integer send = channel.config().getOption(ChannelOption.SO_SNDBUF);
    int reported = Math.min(receive == null ? 0 : receive, send == null ? 0 : send);
    // Linux reports twice what it granted, for its own bookkeeping; the JDK corrects that.
    int granted = channel instanceof EpollSocketChannel ? reported / 2 : reported;
    if (granted < config.socketBufferBytes() && warned.compareAndSet(false, true)) {
      LOG.warn(
          "the kernel grants socket buffers of {} bytes instead of {}: large transfers over tcp"
              + " will be slow; raise net.core.rmem_max and net.core.wmem_max",
          granted,
          config.socketBufferBytes());
    }
  }
}
