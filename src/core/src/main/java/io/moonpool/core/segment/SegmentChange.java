package io.moonpool.core.segment;

import io.moonpool.model.Reach;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;

/**
 * One change to one segment, on its way from the segment owner to a metadata loop.
 *
 * <p>The owner sends every change to every metadata loop, in the order in which it made them; each
 * loop applies them to its {@link SegmentTable} and does what follows from them (sweep a segment
 * that became UNMOUNTING). Immutable: any thread may read it.
 */
public sealed interface SegmentChange {
  /** The place of the segment in the tables; small, dense, used again after {@link Unmounted}. */
  int slot();

  /** The mount that changed; unique over all mounts and all starts of the master. */
  long generation();

  /**
   * A segment takes an empty slot.
   *
   * @param status its first status, normally {@link SegmentStatus#OK}
   * @param serving whether its owner is ACTIVE
   * @param node the owner's small number: segments of one node have the same, and nodes that are
   *     mounted at the same time have different ones; {@link SegmentTable#NO_NODE} when it does not
   *     matter
   * @param disk the journal's number of a LOCAL_DISK segment, at least 1; 0 for memory
   * @param reach which clients can write and read it
   */
  record Mounted(
      int slot,
      long generation,
      SegmentKind kind,
      SegmentStatus status,
      boolean serving,
      int node,
      int disk,
      Reach reach)
      implements SegmentChange {

    /** A segment of a node of Moonpool. */
    public Mounted(
        int slot,
        long generation,
        SegmentKind kind,
        SegmentStatus status,
        boolean serving,
        int node,
        int disk) {
      this(slot, generation, kind, status, serving, node, disk, Reach.MOONPOOL);
    }

    /** A segment whose owner has no disk, or whose disk does not matter. */
    public Mounted(
        int slot, long generation, SegmentKind kind, SegmentStatus status, boolean serving) {
      this(slot, generation, kind, status, serving, SegmentTable.NO_NODE, 0);
    }
  }

  /** A disk takes offloads from now on, or takes none for a while: it is full, or failed. */
  record OffloadChanged(int slot, long generation, boolean accepting) implements SegmentChange {}

  /** A segment goes on in its life. UNMOUNTING asks the loop to remove all replicas on it. */
  record StatusChanged(int slot, long generation, SegmentStatus status) implements SegmentChange {}

  /** The owner became ACTIVE, or stopped to be. */
  record ServingChanged(int slot, long generation, boolean serving) implements SegmentChange {}

  /** All loops have swept the segment: its slot is empty again. */
  record Unmounted(int slot, long generation) implements SegmentChange {}
}
