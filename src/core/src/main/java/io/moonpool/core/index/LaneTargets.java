package io.moonpool.core.index;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.allocation.Placement;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.SegmentKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The segments that the units of a lane may go to, and the choice among them: memory that takes new
 * objects, is not a source of the job, and has no replica of the object.
 *
 * <p>Better than others is a segment whose node has a disk, for an object that was on one; and a
 * segment whose node has no replica of the object. Among equally good ones the emptier of two that
 * are picked at random is tried first, then all others from a random one on. The list is made anew
 * when the segments change, so a choice costs a few memory reads while there is room.
 */
final class LaneTargets {
  enum Choice {
    /** Space is reserved. */
    RESERVED,
    /** Nobody has room, and eviction could make some. */
    FULL,
    /** None of the targets that are named has room, and eviction there could make some. */
    NAMED_FULL,
    /** Nobody has room. What is moved must not push others out, or eviction is not sure to help. */
    AT_WATERMARK,
    /** There is no segment that could take it. */
    NO_SEGMENT,
    /** Somebody may have room, but others are using it just now. */
    BUSY,
    /** Every segment that could take it has a complete replica. */
    ALL_HAVE_IT,
    /** Every segment that could take it has a replica, and none is complete. */
    ALL_GET_IT
  }

  private static final int WORST_RANK = 3;

  private final IndexCore core;
  private final SegmentTable segments;
  private final ReplicaRows replicas;
  private final Set<SegmentMount> sources;
  private final Set<SegmentMount> allowed;
  private long seenRevision = -1;
  private int[] slots = {};
  private boolean[] withDisk = {};

  /** The object that space is looked for. */
  private int row;

  LaneTargets(IndexCore core, List<SegmentMount> sources, List<SegmentMount> allowed) {
    this.core = core;
    segments = core.segments;
    replicas = core.replicas;
    this.sources = new HashSet<>(sources);
    this.allowed = new HashSet<>(allowed);
  }

  private void refresh() {
    if (seenRevision == segments.revision()) {
      return;
    }
    seenRevision = segments.revision();
    int[] found = new int[segments.slots()];
    int count = 0;
    for (int slot = 0; slot < found.length; slot++) {
      SegmentMount mount = new SegmentMount(slot, segments.generation(slot));
      if (segments.isAllocatable(slot, mount.generation())
          && segments.kind(slot) == SegmentKind.MEMORY
          && !sources.contains(mount)
          && sourcesReach(slot)
          && (allowed.isEmpty() || allowed.contains(mount))) {
        found[count++] = slot;
      }
    }
    slots = Arrays.copyOf(found, count);
    withDisk = new boolean[count];
    for (int i = 0; i < count; i++) {
      withDisk[i] = core.rehoming.hasStayingDisk(slots[i]);
    }
  }

  /** The segments that units may go to now, and the room that {@link #choose} finds in them. */
  List<LaneTarget> all(LaneRoom room) {
    refresh();
    List<LaneTarget> all = new ArrayList<>();
    for (int at = 0; at < slots.length; at++) {
      int slot = slots[at];
      long generation = segments.generation(slot);
      long free = room.placement().freeBytes(slot, generation);
      all.add(
          new LaneTarget(
              new SegmentMount(slot, generation),
              free,
              withDisk[at] ? free : room.placement().bytesBelow(room.watermark(), slot, generation),
              withDisk[at] && room.evicts()));
    }
    return all;
  }

  /** Whether the nodes of all sources can write a segment: they carry the units out. */
  private boolean sourcesReach(int slot) {
    for (SegmentMount source : sources) {
      if (segments.generation(source.slot()) == source.generation()
          && !segments.reach(slot).by(segments.reach(source.slot()).owner())) {
        return false;
      }
    }
    return true;
  }

  /** The slots of the segments that units may go to now. */
  int[] slots() {
    refresh();
    return slots;
  }

