package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many replicas on the disks of a lane go with one in the memory of their node: both are one
 * unit. They are counted by a walk over those disks, in steps, when the lane is opened, and kept
 * from then on as replicas go. So it is exact, and nothing is kept for segments that no job drains.
 */
final class LanePairs {
  /** So often the walk begins anew because replicas came or went while it was under way. */
  private static final int MAX_WALKS = 3;

  private final IndexCore core;
  private final ReplicaRows replicas;
  private final LaneRules rules;
  private final List<SegmentMount> disks = new ArrayList<>();
  private final Int2LongOpenHashMap bySlot = new Int2LongOpenHashMap();
  private Slots.@Nullable Walk walk;
  private int next;
  private int walks = 1;
  private boolean disturbed;
  private boolean counted;

  LanePairs(IndexCore core, LaneRules rules) {
    this.core = core;
    this.rules = rules;
    replicas = core.replicas;
  }

  /** A disk that belongs to the lane; before anything is counted. */
  void add(SegmentMount disk) {
    disks.add(disk);
    bySlot.put(disk.slot(), 0);
  }

  /**
   * A step of the count.
   *
   * @param mayContinue asked before each replica
   * @return true when it has ended
   */
  boolean count(BooleanSupplier mayContinue) {
    while (!counted) {
      if (next == disks.size()) {
        counted = !disturbed || walks == MAX_WALKS;
        if (!counted) {
          walks++;
          begin();
        }
      } else if (!countDisk(disks.get(next), mayContinue)) {
        return false;
      }
    }
    return true;
  }

  private void begin() {
    disturbed = false;
    next = 0;
    bySlot.keySet().forEach(slot -> bySlot.put(slot, 0L));
  }

  private boolean countDisk(SegmentMount disk, BooleanSupplier mayContinue) {
    Slots.Walk going = walk;
    if (going == null) {
      going = core.slots.walk(disk.slot(), disk.generation());
      walk = going;
    }
    boolean ended =
        going.step(
            mayContinue,
            replica -> {
              if (rules.goesWithMemory(replicas.object(replica), replica)) {
                bySlot.addTo(disk.slot(), 1);
              }
            });
    if (ended) {
      close();
      next++;
    }
    return ended;
  }

  /** Ends a walk that is under way. */
  void close() {
    Slots.Walk going = walk;
    if (going != null) {
      going.end();
      walk = null;
    }
  }

  /** A replica has come to a source. */
  void added(int replica) {
    disturbed = true;
    if (counted && rules.goesWithMemory(replicas.object(replica), replica)) {
      bySlot.addTo(replicas.slot(replica), 1);
    }
  }

  /** A replica goes from a source; it is not in the list of its object any more. */
  void dropped(int replica) {
    disturbed = true;
    if (!counted) {
      return;
    }
    int row = replicas.object(replica);
    if (replicas.type(replica) == IndexCore.LOCAL_DISK) {
      if (rules.goesWithMemory(row, replica)) {
        bySlot.addTo(replicas.slot(replica), -1);
      }
      return;
    }
    int disk = core.segments.diskSlotOf(replicas.slot(replica));
    int companion = bySlot.containsKey(disk) ? core.replicaIn(row, disk) : 0;
    if (companion != 0 && !rules.goesWithMemory(row, companion)) {
      bySlot.addTo(disk, -1);
    }
  }

  /** How many there are on a disk; 0 for other segments, and as far as they are counted. */
  long on(int slot) {
    return bySlot.getOrDefault(slot, 0);
  }
}
