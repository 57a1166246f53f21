package io.moonpool.transfer;

import io.moonpool.libc.LibcException;
import io.moonpool.libc.OutOfSpaceException;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.ucx.UcxContext;
import io.moonpool.ucx.UcxException;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All transports of a process: it lends segments through each of them, and reaches the segments of
 * others through the best one that works.
 *
 * <p>A segment that this process itself lends is reached by a plain copy ("local"). For others the
 * configured order decides: {@code shm} when the owner's memory can be mapped from here, {@code
 * ucx} where both sides have it and it leads to the owner, else {@code tcp}. A way that could not
 * be opened is tried again after a while. Segments of clients of Mooncake are reached by that
 * system's {@code tcp} transport ("mooncake"), unless this process wants TLS.
 *
 * <p>{@code put} and {@code get} may be called on any Vert.x context and never block it; see {@link
 * Transport} for what holds when they fail. The methods about regions and segments may block and
 * belong on a worker.
 */
public final class Transports {
  /** The name under which copies within this process are counted. */
  public static final String LOCAL = "local";

  private static final Logger LOG = LoggerFactory.getLogger(Transports.class);

  private final VertxInternal vertx;
  private final @Nullable DataServer server;
  private final @Nullable MooncakeServer mooncake;
  private final List<Transport> transports = new ArrayList<>();
  private final ChannelSetup setup;
  private final TransferRouter router;
  private final Map<UUID, Lent> own = new ConcurrentHashMap<>();

  private Transports(VertxInternal vertx, ChannelSetup setup, @Nullable UcxContext ucx) {
    this.vertx = vertx;
    this.setup = setup;
    TransferConfig config = setup.config();
    DataConnector connector = new DataConnector(vertx, setup);
    this.server = config.serve() ? new DataServer(vertx, setup) : null;
    MooncakePorts ports = config.mooncake();
    this.mooncake =
        config.serve() && ports != null ? new MooncakeServer(vertx, setup, ports) : null;
    for (String name : config.transports()) {
      switch (name) {
        case ShmTransport.NAME -> transports.add(new ShmTransport(vertx, connector, server));
        case UcxTransport.NAME -> {
          if (ucx != null) {
            transports.add(new UcxTransport(vertx, connector, server, ucx));
          }
        }
        default -> transports.add(new TcpTransport(vertx, connector, server));
      }
    }
    if (config.tls() == null) {
      // Who wants TLS does not send bytes without it.
      MooncakeServer foreign = mooncake;
      Supplier<byte[]> description =
          foreign == null
              ? () -> MooncakeWire.description("moonpool", 0, List.of())
              : foreign::description;
      transports.add(new MooncakeTransport(vertx, connector, description));
    }
    this.router = new TransferRouter(vertx, transports, own::get, config.copyThreads());
  }

  /**
   * Starts the transports, and the data server when the configuration says so.
   *
   * @return fails when the server cannot listen or keys cannot be loaded
   */
  public static Future<Transports> start(Vertx vertx, TransferConfig config) {
    VertxInternal internal = (VertxInternal) vertx;
    return vertx
        .executeBlocking(() -> load(internal, config))
        .map(Objects::requireNonNull)
        .compose(
            started ->
                started
                    .open()
                    .map(started)
                    .recover(
                        cause -> started.close().transform(closed -> Future.failedFuture(cause))));
  }

  private static Transports load(VertxInternal vertx, TransferConfig config) throws Exception {
    ChannelSetup setup = ChannelSetup.load(vertx, config);
    if (!config.transports().contains(UcxTransport.NAME)) {
      return new Transports(vertx, setup, null);
    }
    UcxOffer offer = UcxOffer.of(config);
    if (offer.context() == null) {
      if (config.transports().size() == 1) {
        throw new IllegalStateException("ucx is the only transport, but " + offer.reason());
      }
      LOG.info("ucx is not offered: {}", offer.reason());
    }
    return new Transports(vertx, setup, offer.context());
  }

  private Future<Void> open() {
    Future<Void> opening = Future.succeededFuture();
    for (Transport transport : transports) {
      if (transport instanceof UcxTransport ucx) {
        opening = opening.compose(before -> ucx.start());
      }
    }
    DataServer listening = server;
    if (listening != null) {
      opening = opening.compose(ready -> listening.listen());
    }
    MooncakeServer foreign = mooncake;
    return foreign == null ? opening : opening.compose(ready -> foreign.listen());
  }

  /** Fails unless the calling thread may block. */
  static void requireWorker() {
    if (Context.isOnEventLoopThread()) {
      throw new IllegalStateException("this may block: call it on a worker, not on an event loop");
    }
  }

  /** Connections that the data server closed at once, since there were too many. */
  public long refusedConnections() {
    DataServer present = server;
    return present == null ? 0 : present.refused();
  }

