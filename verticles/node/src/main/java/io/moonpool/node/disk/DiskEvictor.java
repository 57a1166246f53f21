package io.moonpool.node.disk;

import io.moonpool.model.Outcome;
import io.moonpool.node.line.MasterLine;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DiskRecord;
import io.moonpool.protocol.call.DropDiskObjects;
import io.moonpool.storage.BucketStore;
import io.moonpool.storage.ObjectRecord;
import io.moonpool.storage.StoreResult;
import io.moonpool.storage.Victim;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room on the disk. A bucket goes in this order: its going is made durable, so that a crash
 * cannot bring it back; the master is told; when it agrees the files are deleted, otherwise the
 * bucket is kept. Belongs to an event loop.
 */
final class DiskEvictor {
  private static final Logger LOG = LoggerFactory.getLogger(DiskEvictor.class);
  private static final long READER_WAIT_MILLIS = 10_000;

  private final DiskMount mount;
  private final BucketStore store;
  private final DiskWorkers workers;
  private final MasterLine line;
  private final DiskStats stats;

  DiskEvictor(
      DiskMount mount, BucketStore store, DiskWorkers workers, MasterLine line, DiskStats stats) {
    this.mount = mount;
    this.store = store;
    this.workers = workers;
    this.line = line;
    this.stats = stats;
  }

  /**
   * Evicts until so many bytes fit below the high watermark.
   *
   * @param bytes about to be stored; 0 to keep the watermarks
   * @return whether anything was evicted
   */
  Future<Boolean> makeRoom(long bytes) {
    return workers
        .run(() -> store.chooseVictims(bytes))
        .compose(victims -> evict(new ArrayDeque<>(victims), false));
  }

  private Future<Boolean> evict(Queue<Victim> victims, boolean any) {
    Victim victim = victims.poll();
    if (victim == null) {
      return Future.succeededFuture(any);
    }
    return evict(victim).compose(evicted -> evict(victims, any || evicted));
  }

  private Future<Boolean> evict(Victim victim) {
    return workers
        .run(() -> store.beginEviction(victim.bucketId()))
        .compose(
            begun ->
                begun.ok()
                    ? tell(victim).compose(agreed -> end(victim, agreed))
                    : refused(victim, begun));
  }

  private Future<Boolean> refused(Victim victim, StoreResult result) {
    LOG.warn("bucket {} cannot be evicted: {}", victim.bucketId(), result.detail());
    stats.evictionsRefused.increment();
    return Future.succeededFuture(false);
  }

  /** Whether the master has forgotten all that is in the bucket. */
  private Future<Boolean> tell(Victim victim) {
    List<DiskRecord> records = victim.live().stream().map(DiskEvictor::record).toList();
    if (records.isEmpty()) {
      return Future.succeededFuture(true);
    }
    return line.once(
            Calls.DROP_DISK_OBJECTS,
            new DropDiskObjects(mount.nodeId(), mount.incarnation(), mount.generation(), records))
        .transform(
            answer ->
                Future.succeededFuture(
                    answer.succeeded() && answer.result().stream().allMatch(Outcome::ok)));
  }

  static DiskRecord record(ObjectRecord object) {
    return new DiskRecord(object.tenant(), object.key(), object.version());
  }

  private Future<Boolean> end(Victim victim, boolean agreed) {
    if (agreed) {
      return workers
          .run(() -> store.finishEviction(victim.bucketId(), READER_WAIT_MILLIS))
          .map(
              finished -> {
                if (finished.ok()) {
                  stats.evicted.add(victim.live().size());
                } else {
                  LOG.warn("bucket {} is evicted later: {}", victim.bucketId(), finished.detail());
                }
                return finished.ok();
              });
    }
    stats.evictionsRefused.increment();
    return workers
        .run(() -> store.cancelEviction(victim.bucketId()))
        .map(
            kept -> {
              LOG.warn(
                  "bucket {} is kept, since the master did not take note of its eviction",
                  victim.bucketId());
              return false;
            });
  }
}
