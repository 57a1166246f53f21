package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.moonpool.ucx.UcxContext;
import io.moonpool.ucx.UcxException;
import io.moonpool.ucx.UcxMemory;
import io.netty.channel.EventLoop;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Put and get through UCX: RDMA where there is a device, and the library's own emulations. The
 * first transfer to a segment asks its owner, over the data port, for a ticket: address and key.
 * The connection stays open as long as the ticket is in use, see {@link UcxSegments} for what that
 * is good for.
 *
 * <p>Two threads of a worker executor move everything, each with a UCX worker of its own: one for
 * what this process asks for, one for what others do with its segments. The second exists only in a
 * process that serves.
 */
final class UcxTransport implements OpeningTransport<UcxWindow> {
  static final String NAME = "ucx";

  private final VertxInternal vertx;
  private final DataConnector connector;
  private final @Nullable DataServer server;
  private final UcxContext context;
  private final WorkerExecutor threads;
  private final UcxPeers peers;
  private final UcxLoop asking;
  private final @Nullable UcxLoop serving;
  private final @Nullable UcxSegments segments;
  private final Map<Key, Future<UcxWindow>> windows = new ConcurrentHashMap<>();
  private final List<Future<Void>> withdrawals = new ArrayList<>();
  private volatile boolean closed;

  private record Key(UUID segmentId, long generation) {}

