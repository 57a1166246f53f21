package io.moonpool.core.index;

import io.moonpool.model.SegmentStatus;
import java.util.function.BooleanSupplier;

/**
 * A walk over the replicas on a memory segment that its node takes back for good: has those objects
 * written to the node's disk that are nowhere else, and counts them. It visits the replicas that
 * are there when it starts, and no others, in steps; replicas that go between two steps do no harm.
 *
 * <p>One walk tells how far it is: the node repeats it until nothing remains. The thread of its
 * {@link ObjectIndex} is the only one that uses it.
 */
public final class SegmentOffload {
  private final IndexCore core;
  private final ObjectVisitor remaining;
  private final ObjectView view;
  private final Slots.Walk walk;
  private final int slot;
  private long objects;
  private long bytes;
  private long writes;

  /**
   * A walk.
   *
   * @param remaining is shown each object that remains; answers nothing that matters
   */
  SegmentOffload(IndexCore core, int slot, long generation, ObjectVisitor remaining) {
    this.core = core;
    this.remaining = remaining;
    view = new ObjectView(core);
    this.slot = slot;
    walk = core.slots.walk(slot, generation);
  }

  /**
   * A step.
   *
   * @param mayContinue asked before each replica
   * @return true when the walk has ended
   */
  public boolean step(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    boolean ended = walk.step(mayContinue, this::visit);
    if (ended) {
      walk.end();
    }
    return ended;
  }

  private void visit(int replica) {
    int row = core.replicas.object(replica);
    if (!core.objects.has(row, ObjectRows.COMPLETE)) {
      writes += core.now() <= core.objects.protectionEnd(row) ? 1 : 0;
    } else if (core.replicas.status(replica) == IndexCore.COMPLETE && !isElsewhere(row)) {
      objects++;
      bytes += core.objects.size(row);
      remaining.visit(view.at(row));
      core.offloads.save(row, replica);
    }
  }

  /** Whether an object has a replica that stays. */
  private boolean isElsewhere(int row) {
    ReplicaRows replicas = core.replicas;
    for (int r = core.replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      int other = replicas.slot(r);
      if (other != slot
          && replicas.status(r) == IndexCore.COMPLETE
          && core.segments.isLive(other, core.slots.generation(other))
          && core.segments.status(other) != SegmentStatus.GRACEFULLY_UNMOUNTING) {
        return true;
      }
    }
    return false;
  }

  /** Objects that were found to be in memory only, on segments that go. */
  public long objects() {
    return objects;
  }

  /** Their bytes. */
  public long bytes() {
    return bytes;
  }

  /** Writes to the segment that were in progress and may still end. */
  public long writes() {
    return writes;
  }
}