  /**
   * Reserves space for an object; it is in the room's extents on RESERVED.
   *
   * @param durable the object is on a disk that is drained
   */
  Choice choose(int object, boolean durable, LaneRoom room) {
    refresh();
    row = object;
    long size = core.objects.size(object);
    Choice without = without();
    if (without != Choice.RESERVED) {
      return without;
    }
    room.extents().clear();
    boolean busy = false;
    boolean full = false;
    boolean named = !allowed.isEmpty();
    for (int rank = 0; rank <= WORST_RANK; rank++) {
      int picked = pick(rank, durable, room);
      int start = any(room);
      for (int i = -1; i < slots.length; i++) {
        int at = i < 0 ? picked : (start + i) % slots.length;
        if (at < 0 || rank(at, durable) != rank) {
          continue;
        }
        AllocationResult result = allocate(at, size, room);
        if (result == AllocationResult.ALLOCATED) {
          return Choice.RESERVED;
        }
        busy |= result == AllocationResult.BUSY;
        full |= result == AllocationResult.FULL && withDisk[at];
      }
    }
    if (busy) {
      return Choice.BUSY;
    }
    return !full ? Choice.AT_WATERMARK : named ? Choice.NAMED_FULL : Choice.FULL;
  }

  /** What is certain of an object without looking for room; RESERVED when it is worth looking. */
  Choice without(int object) {
    refresh();
    row = object;
    return without();
  }

  private Choice without() {
    if (slots.length == 0) {
      return Choice.NO_SEGMENT;
    }
    boolean complete = false;
    for (int slot : slots) {
      int there = core.replicaIn(row, slot);
      if (there == 0) {
        return Choice.RESERVED;
      }
      complete |= replicas.status(there) == IndexCore.COMPLETE;
    }
    return complete ? Choice.ALL_HAVE_IT : Choice.ALL_GET_IT;
  }

  private int any(LaneRoom room) {
    return (int) Long.remainderUnsigned(room.random().getAsLong(), slots.length);
  }

  /** The emptier of two of that rank that are picked at random; -1 when neither is of it. */
  private int pick(int rank, boolean durable, LaneRoom room) {
    int first = any(room);
    int second = any(room);
    boolean firstFits = rank(first, durable) == rank;
    boolean secondFits = rank(second, durable) == rank;
    if (firstFits && secondFits) {
      return freeRatio(second, room) > freeRatio(first, room) ? second : first;
    }
    return firstFits ? first : secondFits ? second : -1;
  }

  private double freeRatio(int at, LaneRoom room) {
    return room.placement().freeRatio(slots[at], segments.generation(slots[at]));
  }

  /** 0 is best; more than the worst for a segment that has a replica of the object. */
  private int rank(int at, boolean durable) {
    boolean sameNode = false;
    for (int r = core.replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      if (replicas.slot(r) == slots[at]) {
        return WORST_RANK + 1;
      }
      sameNode |= segments.sameNode(replicas.slot(r), slots[at]);
    }
    return (durable && !withDisk[at] ? 2 : 0) + (sameNode ? 1 : 0);
  }

  private AllocationResult allocate(int at, long size, LaneRoom room) {
    int slot = slots[at];
    long generation = segments.generation(slot);
    Placement placement = room.placement();
    if (withDisk[at]) {
      return placement.allocateOn(slot, generation, size, segments, room.extents());
    }
    if (!placement.staysBelow(room.watermark(), slot, generation, size)) {
      return AllocationResult.FULL;
    }
    AllocationResult result =
        placement.allocateOn(slot, generation, size, segments, room.extents());
    if (result == AllocationResult.ALLOCATED
        && !placement.staysBelow(room.watermark(), slot, generation, 0)) {
      // Another loop has allocated meanwhile: together they would push others out.
      placement.freeFrom(room.extents(), 0);
      room.extents().clear();
      return AllocationResult.BUSY;
    }
    return result;
  }
}
