package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.SegmentKind;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a drain would do: a walk over the replicas on its sources, in steps, that changes nothing.
 * Replicas that come and go meanwhile do no harm.
 *
 * <p>The thread of its {@link ObjectIndex} is the only one that uses it.
 */
public final class DrainSurvey {
  private final IndexCore core;
  private final LaneRules rules;
  private final LaneTargets targets;
  private final List<SegmentMount> sources;
  private final LaneUnitVisitor waitingUnits;
  private final ObjectView view;
  private Slots.@Nullable Walk walk;
  private int source;
  private long units;
  private long bytes;
  private long fromDisk;
  private long dropped;
  private long waiting;

  /**
   * A walk.
   *
   * @param waitingUnits is shown each unit that would have to wait now
   */
  DrainSurvey(
      IndexCore core,
      List<SegmentMount> sources,
      List<SegmentMount> targets,
      LaneUnitVisitor waitingUnits) {
    this.core = core;
    this.sources = List.copyOf(sources);
    this.waitingUnits = waitingUnits;
    rules = new LaneRules(core, sources);
    this.targets = new LaneTargets(core, sources, targets);
    view = new ObjectView(core);
  }

  /**
   * A step.
   *
   * @param mayContinue asked before each replica
   * @return true when the walk has ended
   */
  public boolean step(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    for (; source < sources.size(); source++) {
      SegmentMount mount = sources.get(source);
      if (!core.segments.isLive(mount.slot(), mount.generation())) {
        continue;
      }
      Slots.Walk going = walk;
      if (going == null) {
        going = core.slots.walk(mount.slot(), mount.generation());
        walk = going;
      }
      if (!going.step(mayContinue, this::visit)) {
        return false;
      }
      end();
    }
    return true;
  }

  /** Must be called when it is not used any more. */
  public void end() {
    Slots.Walk going = walk;
    if (going != null) {
      going.end();
      walk = null;
    }
  }

  private void visit(int replica) {
    int slot = core.replicas.slot(replica);
    boolean disk = core.segments.kind(slot) == SegmentKind.LOCAL_DISK;
    WaitReason busy = rules.busy(replica);
    if (busy == WaitReason.MEMORY_FIRST) {
      // The one in memory is the unit, also while both wait for their node.
      return;
    }
    WaitReason pause = rules.pause(slot, core.slots.generation(slot), disk);
    WaitReason reason = pause == null ? busy : pause;
    int row = rules.object(replica);
    boolean stuck = reason == null && rules.ownerCannotMove(replica);
    if (stuck && rules.staysInMemory(row)) {
      dropped++;
      return;
    }
    reason = stuck ? WaitReason.OWNER_CANNOT_MOVE : reason;
    LaneTargets.Choice choice = reason == null ? targets.without(row) : LaneTargets.Choice.RESERVED;
    if (choice == LaneTargets.Choice.ALL_HAVE_IT) {
      dropped++;
      return;
    }
    units++;
    bytes += core.objects.size(core.replicas.object(replica));
    fromDisk += disk ? 1 : 0;
    if (choice == LaneTargets.Choice.NO_SEGMENT) {
      reason = WaitReason.NO_SPACE;
    } else if (choice == LaneTargets.Choice.ALL_GET_IT) {
      reason = WaitReason.REPLICA_BUSY;
    }
    if (reason != null) {
      waiting++;
      waitingUnits.unit(view.at(row), core.replicaId(replica), core.slots.generation(slot), reason);
    }
  }

  /** Replicas that would be moved. */
  public long units() {
    return units;
  }

  /** The bytes of their objects. */
  public long bytes() {
    return bytes;
  }

  /** How many of them would be read from disk. */
  public long fromDisk() {
    return fromDisk;
  }

  /** Replicas that would be removed without a transfer. */
  public long dropped() {
    return dropped;
  }

  /** How many of the units would have to wait now, space aside. */
  public long waiting() {
    return waiting;
  }

  /** The segments that units may go to now, and the room there. */
  public List<LaneTarget> targets(LaneRoom room) {
    return targets.all(room);
  }
}