  /**
   * The port of the data server.
   *
   * @throws IllegalStateException when this process does not serve
   */
  public int port() {
    return requireServing(server).endpoint().port();
  }

  /** True when clients of Mooncake are served. */
  public boolean servesMooncake() {
    return mooncake != null;
  }

  private static MooncakeServer requireMooncake(@Nullable MooncakeServer present) {
    if (present == null) {
      throw new IllegalStateException("this process does not serve clients of Mooncake");
    }
    return present;
  }

  /**
   * The ports that clients of Mooncake are served at.
   *
   * @throws IllegalStateException when this process does not serve them
   */
  public MooncakePorts mooncakePorts() {
    return requireMooncake(mooncake).ports();
  }

  /** Connections of clients of Mooncake that are open now. */
  public int mooncakeConnections() {
    MooncakeServer present = mooncake;
    return present == null ? 0 : present.accepted();
  }

  /** Connections of clients of Mooncake that were closed at once, since there were too many. */
  public long refusedMooncakeConnections() {
    MooncakeServer present = mooncake;
    return present == null ? 0 : present.refused();
  }

  /**
   * What was done for clients of Mooncake.
   *
   * @throws IllegalStateException when this process does not serve them
   */
  public MooncakeCounters mooncakeCounters() {
    return requireMooncake(mooncake).counters();
  }

  /**
   * How clients of Mooncake reach the next mount of a segment: at an address that was never
   * announced before and never will be again. Ask anew for each mount.
   *
   * @throws IllegalStateException when the segment is not registered, or this process does not
   *     serve such clients
   */
  public MooncakeEndpoint announceToMooncake(UUID segmentId) {
    return requireMooncake(mooncake).announce(segmentId);
  }

  /**
   * From now on clients of Mooncake find the segment at that address, and nowhere else. Call it
   * after {@link #activate}.
   *
   * @param generation of the mount
   * @param base the address that this mount was announced at
   * @throws IllegalStateException when it is not registered, or was never announced there
   */
  public void activateForMooncake(UUID segmentId, long generation, long base) {
    requireWorker();
    requireMooncake(mooncake).activate(segmentId, generation, base);
  }

  /**
   * What only a process that serves has.
   *
   * @throws IllegalStateException when this one does not serve
   */
  static <T> T requireServing(@Nullable T present) {
    if (present == null) {
      throw new IllegalStateException("this process lends nothing: it was configured not to serve");
    }
    return present;
  }

  /**
   * Allocates memory that all configured transports can lend: zeroed, with its space reserved.
   * Blocks for about a second per few GiB.
   *
   * @param bytes at least 1
   * @throws OutOfSpaceException when the memory is not there
   */
  public Region allocate(long bytes) {
    requireWorker();
    if (transports.stream().anyMatch(ShmTransport.class::isInstance)) {
      try {
        return SharedRegion.allocate(bytes);
      } catch (OutOfSpaceException e) {
        throw e;
      } catch (LibcException e) {
        LOG.warn("no shared memory here, segments are not offered through shm: {}", e.getMessage());
      }
    }
    for (Transport transport : transports) {
      if (transport instanceof UcxTransport ucx) {
        try {
          return ucx.allocate(bytes);
        } catch (UcxException e) {
          LOG.warn("UCX cannot allocate a segment, it registers one: {}", e.getMessage());
        }
      }
    }
    return AnonymousRegion.allocate(bytes);
  }

  /**
   * Makes a region reachable for peers, through every transport that can. Until {@link #activate}
   * every access is refused. Not for use of one region by two segments.
   *
   * @return how peers reach it, best first; without what {@link #announceToMooncake} tells
   * @throws IllegalStateException when the segment is registered already, or this process does not
   *     serve
   */
  public List<SegmentEndpoint> register(Region region, UUID segmentId) {
    requireServing(server);
    Lent lent = new Lent(segmentId, region);
    if (own.putIfAbsent(segmentId, lent) != null) {
      lent.withdraw();
      throw new IllegalStateException("segment " + segmentId + " is registered already");
    }
    List<SegmentEndpoint> endpoints = new ArrayList<>();
    try {
      for (Transport transport : transports) {
        if (offers(transport, region)) {
          endpoints.add(transport.register(region, segmentId));
        }
      }
      MooncakeServer foreign = mooncake;
      if (foreign != null) {
        foreign.lend(segmentId, region);
      }
    } catch (RuntimeException e) {
      unregister(segmentId);
      throw e;
    }
    return endpoints;
  }

