package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.StoreException;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the segments that this process lends to clients of Mooncake, by that system's {@code tcp}
 * transport: a port for handshakes, and one for reads and writes. Addresses are those of {@link
 * MooncakeAddresses}; what is not at one that is lent now is rejected.
 *
 * <p>The event loops of the Vert.x instance do the work. Methods may be called from any thread.
 */
final class MooncakeServer {
  private static final Logger LOG = LoggerFactory.getLogger(MooncakeServer.class);

  private final VertxInternal vertx;
  private final ChannelSetup setup;
  private final MooncakePorts ports;
  private final MooncakeAddresses addresses = new MooncakeAddresses();
  private final MooncakeCounters counters = new MooncakeCounters();
  private final SparseWarnings warnings = new SparseWarnings(LOG);
  private final Map<UUID, Lent> segments = new ConcurrentHashMap<>();
  private final Set<MooncakeServerConnection> connections = ConcurrentHashMap.newKeySet();
  private final Set<Channel> accepted = ConcurrentHashMap.newKeySet();
  private final AtomicInteger handshakes = new AtomicInteger();
  private final AtomicInteger transfers = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private volatile @Nullable Channel handshakeListener;
  private volatile @Nullable Channel dataListener;
  private volatile boolean closed;

  MooncakeServer(VertxInternal vertx, ChannelSetup setup, MooncakePorts ports) {
    this.vertx = vertx;
    this.setup = setup;
    this.ports = ports;
  }

  /** Listens on both ports. Call it once. */
  Future<Void> listen() {
    return bind(
            "mooncake_data_port",
            ports.data(),
            transfers,
            scratch -> new MooncakeServerConnection(this, scratch))
        .compose(
            data -> {
              dataListener = data;
              return bind(
                  "mooncake_port",
                  ports.handshake(),
                  handshakes,
                  scratch -> new MooncakeHandshake(this, scratch));
            })
        .map(
            handshake -> {
              handshakeListener = handshake;
              return null;
            });
  }

