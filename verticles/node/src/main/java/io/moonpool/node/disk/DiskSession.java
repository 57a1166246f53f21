package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.node.line.MasterLine;
import io.moonpool.node.line.TargetSegments;
import io.moonpool.protocol.call.AckTombstones;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DiskRecord;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.DropDiskObjects;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettlePromotions;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.protocol.call.SettledPromotion;
import io.moonpool.protocol.call.TakeDiskWork;
import io.moonpool.protocol.frame.FrameCaller;
import io.moonpool.storage.BucketStore;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does for the master from one mount of its disk to the next: reports what is there,
 * waits for work, writes objects, makes records dead, makes room. Belongs to an event loop; what
 * blocks runs on the disk's workers.
 */
final class DiskSession {
  private static final Logger LOG = LoggerFactory.getLogger(DiskSession.class);
  private static final long WAIT_MILLIS = 5_000;

  /** How long other work waits for promotions, so that the next ones are asked for with it. */
  private static final long PROMOTION_PATIENCE_MILLIS = 1_000;

  /** How long a disk takes no objects after there was no room. */
  private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final DiskMount mount;
  private final DiskConfig config;
  private final BucketStore store;
  private final DiskWorkers workers;
  private final DiskStats stats;
  private final MasterLine line;
  private final Tombstones tombstones;
  private final OffloadWriter writer;
  private final DiskEvictor evictor;
  private final Promoter promoter;
  private final Promise<Void> ended = Promise.promise();
  private boolean current = true;
  private long fullUntilNanos = System.nanoTime();

  DiskSession(
      Vertx vertx,
      FrameCaller master,
      DiskMount mount,
      DiskConfig config,
      BucketStore store,
      LentMemory memory,
      ValueFeed values,
      Transports transports,
      DiskWorkers workers,
      DiskStats stats) {
    this.mount = mount;
    this.config = config;
    this.store = store;
    this.workers = workers;
    this.stats = stats;
    this.line = new MasterLine(vertx, master, () -> current);
    this.tombstones = new Tombstones(store, workers, stats);
    this.writer = new OffloadWriter(store, memory);
    this.evictor = new DiskEvictor(mount, store, workers, line, stats);
    this.promoter =
        new Promoter(values, transports, new TargetSegments(master), this::settle, stats);
  }

  /** Whether it is about that mount of the disk. */
  boolean isOf(long generation) {
    return mount.generation() == generation;
  }

  /** Starts to report and to work. */
  void start() {
    Future<Void> report =
        new DiskReport(mount, store.scan(), workers, line, tombstones, stats).run();
    Promise<Void> work = Promise.promise();
    work(work);
    Future.join(report, work.future())
        .onComplete(
            done -> {
              if (done.failed() && !(done.cause() instanceof MasterLine.MountEnded)) {
                LOG.error("the disk's session failed; this is a bug", done.cause());
              }
              promoter.stop();
              promoter.idle().onComplete(ended);
            });
  }

  /** It will not be started: a later one has taken its place. */
  void neverStarted() {
    current = false;
    ended.complete();
  }

  /** Ends it; completes when nothing of it uses the store any more. */
  Future<Void> end() {
    current = false;
    return ended.future();
  }

  /** Takes work and does it, again and again until the mount ends. */
  private void work(Promise<Void> over) {
    take(WAIT_MILLIS)
        .compose(
            work ->
                bury(work.answer().dead())
                    .compose(
                        buried ->
                            work.answer().offloads().isEmpty() ? keepWatermarks() : collect(work)))
        .compose(done -> awaitPromotions())
        .onComplete(
            done -> {
              if (done.succeeded()) {
                work(over);
              } else {
                over.fail(done.cause());
              }
            });
  }

  /** Takes work; promotions are begun, the rest is for the caller. */
  private Future<MasterLine.Granted<DiskWork>> take(long waitMillis) {
    return line.granted(
            Calls.TAKE_DISK_WORK,
            () ->
                new TakeDiskWork(
                    mount.nodeId(),
                    mount.incarnation(),
                    mount.generation(),
                    store.usedBytes(),
                    accepting(),
                    config.bucketKeys(),
                    promoter.free(),
                    waitMillis),
            DiskWork::waitedMillis)
        .onSuccess(promoter::start);
  }

  private Future<Void> awaitPromotions() {
    Future<Void> idle = promoter.idle();
    return idle.isComplete()
        ? idle
        : Future.any(idle, line.pause(PROMOTION_PATIENCE_MILLIS)).mapEmpty();
  }

  private Future<Void> settle(SettledPromotion promotion) {
    return line.persistently(
            Calls.SETTLE_PROMOTIONS,
            new SettlePromotions(
                mount.nodeId(), mount.incarnation(), mount.generation(), List.of(promotion)))
        .mapEmpty();
  }

  private boolean accepting() {
    return store.writeState().writable() && System.nanoTime() - fullUntilNanos >= 0;
  }

