package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.node.line.ListenFailure;
import io.moonpool.protocol.call.DiskRecord;
import io.moonpool.protocol.call.NodeCalls;
import io.moonpool.protocol.call.StageEndpoint;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.protocol.frame.FrameDispatcher;
import io.moonpool.protocol.frame.FrameLimits;
import io.moonpool.protocol.frame.FrameServer;
import io.moonpool.storage.BucketStore;
import io.moonpool.storage.DamageListener;
import io.moonpool.storage.StoreStats;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.NetServerOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's disk tier: owns the directory, serves what is in it, and does what the master asks for
 * while the disk is mounted. What blocks runs on the workers {@code moonpool-disk}.
 */
public final class LocalDiskVerticle extends VerticleBase implements LocalDisk, DiskValues {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDiskVerticle.class);
  private static final long TICK_MILLIS = 100;
  private static final int TICKS_A_LOOK = 10;

  /** The offload calls may carry thousands of objects; the master's own limit is what counts. */
  private static final long CALL_TIMEOUT_MILLIS = 30_000;

  private final Settings settings;
  private final Transports transports;
  private final LentMemory memory;
  private final DiskStats stats = new DiskStats();

  // Written once while it starts; asked for by others meanwhile.
  private volatile @Nullable DiskWorkers workers;
  private volatile @Nullable DiskStorage storage;
  private volatile @Nullable DiskCollector collector;

  private @Nullable StagingArea area;
  private @Nullable Staging staging;
  private @Nullable ValueFeed feed;
  private @Nullable FrameServer server;
  private @Nullable FrameClient master;
  private @Nullable DiskSession session;
  private int ticks;
  private boolean looking;
  private boolean closing;

  // Written before the deployment completes, read by anyone after it.
  private volatile @Nullable SegmentSpec spec;

  /** What the master is being told of. */
  private final Set<Long> damagedVersions = new HashSet<>();

  /**
   * What it must know.
   *
   * @param host that the frame server listens on
   * @param advertisedHost under which peers reach it
   * @param serverOptions TLS, otherwise empty
   * @param connections how many the frame server may have
   * @param masterPort how the master's main port is reached
   */
  public record Settings(
      DiskConfig disk,
      UUID nodeId,
      String name,
      String hostId,
      String host,
      String advertisedHost,
      NetServerOptions serverOptions,
      ConnectionLimit connections,
      FrameClientOptions masterPort) {}

  /**
   * A verticle.
   *
   * @param transports lend the staging memory
   * @param memory where objects are offloaded from
   */
  public LocalDiskVerticle(Settings settings, Transports transports, LentMemory memory) {
    this.settings = settings;
    this.transports = transports;
    this.memory = memory;
  }

  @Override
  public Future<?> start() {
    DiskConfig config = settings.disk();
    DiskWorkers threads = new DiskWorkers(vertx, config.threads(), config.queueLimit());
    workers = threads;
    DamageListener damages = damage -> context.runOnContext(now -> damaged(damage.version()));
    master =
        FrameClient.create(vertx, settings.masterPort().withCallTimeoutMillis(CALL_TIMEOUT_MILLIS));
    return threads
        .run(() -> DiskStorage.open(config, damages))
        .compose(
            opened -> {
              storage = opened;
              collector = new DiskCollector(opened.store(), threads, config.bucketBytes());
              return threads.run(
                  () ->
                      StagingArea.open(
                          transports,
                          settings.nodeId(),
                          settings.name() + "-staging",
                          settings.hostId(),
                          config.stagingBytes()));
            })
        .compose(
            opened -> {
              area = opened;
              return serve(config, threads, opened);
            })
        .compose(
            listening ->
                threads
                    .run(() -> requireStorage().store().stats())
                    .map(now -> announce(listening, now)))
        .recover(failure -> stop().transform(stopped -> Future.failedFuture(failure)));
  }

  private Future<FrameServer> serve(DiskConfig config, DiskWorkers threads, StagingArea opened) {
    Staging calls =
        new Staging(
            new StagingMemory(opened.region().memory()),
            opened.info(),
            requireStorage(),
            threads,
            config.stagingLeaseMillis(),
            config.queueLimit(),
            System::nanoTime);
    staging = calls;
    feed = new ValueFeed(calls, requireStorage(), threads);
    FrameDispatcher dispatcher =
        FrameDispatcher.builder()
            .on(NodeCalls.STAGE, calls::stage)
            .on(NodeCalls.RELEASE, calls::release)
            .build();
    return FrameServer.listen(
            vertx,
            new NetServerOptions(settings.serverOptions())
                .setHost(settings.host())
                .setPort(config.port()),
            dispatcher,
            FrameLimits.DEFAULT,
            settings.connections())
        .recover(
            failure ->
                Future.failedFuture(
                    ListenFailure.explained(
                        failure,
                        "reads of the disk",
                        settings.host(),
                        settings.disk().port(),
                        "disk_port")));
  }

  private StoreStats announce(FrameServer listening, StoreStats now) {
    server = listening;
    stats.store(now);
    spec =
        new SegmentSpec(
            requireStorage().directory().id(),
            segmentName(),
            now.quotaBytes(),
            settings.hostId(),
            List.of(new StageEndpoint(settings.advertisedHost(), listening.port()).toEndpoint()),
            SegmentKind.LOCAL_DISK);
    vertx.setPeriodic(TICK_MILLIS, tick -> tick());
    return now;
  }

  private DiskStorage requireStorage() {
    DiskStorage opened = storage;
    if (opened == null) {
      throw new IllegalStateException("not started");
    }
    return opened;
  }

  /** The disk as it is to be mounted, once this is deployed. Any thread. */
  public SegmentSpec spec() {
    SegmentSpec announced = spec;
    if (announced == null) {
      throw new IllegalStateException("not started");
    }
    return announced;
  }

  /** What it counts. Any thread. */
  public DiskStats stats() {
    return stats;
  }

  @Override
  public Future<DiskStatus> status() {
    DiskStorage opened = storage;
    DiskWorkers threads = workers;
    DiskCollector present = collector;
    if (opened == null || threads == null || present == null) {
      return notOpen();
    }
    return threads.run(
        () ->
            new DiskStatus(
                opened.directory().id(),
                segmentName(),
                opened.directory().path().toString(),
                opened.store().writeState(),
                opened.store().stats(),
                present.present()));
  }

  @Override
  public Future<DiskCollection> collect(double deadRatio) {
    DiskCollector present = collector;
    return present == null ? notOpen() : present.start(deadRatio);
  }

  @Override
  public Future<Void> read(
      long generation, long version, long size, long giveUpNanos, PieceSink sink) {
    Promise<Void> promise = ((ContextInternal) vertx.getOrCreateContext()).promise();
    context.runOnContext(
        now -> {
          ValueFeed values = feed;
          DiskSession mounted = session;
          Future<Void> read =
              values == null || mounted == null || !mounted.isOf(generation) || closing
                  ? Future.failedFuture(
                      new StoreException(
                          ErrorCode.REPLICA_IS_GONE, "the disk is not mounted as it was then"))
                  : values.read(version, size, giveUpNanos, sink);
          read.onComplete(promise);
        });
    return promise.future();
  }

  private static <T> Future<T> notOpen() {
    return Future.failedFuture(
        new StoreException(
            ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "the disk is not open yet: try again"));
  }

  private String segmentName() {
    return settings.name() + "-disk";
  }

  /** The master has mounted the disk, again perhaps. Any thread. */
  public void mounted(DiskMount mount) {
    context.runOnContext(
        now -> {
          if (closing) {
            return;
          }
          DiskSession before = session;
          Future<Void> over = before == null ? Future.succeededFuture() : before.end();
          DiskSession next =
              new DiskSession(
                  vertx,
                  Objects.requireNonNull(master),
                  mount,
                  settings.disk(),
                  requireStorage().store(),
                  memory,
                  Objects.requireNonNull(feed),
                  transports,
                  Objects.requireNonNull(workers),
                  stats);
          session = next;
          over.onComplete(
              ended -> {
                if (next.equals(session) && !closing) {
                  next.start();
                } else {
                  next.neverStarted();
                }
              });
        });
  }

  /**
   * The store has proof that an object cannot be read as it was written. While the disk is not
   * mounted nobody is told; whoever reads the object finds it again.
   */
  private void damaged(long version) {
    DiskSession present = session;
    if (present == null || !damagedVersions.add(version)) {
      return;
    }
    BucketStore store = requireStorage().store();
    Objects.requireNonNull(workers)
        .run(() -> store.record(version))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture()
                    : present.damaged(
                        new DiskRecord(found.get().tenant(), found.get().key(), version)))
        .onComplete(told -> damagedVersions.remove(version));
  }

  private void tick() {
    Staging calls = staging;
    if (calls != null) {
      calls.tick();
    }
    if (++ticks % TICKS_A_LOOK == 0 && !looking && !closing) {
      looking = true;
      Objects.requireNonNull(workers)
          .run(this::look)
          .onComplete(
              looked -> {
                looking = false;
                if (looked.succeeded()) {
                  stats.store(looked.result());
                }
              });
    }
  }

  /** Looks at the disk, and whether one that could not be written can be again. Blocks. */
  private StoreStats look() {
    BucketStore store = requireStorage().store();
    if (!store.writeState().writable() && store.probe().ok()) {
      LOG.info("the disk can be written again");
    }
    return store.stats();
  }

  @Override
  public Future<?> stop() {
    closing = true;
    DiskCollector collecting = collector;
    if (collecting != null) {
      collecting.stop();
    }
    DiskSession present = session;
    FrameServer listening = server;
    FrameClient line = master;
    StagingArea opened = area;
    DiskWorkers threads = workers;
    // The line first: a call that waits for work ends with it.
    Future<Void> over = present == null ? Future.succeededFuture() : present.end();
    return (listening == null ? Future.<Void>succeededFuture() : listening.close())
        .eventually(() -> line == null ? Future.succeededFuture() : line.close())
        .eventually(() -> over)
        .eventually(() -> opened == null ? Future.succeededFuture() : opened.withdraw())
        .eventually(() -> threads == null ? Future.succeededFuture() : close(threads))
        .eventually(() -> threads == null ? Future.succeededFuture() : threads.close());
  }

  private Future<Boolean> close(DiskWorkers threads) {
    return threads.run(
        () -> {
          DiskStorage open = storage;
          if (open != null) {
            open.close();
          }
          StagingArea lent = area;
          if (lent != null) {
            lent.region().close();
          }
          return true;
        });
  }
}
