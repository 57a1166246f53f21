package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ClientProtocol;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which replicas on the sources of a drain can be moved now, and what stands against others. */
final class LaneRules {
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final Set<SegmentMount> sources;

  LaneRules(IndexCore core, List<SegmentMount> sources) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    this.sources = new HashSet<>(sources);
  }

  boolean isSource(int slot, long generation) {
    return sources.contains(new SegmentMount(slot, generation));
  }

  /** Why nothing on a source can be moved; null when it can. */
  @Nullable WaitReason pause(int slot, long generation, boolean disk) {
    if (!core.segments.isServed(slot, generation)) {
      return WaitReason.CLIENT_SUSPECTED;
    }
    if (disk && !core.floors.isScanned(slot, generation)) {
      return WaitReason.DISK_SCANNED;
    }
    return disk && core.floors.refused() ? WaitReason.JOURNAL_FAILED : null;
  }

  /**
   * Whether a replica is on a disk, or takes one on its node's disk along, or waits for one: then
   * floors are needed, and the object is to have a disk replica at its new home.
   */
  boolean isDurable(int replica) {
    int row = replicas.object(replica);
    return replicas.type(replica) == IndexCore.LOCAL_DISK
        || objects.has(row, ObjectRows.KEPT)
        || core.transfers.diskCompanion(row, replica) != 0;
  }

  /** The row whose changes a replica has to do with: that of its object. */
  int object(int replica) {
    int row = replicas.object(replica);
    return objects.has(row, ObjectRows.SHADOW) ? objects.keyAddress(row) : row;
  }

  /** What stands against moving a replica, until its object changes; null when nothing does. */
  @Nullable WaitReason busy(int replica) {
    int row = replicas.object(replica);
    if (!objects.has(row, ObjectRows.COMPLETE) || objects.has(row, ObjectRows.UPSERTING)) {
      return WaitReason.WRITE_IN_PROGRESS;
    }
    if (goesWithMemory(row, replica)) {
      return WaitReason.MEMORY_FIRST;
    }
    if (objects.has(row, ObjectRows.REPLICATING)) {
      return WaitReason.COPY_OR_MOVE_IN_PROGRESS;
    }
    return replicas.status(replica) == IndexCore.COMPLETE ? null : WaitReason.REPLICA_BUSY;
  }

  /**
   * Whether a replica is on the disk of a client of Mooncake. Such a client moves memory only.
   *
   * @param replica of a unit that nothing stands against
   */
  boolean ownerCannotMove(int replica) {
    return replicas.type(replica) == IndexCore.LOCAL_DISK
        && core.segments.reach(replicas.slot(replica)).owner() == ClientProtocol.MOONCAKE;
  }

  /** Whether an object has a complete replica in memory that is not drained. */
  boolean staysInMemory(int row) {
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      int slot = replicas.slot(r);
      if (replicas.type(r) == IndexCore.MEMORY
          && replicas.status(r) == IndexCore.COMPLETE
          && !isSource(slot, core.slots.generation(slot))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a replica is on a disk, and has a sibling in its node's memory that is moved. */
  boolean goesWithMemory(int row, int replica) {
    if (replicas.type(replica) != IndexCore.LOCAL_DISK) {
      return false;
    }
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      int slot = replicas.slot(r);
      if (replicas.type(r) == IndexCore.MEMORY
          && core.segments.diskSlotOf(slot) == replicas.slot(replica)
          && isSource(slot, core.slots.generation(slot))) {
        return true;
      }
    }
    return false;
  }
}
