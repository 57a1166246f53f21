package io.moonpool.core.index;

/**
 * New disks for objects that were on one that is drained. Where they are in memory now they are
 * offloaded, whatever the policy says of others; until they are on a disk again they are not
 * evicted, and stay on the disk that they leave.
 *
 * <p>Objects that their disk cannot take just now wait in a queue of the disk.
 */
final class Rehoming {
  /** Where an object is, apart from a disk that it leaves and the memory that goes with that. */
  enum Home {
    /** On a disk that stays. */
    ON_DISK,
    /** In memory of a node that has a disk, which does not have it yet. */
    IN_MEMORY,
    /** In memory of nodes without another disk: there is none to wait for. */
    WITHOUT_DISK,
    /** Nowhere. */
    NOWHERE
  }

  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final OffloadPolicy policy;

  Rehoming(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    policy = core.config.offload();
  }

  /**
   * A drain has moved an object to memory elsewhere.
   *
   * @param durable it was on the disk that is drained; otherwise it may have been on its way there
   */
  void moved(int row, boolean durable) {
    if (durable || objects.has(row, ObjectRows.KEPT)) {
      rehome(row);
    } else if (!isOnStayingDisk(row)) {
      core.offloads.written(row);
    }
  }

  /**
   * An object leaves a disk that is drained. Where no node that has the object in memory has a
   * disk, it is as any other from now on.
   */
  void rehome(int row) {
    if (!policy.enabled() || isOnStayingDisk(row)) {
      return;
    }
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      if (replicas.type(r) == IndexCore.MEMORY
          && replicas.status(r) == IndexCore.COMPLETE
          && hasStayingDisk(replicas.slot(r))) {
        objects.set(row, ObjectRows.KEPT);
        if (!objects.has(row, ObjectRows.OFFLOADING) && !core.offloads.enqueue(row, r, false)) {
          keep(row, replicas.slot(r));
        }
        return;
      }
    }
  }

  /**
   * Where an object is that leaves a disk.
   *
   * @param sources of the drain: what is in their memory does not count
   */
  Home home(int row, LaneRules sources) {
    Home home = Home.NOWHERE;
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      int slot = replicas.slot(r);
      long generation = core.slots.generation(slot);
      if (replicas.type(r) == IndexCore.LOCAL_DISK) {
        if (core.segments.takesReplicas(slot, generation)) {
          return Home.ON_DISK;
        }
      } else if (replicas.status(r) == IndexCore.COMPLETE
          && core.segments.isLive(slot, generation)
          && !sources.isSource(slot, generation)) {
        // A disk that another job drains is as good: that takes the object to another one.
        int at = core.segments.diskSlotOf(slot);
        boolean disk =
            policy.enabled() && at >= 0 && !sources.isSource(at, core.segments.generation(at));
        home = disk || home == Home.IN_MEMORY ? Home.IN_MEMORY : Home.WITHOUT_DISK;
      }
    }
    return home;
  }

  /** Whether an object is on a disk that is not drained. */
  boolean isOnStayingDisk(int row) {
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      int slot = replicas.slot(r);
      if (replicas.type(r) == IndexCore.LOCAL_DISK
          && core.segments.takesReplicas(slot, core.slots.generation(slot))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the node of a memory segment has a disk that may take replicas. */
  boolean hasStayingDisk(int slot) {
    int disk = core.segments.diskSlotOf(slot);
    return disk >= 0 && core.segments.takesReplicas(disk, core.segments.generation(disk));
  }

  /** An object is offloaded to the disk of that memory's node when the disk takes it. */
  private void keep(int row, int slot) {
    int at = core.segments.diskSlotOf(slot);
    DiskFloors.Disk disk = core.floors.at(at, core.segments.generation(at));
    if (disk != null) {
      disk.kept.put(row, objects.version(row));
    }
  }

  /** Queues objects for offload that a disk could not take when they came. */
  void enqueueKept(DiskFloors.Disk disk) {
    for (long left = disk.kept.size();
        left > 0
            && disk.pending < policy.queueLimit()
            && core.segments.takesOffloads(disk.slot, disk.generation);
        left--) {
      int row = disk.kept.firstIntKey();
      long version = disk.kept.removeFirstLong();
      if (objects.has(row, ObjectRows.KEPT) && objects.version(row) == version) {
        rehome(row);
      }
    }
  }
}