  /**
   * Makes the transport.
   *
   * @param server null when this process lends nothing
   * @param context which it then owns
   */
  UcxTransport(
      VertxInternal vertx,
      DataConnector connector,
      @Nullable DataServer server,
      UcxContext context) {
    this.vertx = vertx;
    this.connector = connector;
    this.server = server;
    this.context = context;
    UcxOptions options = connector.config().ucx();
    // A name of its own: the threads are never free, so an executor cannot be shared.
    String name = "moonpool-ucx-" + UUID.randomUUID().toString().substring(0, 8);
    this.threads = vertx.createSharedWorkerExecutor(name, 2, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    this.peers = new UcxPeers(connector.config(), context.errorHandling());
    this.asking = new UcxLoop(context, options.spin(), peers);
    peers.ranBy(asking);
    if (server == null) {
      this.segments = null;
      this.serving = null;
    } else {
      UcxSegments lending = new UcxSegments(vertx);
      this.segments = lending;
      this.serving = new UcxLoop(context, options.spin(), lending);
      lending.ranBy(serving);
      server.ucx(lending);
    }
  }

  /**
   * Starts the threads.
   *
   * @return fails when the library cannot make a worker
   */
  Future<Void> start() {
    List<Future<Void>> started = new ArrayList<>();
    for (UcxLoop loop : loops()) {
      threads.executeBlocking(
          () -> {
            loop.run();
            return null;
          },
          false);
      started.add(loop.started());
    }
    return Future.join(started).mapEmpty();
  }

  private List<UcxLoop> loops() {
    UcxLoop other = serving;
    return other == null ? List.of(asking) : List.of(other, asking);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Allocates memory that the library's shared-memory transports reach, too. Blocks. */
  Region allocate(long bytes) {
    return UcxRegion.allocate(context, bytes);
  }

  @Override
  public SegmentEndpoint register(Region region, UUID segmentId) {
    UcxSegments lending = Transports.requireServing(segments);
    DataServer owner = Transports.requireServing(server);
    if (region instanceof UcxRegion ours) {
      lending.lend(segmentId, region, ours.registered());
    } else {
      UcxMemory memory = register(region);
      try {
        lending.lend(segmentId, region, memory);
      } catch (RuntimeException e) {
        memory.close();
        throw e;
      }
    }
    return new SegmentEndpoint(NAME, owner.endpoint().encode());
  }

  private UcxMemory register(Region region) {
    try {
      return context.register(region.memory());
    } catch (UcxException e) {
      throw new IllegalStateException(
          "UCX cannot register the segment: "
              + e.getMessage()
              + "; raise the memory lock limit (ulimit -l), or leave ucx out of transports",
          e);
    }
  }

  @Override
  public void activate(UUID segmentId, long generation) {
    Transports.requireWorker();
    Transports.requireServing(segments).activate(segmentId, generation);
  }

  @Override
  public Future<Void> unregister(UUID segmentId) {
    UcxSegments lending = segments;
    if (lending == null) {
      return Future.succeededFuture();
    }
    Future<Void> withdrawn = lending.withdraw(segmentId);
    synchronized (withdrawals) {
      withdrawals.removeIf(Future::isComplete);
      withdrawals.add(withdrawn);
    }
    return withdrawn;
  }

  @Override
  public Future<Void> transfer(
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos) {
    ContextInternal caller = vertx.getOrCreateContext();
    LocalMemory.check(put, local);
    Promise<Void> promise = caller.promise();
    UcxWindow window = window(remote.segmentId(), remote.generation());
    if (window != null) {
      transfer(caller, put, local, window, remote.size(), remoteOffset, deadlineNanos, promise);
      return promise.future();
    }
    openInTime(caller, remote, deadlineNanos)
        .onComplete(
            opened -> {
              if (opened.failed()) {
                promise.fail(refusal(opened.cause()));
              } else {
                transfer(
                    caller,
                    put,
                    local,
                    opened.result(),
                    remote.size(),
                    remoteOffset,
                    deadlineNanos,
                    promise);
              }
            });
    return promise.future();
  }

  @Override
  public StoreException refusal(Throwable cause) {
    return cause instanceof StoreException known
        ? known
        : new StoreException(ErrorCode.TRANSFER_FAIL, String.valueOf(cause.getMessage()));
  }

  /**
   * Moves bytes from or to memory that has been checked, through an open window.
   *
   * @param segmentBytes what the caller believes the segment's size to be
   * @param done told on the event loop of the context, or before this returns
   */
  void transfer(
      ContextInternal caller,
      boolean put,
      MemorySegment local,
      UcxWindow window,
      long segmentBytes,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    if (!Lent.inRange(remoteOffset, local.byteSize(), Math.min(segmentBytes, window.bytes()))) {
      done.fail(Refusal.OUT_OF_RANGE.exception());
      return;
    }
    if (local.byteSize() == 0) {
      done.succeed();
      return;
    }
    EventLoop loop = caller.nettyEventLoop();
    UcxTransfer transfer =
        new UcxTransfer(put, local, window, remoteOffset, deadlineNanos, loop, done);
    asking.execute(() -> peers.submit(transfer), () -> transfer.fail(transportClosed()));
  }

  private static StoreException transportClosed() {
    return new StoreException(ErrorCode.TRANSFER_FAIL, "the transport is closed");
  }

  /** The open window of a segment; null when there is none. */
  @Nullable UcxWindow window(UUID segmentId, long generation) {
    Future<UcxWindow> opened = windows.get(new Key(segmentId, generation));
    if (opened == null || !opened.succeeded()) {
      return null;
    }
    UcxWindow window = opened.result();
    return window.usable() ? window : null;
  }

  @Override
  public Future<UcxWindow> open(ContextInternal caller, RemoteSegment remote) {
    Key key = new Key(remote.segmentId(), remote.generation());
    Promise<UcxWindow> promise = Promise.promise();
    Future<UcxWindow> present = windows.putIfAbsent(key, promise.future());
    while (present != null) {
      if (!present.succeeded() || present.result().usable()) {
        return present;
      }
      // It is closed, and its connection may not be yet.
      if (windows.replace(key, present, promise.future())) {
        break;
      }
      present = windows.putIfAbsent(key, promise.future());
    }
    start(caller.nettyEventLoop(), key, remote, promise);
    promise.future().onFailure(cause -> windows.remove(key, promise.future()));
    return promise.future();
  }

  private void start(EventLoop loop, Key key, RemoteSegment remote, Promise<UcxWindow> promise) {
    TcpEndpoint endpoint;
    try {
      endpoint = TcpEndpoint.decode(remote.endpoint());
    } catch (IllegalArgumentException e) {
      promise.fail(e);
      return;
    }
    if (closed) {
      promise.fail(transportClosed());
      return;
    }
    UcxHandshake handshake =
        new UcxHandshake(connector.scratch(loop), endpoint, key.segmentId, key.generation);
    handshake.send(connector, loop);
    handshake
        .ticket()
        .onFailure(promise::tryFail)
        .onSuccess(
            ticket ->
                asking.execute(
                    () -> peers.open(key.segmentId, ticket, handshake, loop, promise),
                    () -> {
                      handshake.close();
                      promise.tryFail(transportClosed());
                    }));
    promise.future().onSuccess(window -> watch(key, promise.future(), window, handshake));
  }

  /** Sees to it that the end of a window is noticed, whichever side it comes from. */
  private void watch(Key key, Future<UcxWindow> opened, UcxWindow window, UcxHandshake handshake) {
    handshake.revoked().onComplete(told -> asking.execute(() -> peers.revoked(window), () -> {}));
    handshake
        .closed()
        .onComplete(
            gone -> {
              windows.remove(key, opened);
              asking.execute(() -> peers.closed(window), () -> {});
            });
  }

  @Override
  public Future<Void> close() {
    closed = true;
    List<Future<Void>> pending;
    synchronized (withdrawals) {
      pending = List.copyOf(withdrawals);
    }
    Future<Void> asked = asking.stop();
    // Segments are withdrawn by the thread that serves them.
    return Future.join(pending)
        .transform(all -> asked)
        .transform(ended -> serving == null ? Future.<Void>succeededFuture() : serving.stop())
        .transform(ended -> threads.close())
        .onComplete(ended -> context.close());
  }
}
