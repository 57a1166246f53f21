package io.moonpool.core.index;

import org.jspecify.annotations.Nullable;

/**
 * Offloads that a disk could not take or not store: remembered with the disk, and queued again when
 * it takes objects and their time has come. The node's next call for work finds them, so no timer
 * is needed: it calls every few seconds at least.
 */
final class OffloadRetries {
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final OffloadPolicy policy;

  OffloadRetries(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    policy = core.config.offload();
  }

  private DiskFloors.@Nullable Disk diskOf(int replica) {
    int slot = core.segments.diskSlotOf(replicas.slot(replica));
    return slot < 0 || replicas.type(replica) != IndexCore.MEMORY
        ? null
        : core.floors.at(slot, core.segments.generation(slot));
  }

  /** Remembers an object that no disk could take, if a node that has it in memory has a disk. */
  void refused(int row) {
    refused(row, 0);
  }

  private void refused(int row, int failures) {
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      DiskFloors.Disk disk = diskOf(r);
      if (disk != null) {
        remember(disk, row, failures);
        return;
      }
    }
  }

  /**
   * A disk could not store an object. Where eviction queues objects, it queues this one again, if
   * it is wanted.
   *
   * @param failures how often that has happened
   */
  void failed(DiskFloors.Disk disk, int row, int failures) {
    if (!policy.onEvict() || objects.has(row, ObjectRows.KEPT)) {
      remember(disk, row, failures);
    }
  }

  private void remember(DiskFloors.Disk disk, int row, int failures) {
    if (!objects.has(row, ObjectRows.OFFLOADING) && !core.rehoming.isOnStayingDisk(row)) {
      core.stats.offloadsToRetry -= disk.retries.size();
      disk.retries.add(row, objects.version(row), failures, policy.queueLimit(), core.now());
      core.stats.offloadsToRetry += disk.retries.size();
    }
  }

  /** Queues those of a disk whose time has come; looks at so many at most. */
  void queue(DiskFloors.Disk disk, int max) {
    for (int looks = 0;
        looks < max
            && disk.pending < policy.queueLimit()
            && core.segments.takesOffloads(disk.slot, disk.generation);
        looks++) {
      core.stats.offloadsToRetry -= disk.retries.size();
      RetryQueue.Retry due = disk.retries.take(core.now());
      core.stats.offloadsToRetry += disk.retries.size();
      if (due == null) {
        return;
      }
      queue(due);
    }
  }

  private void queue(RetryQueue.Retry due) {
    int row = due.row();
    if (objects.version(row) != due.version()
        || !objects.has(row, ObjectRows.COMPLETE)
        || objects.has(row, ObjectRows.OFFLOADING)
        || core.rehoming.isOnStayingDisk(row)) {
      return; // it is gone, or on its way, or there
    }
    if (core.offloads.offer(row, due.failures())) {
      core.stats.offloadsRetried++;
    } else {
      refused(row, Math.max(1, due.failures()));
    }
  }

  /** Forgets what waits for a disk that goes, and its memory with it. */
  void gone(DiskFloors.Disk disk) {
    core.stats.offloadsToRetry -= disk.retries.size();
    disk.retries.clear();
  }

  /** Whether the disk of a replica's node takes objects, and has stored the last one. */
  boolean isWell(int replica) {
    DiskFloors.Disk disk = diskOf(replica);
    return disk != null && !disk.failing && core.segments.takesOffloads(disk.slot, disk.generation);
  }
}