  private Future<Channel> bind(
      String setting, int port, AtomicInteger open, Function<LoopScratch, FrameHandler> handler) {
    Promise<Channel> promise = Promise.promise();
    new ServerBootstrap()
        .group(vertx.acceptorEventLoopGroup(), vertx.nettyEventLoopGroup())
        .channelFactory(vertx.transport().serverChannelFactory(false))
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.SO_BACKLOG, 1024)
        // Before listen: the window that a connection can offer is fixed when it is accepted.
        .option(ChannelOption.SO_RCVBUF, config().socketBufferBytes())
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                accept(channel, open, handler);
              }
            })
        .bind(new InetSocketAddress(setup.bindAddress().getAddress(), port))
        .addListener(
            (ChannelFuture bound) -> {
              if (bound.isSuccess()) {
                promise.complete(bound.channel());
              } else {
                promise.fail(
                    new StoreException(
                        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
                        "clients of Mooncake cannot be served at port "
                            + port
                            + ": "
                            + bound.cause().getMessage()
                            + "; set "
                            + setting
                            + " to another one, or to 0 for any free one"));
              }
            });
    return promise.future();
  }

  private void accept(
      Channel channel, AtomicInteger open, Function<LoopScratch, FrameHandler> handler) {
    if (open.incrementAndGet() > config().maxConnections()) {
      open.decrementAndGet();
      refused.increment();
      channel.close();
      return;
    }
    accepted.add(channel);
    channel
        .closeFuture()
        .addListener(
            gone -> {
              open.decrementAndGet();
              accepted.remove(channel);
            });
    setup.accepted(channel, handler.apply(setup.scratch(channel.eventLoop())));
    if (closed) {
      channel.close();
    }
  }

  TransferConfig config() {
    return setup.config();
  }

  MooncakeCounters counters() {
    return counters;
  }

  /** Connections to both ports that are open. */
  int accepted() {
    return handshakes.get() + transfers.get();
  }

  /** Connections to both ports that were closed at once, since there were too many. */
  long refused() {
    return refused.sum();
  }

  /** A peer has sent something that is no handshake or no request. */
  void malformed(Channel channel, ProtocolException what) {
    counters.malformed.increment();
    warnings.warn(
        "closed a connection", channel.remoteAddress(), String.valueOf(what.getMessage()));
  }

  /** A peer has asked for an address that is not lent. */
  void rejected(Channel channel, MooncakeWire.Header header, Refusal refusal) {
    counters.rejected.increment();
    warnings.warn(
        header.opcode() == MooncakeWire.WRITE ? "rejected a write" : "rejected a read",
        channel.remoteAddress(),
        Long.toUnsignedString(header.size())
            + " bytes at address 0x"
            + Long.toHexString(header.address())
            + ": "
            + refusal.exception().getMessage());
  }

  private static int portOf(@Nullable Channel listener) {
    if (listener == null) {
      throw new IllegalStateException("the server for Mooncake's clients does not listen");
    }
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** The ports that it listens on. */
  MooncakePorts ports() {
    return new MooncakePorts(portOf(handshakeListener), portOf(dataListener));
  }

  /** Host and port of the handshake, as peers reach it. */
  String name() {
    String host = config().advertisedHost();
    String quoted = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return quoted + ":" + portOf(handshakeListener);
  }

  /** What this side says in a handshake. */
  byte[] description() {
    return MooncakeWire.description(name(), portOf(dataListener), addresses.buffers());
  }

  /**
   * Lends a segment, at no address yet.
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

  private Lent required(UUID id) {
    Lent lent = segments.get(id);
    if (lent == null) {
      throw new IllegalStateException("segment " + id + " is not registered");
    }
    return lent;
  }

  /** How the next mount of a segment is announced: at an address that was never announced. */
  MooncakeEndpoint announce(UUID id) {
    long base = addresses.reserve(required(id).memory().byteSize());
    return new MooncakeEndpoint(base, MooncakeEndpoint.TCP, name());
  }

  /** Lends a segment at no address, once nothing is under way. Blocks. */
  void pause(UUID id) {
    Lent lent = required(id);
    addresses.remove(id);
    ServerConnection.pause(lent, connections);
  }

  /**
   * Lends a segment at an address that was announced for this mount, and nowhere else. Blocks until
   * nothing is under way at an earlier one.
   */
  void activate(UUID id, long generation, long base) {
    Lent lent = required(id);
    MooncakeAddresses.Mounted present = addresses.find(base);
    if (present != null
        && present.base() == base
        && present.generation() == generation
        && present.lent().equals(lent)) {
      return;
    }
    if (!addresses.reserved(base)) {
      throw new IllegalStateException(
          "segment " + id + " was mounted at an address that this process has not announced");
    }
    pause(id);
    lent.generation(generation);
    addresses.add(new MooncakeAddresses.Mounted(base, generation, lent));
  }

  /** What is lent at or before an address; null for nothing. */
  MooncakeAddresses.@Nullable Mounted find(long address) {
    return addresses.find(address);
  }

  /** Lends the segment no longer; completes when no transfer touches it. */
  Future<Void> withdraw(UUID id) {
    Lent lent = segments.remove(id);
    if (lent == null) {
      return Future.succeededFuture();
    }
    addresses.remove(id);
    return ServerConnection.withdraw(vertx, lent, connections);
  }

  void opened(MooncakeServerConnection connection) {
    connections.add(connection);
  }

  void closed(MooncakeServerConnection connection) {
    connections.remove(connection);
  }

  /** Stops listening and closes all connections. */
  Future<Void> close() {
    closed = true;
    Future<Void> deaf = close(handshakeListener).eventually(() -> close(dataListener));
    accepted.forEach(Channel::close);
    return deaf;
  }

  private static Future<Void> close(@Nullable Channel listener) {
    if (listener == null) {
      return Future.succeededFuture();
    }
    Promise<Void> promise = Promise.promise();
    listener.close().addListener(done -> promise.complete());
    return promise.future();
  }
}