  /** Waits a moment for more objects, so that buckets are not smaller than they need be. */
  private Future<Void> collect(MasterLine.Granted<DiskWork> first) {
    List<OffloadWriter.Held> tasks = new ArrayList<>();
    add(tasks, first);
    long lingerUntil =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.bucketLingerMillis());
    return collectMore(tasks, lingerUntil).compose(this::write);
  }

  private Future<List<OffloadWriter.Held>> collectMore(
      List<OffloadWriter.Held> tasks, long untilNanos) {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
    long bytes = bytes(tasks);
    if (leftMillis <= 0 || tasks.size() >= config.bucketKeys() || bytes >= config.bucketBytes()) {
      return Future.succeededFuture(tasks);
    }
    return take(leftMillis)
        .compose(
            work -> {
              add(tasks, work);
              return bury(work.answer().dead()).compose(buried -> collectMore(tasks, untilNanos));
            });
  }

  private static void add(List<OffloadWriter.Held> tasks, MasterLine.Granted<DiskWork> more) {
    for (OffloadTask task : more.answer().offloads()) {
      tasks.add(new OffloadWriter.Held(task, more.untilNanos(task.holdMillis())));
    }
  }

  private Future<Void> write(List<OffloadWriter.Held> tasks) {
    return workers
        .run(() -> writer.write(tasks))
        .recover(
            busy ->
                Future.succeededFuture(
                    new OffloadWriter.Progress(failed(tasks), new long[0], List.of())))
        .compose(
            progress ->
                tombstones
                    .lay(progress.unreliable(), line)
                    .compose(laid -> settle(progress.settled()))
                    .compose(
                        settled ->
                            progress.waiting().isEmpty()
                                ? keepWatermarks()
                                : makeRoom(progress.waiting())));
  }

  private static long bytes(List<OffloadWriter.Held> tasks) {
    return tasks.stream().mapToLong(held -> held.task().object().size()).sum();
  }

  private static List<SettledOffload> failed(List<OffloadWriter.Held> tasks) {
    return tasks.stream().map(held -> held.settled(false)).toList();
  }

  private Future<Void> makeRoom(List<OffloadWriter.Held> waiting) {
    return evictor
        .makeRoom(Math.min(bytes(waiting), config.bucketBytes()))
        .recover(busy -> Future.succeededFuture(false))
        .compose(
            room -> {
              if (room) {
                return write(waiting);
              }
              fullUntilNanos = System.nanoTime() + FULL_NANOS;
              LOG.warn(
                  "the disk is full and nothing on it can go: {} objects stay in memory only",
                  waiting.size());
              return settle(failed(waiting));
            });
  }

  private Future<Void> keepWatermarks() {
    return workers
        .run(() -> store.bytesToFree(0))
        .compose(excess -> excess > 0 ? evictor.makeRoom(0) : Future.succeededFuture(false))
        .recover(busy -> Future.succeededFuture(false))
        .mapEmpty();
  }

  private Future<Void> settle(List<SettledOffload> settled) {
    if (settled.isEmpty()) {
      return Future.succeededFuture();
    }
    return line.persistently(
            Calls.SETTLE_OFFLOADS,
            new SettleOffloads(mount.nodeId(), mount.incarnation(), mount.generation(), settled))
        .compose(outcomes -> follow(settled, outcomes));
  }

  private Future<Void> follow(List<SettledOffload> settled, List<Outcome<Void>> outcomes) {
    List<Long> dead = new ArrayList<>();
    for (int i = 0; i < settled.size(); i++) {
      SettledOffload offload = settled.get(i);
      if (!offload.stored()) {
        stats.offloadFailures.increment();
        continue;
      }
      ErrorCode code = i < outcomes.size() ? outcomes.get(i).code() : ErrorCode.OK;
      switch (code) {
        case OK -> {
          stats.offloaded.increment();
          stats.offloadedBytes.add(Math.max(0, store.length(offload.version())));
        }
        case INVALID_VERSION, OBJECT_NOT_FOUND, UNABLE_OFFLOADING -> dead.add(offload.version());
        default -> LOG.warn("the master does not take over {}: {}", offload.version(), code);
      }
    }
    return tombstones.lay(dead.stream().mapToLong(Long::longValue).toArray(), line);
  }

  /** Makes records dead, and tells the master when they are. */
  private Future<Void> bury(List<DiskRecord> dead) {
    if (dead.isEmpty()) {
      return Future.succeededFuture();
    }
    return tombstones
        .lay(dead.stream().mapToLong(DiskRecord::version).toArray(), line)
        .compose(
            laid ->
                line.persistently(
                    Calls.ACK_TOMBSTONES,
                    new AckTombstones(
                        mount.nodeId(), mount.incarnation(), mount.generation(), dead)));
  }

  /** An object on the disk is damaged: the master forgets it, then the disk does. */
  Future<Void> damaged(DiskRecord record) {
    return line.persistently(
            Calls.DROP_DISK_OBJECTS,
            new DropDiskObjects(
                mount.nodeId(), mount.incarnation(), mount.generation(), List.of(record)))
        .compose(dropped -> tombstones.lay(new long[] {record.version()}, line));
  }
}