  /**
   * From now on accepts accesses under that generation, and only under it. Waits until accesses
   * under an earlier one have ended, at most a few seconds.
   *
   * @param generation never 0
   */
  public void activate(UUID segmentId, long generation) {
    requireWorker();
    Lent lent = own.get(segmentId);
    if (lent == null) {
      throw new IllegalStateException("segment " + segmentId + " is not registered");
    }
    if (generation == Lent.INACTIVE) {
      throw new IllegalArgumentException("a generation is never 0");
    }
    if (lent.generation() == generation) {
      return;
    }
    // No access of the old generation may be left anywhere when the first of the new one comes.
    lent.generation(Lent.INACTIVE);
    activateAll(lent, Lent.INACTIVE);
    MooncakeServer foreign = mooncake;
    if (foreign != null) {
      foreign.pause(segmentId);
    }
    ServerConnection.requireUntouched(lent);
    activateAll(lent, generation);
    lent.generation(generation);
  }

  private void activateAll(Lent lent, long generation) {
    for (Transport transport : transports) {
      if (offers(transport, lent.region())) {
        transport.activate(lent.id(), generation);
      }
    }
  }

  private static boolean offers(Transport transport, Region region) {
    return switch (transport) {
      case ShmTransport ignored -> region instanceof SharedRegion;
      case MooncakeTransport ignored -> false; // its server lends
      default -> true;
    };
  }

  /** Refuses further accesses; completes when none is under way. The region may then be closed. */
  public Future<Void> unregister(UUID segmentId) {
    Lent lent = own.remove(segmentId);
    if (lent == null) {
      return Future.succeededFuture();
    }
    List<Future<Void>> withdrawals = new ArrayList<>();
    withdrawals.add(lent.withdraw());
    for (Transport transport : transports) {
      withdrawals.add(transport.unregister(segmentId));
    }
    MooncakeServer foreign = mooncake;
    if (foreign != null) {
      withdrawals.add(foreign.withdraw(segmentId));
    }
    return Future.join(withdrawals).mapEmpty();
  }

  /**
   * Writes local memory to a segment. Completes when the bytes are there.
   *
   * @param local memory that any thread may use; untouched until the future completes
   * @param deadlineNanos {@link System#nanoTime()} after which nothing may be written any more
   */
  public Future<Void> put(
      MemorySegment local, PeerSegment peer, long remoteOffset, long deadlineNanos) {
    return transfer(true, local, peer, remoteOffset, deadlineNanos);
  }

  /**
   * Reads from a segment into local memory.
   *
   * @param local writable memory that any thread may use; untouched until the future completes
   * @param deadlineNanos {@link System#nanoTime()} after which the bytes must not be trusted
   */
  public Future<Void> get(
      MemorySegment local, PeerSegment peer, long remoteOffset, long deadlineNanos) {
    return transfer(false, local, peer, remoteOffset, deadlineNanos);
  }

  /**
   * Like {@link #get(MemorySegment, PeerSegment, long, long)}, without a future: the shortest way
   * for a caller that is on its event loop.
   *
   * @param done told on the event loop of the calling context, though outside any context, or
   *     before this returns
   */
  public void get(
      MemorySegment local,
      PeerSegment peer,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    router.transfer(
        vertx.getOrCreateContext(), false, local, peer, remoteOffset, deadlineNanos, done);
  }

  private Future<Void> transfer(
      boolean put, MemorySegment local, PeerSegment peer, long remoteOffset, long deadlineNanos) {
    ContextInternal context = vertx.getOrCreateContext();
    Promise<Void> promise = context.promise();
    router.transfer(context, put, local, peer, remoteOffset, deadlineNanos, promise);
    return promise.future();
  }

  /**
   * How a transfer to a segment would go now: {@link #LOCAL}, the name of a transport, or {@code
   * none}. Any thread.
   */
  public String choice(PeerSegment peer) {
    return router.choice(peer);
  }

  /** Data connections that this process has opened to others and that are open now. */
  public int openedConnections() {
    return setup.opened();
  }

  /** Data connections of others to this process that are open now. */
  public int acceptedConnections() {
    DataServer present = server;
    return present == null ? 0 : present.accepted();
  }

  /** What has been moved, by transport name and {@link #LOCAL}. */
  public Map<String, TransferCounters> counters() {
    return router.counters();
  }

  /**
   * Unregisters all segments, stops serving and closes all connections. Transfers under way fail;
   * when this completes, none touches a region any more.
   */
  public Future<Void> close() {
    List<Future<Void>> closing = new ArrayList<>();
    for (UUID segmentId : own.keySet()) {
      closing.add(unregister(segmentId));
    }
    for (Transport transport : transports) {
      closing.add(transport.close());
    }
    DataServer listening = server;
    if (listening != null) {
      closing.add(listening.close());
    }
    MooncakeServer foreign = mooncake;
    if (foreign != null) {
      closing.add(foreign.close());
    }
    closing.add(router.close());
    return Future.join(closing).mapEmpty();
  }
}
