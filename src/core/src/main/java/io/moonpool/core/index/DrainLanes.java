package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of the drain jobs on a loop: what each of them has to move, and who waits for what.
 *
 * <p>The thread of its {@link ObjectIndex} is the only one that calls it. What it does to the
 * outside world goes to {@link TransferEffects}.
 */
public final class DrainLanes {
  private final IndexCore core;
  private final Map<UUID, DrainLane> byJob = new LinkedHashMap<>();

  /** By slot, the lane that empties it. */
  private @Nullable DrainLane[] bySlot = {};

  /** The mounts that are emptied, by slot. */
  private long[] generations = {};

  /** By row, the units that wait for a change of their object. */
  private final Int2ObjectOpenHashMap<List<LaneUnits.Unit>> awaiting =
      new Int2ObjectOpenHashMap<>();

  /** Lanes that were empty by then were told of. */
  private long toldEmptyMillis;

  DrainLanes(IndexCore core) {
    this.core = core;
  }

  // Jobs

  /**
   * Opens the lane of a job.
   *
   * @param sources segments that take no new replicas: memory first, disks last. Those that are
   *     gone are passed over
   * @param targets memory segments that may take what is there; empty for all
   * @param grantMillis how long the target of a unit may be written, at least 1
   * @throws IllegalArgumentException when the job has a lane, or a source belongs to another one
   */
  public void open(
      UUID job,
      List<SegmentMount> sources,
      List<SegmentMount> targets,
      long grantMillis,
      long nowMillis) {
    core.time(nowMillis);
    DrainLane lane = new DrainLane(core, job, sources, targets, grantMillis);
    List<SegmentMount> mounted = lane.sources();
    for (SegmentMount source : mounted) {
      DrainLane other = of(source.slot(), source.generation());
      if (other != null) {
        throw new IllegalArgumentException("job " + other.job + " drains " + source);
      }
    }
    if (byJob.putIfAbsent(job, lane) != null) {
      throw new IllegalArgumentException("job " + job + " has a lane");
    }
    int length = Math.max(bySlot.length, core.segments.slots());
    bySlot = Arrays.copyOf(bySlot, length);
    generations = Arrays.copyOf(generations, length);
    for (SegmentMount source : mounted) {
      bySlot[source.slot()] = lane;
      generations[source.slot()] = source.generation();
    }
  }

  /**
   * A step of counting the units of a lane that was just opened; before that ends, their number is
   * not exact.
   *
   * @param mayContinue asked before each replica that is looked at
   * @return true when it has ended, or the lane is closed
   */
  public boolean count(UUID job, long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    DrainLane lane = byJob.get(job);
    return lane == null || lane.count(mayContinue);
  }

  /** Closes a lane. Transfers that it has started go on as if they were nobody's. */
  public void close(UUID job, long nowMillis) {
    core.time(nowMillis);
    DrainLane lane = byJob.remove(job);
    if (lane != null) {
      for (int slot = 0; slot < bySlot.length; slot++) {
        bySlot[slot] = bySlot[slot] == lane ? null : bySlot[slot];
      }
      lane.close();
    }
  }

  /** Whether a job has a lane. */
  public boolean isOpen(UUID job) {
    return byJob.containsKey(job);
  }

  private DrainLane lane(UUID job) {
    DrainLane lane = byJob.get(job);
    if (lane == null) {
      throw new IllegalArgumentException("job " + job + " has no lane");
    }
    return lane;
  }

  /**
   * A step of starting units.
   *
   * @param maxUnits at most so many
   * @param maxBytes no further unit once so many bytes were started
   * @param mayContinue asked before each unit that is looked at
   * @param sink takes each transfer that was started; all are moves
   * @throws IllegalArgumentException when the job has no lane
   */
  public LaneStep take(
      UUID job,
      int maxUnits,
      long maxBytes,
      LaneRoom room,
      long nowMillis,
      BooleanSupplier mayContinue,
      TransferSink sink) {
    core.time(nowMillis);
    LaneStep step = lane(job).take(maxUnits, maxBytes, room, mayContinue, sink);
    core.groups.deliverSome();
    return step;
  }

  /**
   * A unit that was started is to be tried again, behind the others. Nothing happens when it is
   * gone, or nobody has it.
   */
  public void again(UUID job, ObjectKey key, long replicaId, long nowMillis) {
    core.time(nowMillis);
    DrainLane lane = byJob.get(job);
    int replica = replica(key, replicaId);
    if (lane != null && replica != 0) {
      lane.again(replica);
    }
  }

  /** A unit that was started has failed for good. */
  public void fail(UUID job, ObjectKey key, long replicaId, long nowMillis) {
    core.time(nowMillis);
    DrainLane lane = byJob.get(job);
    int replica = replica(key, replicaId);
    if (lane != null && replica != 0) {
      lane.fail(replica);
    }
  }

  private int replica(ObjectKey key, long replicaId) {
    int row = core.find(key);
    return row == 0 ? 0 : core.findReplica(row, replicaId);
  }

  /**
   * How far a lane is.
   *
   * @throws IllegalArgumentException when the job has no lane
   */
  public LaneFigures figures(UUID job, long nowMillis) {
    core.time(nowMillis);
    return lane(job).figures();
  }

  /**
   * Shows some of the units of a lane that wait or have failed.
   *
   * @param max at most so many
   * @throws IllegalArgumentException when the job has no lane
   */
  public void visitWaiting(UUID job, int max, LaneUnitVisitor visitor) {
    lane(job).visitWaiting(max, new ObjectView(core), visitor);
  }

  /** Whether no lane is open. */
  public boolean isEmpty() {
    return byJob.isEmpty();
  }

  /** Whether a unit of a lane waits for space that eviction could make, and none has come yet. */
  public boolean needSpace() {
    return !byJob.isEmpty() && byJob.values().stream().anyMatch(DrainLane::needsSpace);
  }

  /**
   * A walk over what a drain would have to move; it changes nothing.
   *
   * @param targets memory segments that may take what is there; empty for all
   * @param waitingUnits is shown each unit that would have to wait now
   */
  public DrainSurvey survey(
      List<SegmentMount> sources, List<SegmentMount> targets, LaneUnitVisitor waitingUnits) {
    return new DrainSurvey(core, sources, targets, waitingUnits);
  }

  // What happens

  /** Space became free on a segment that takes new objects, whoever freed it. */
  public void spaceCame(long nowMillis) {
    core.time(nowMillis);
    byJob.values().forEach(DrainLane::spaceCame);
  }

  /** Segments came, went or changed, and the table knows. */
  public void segmentsChanged(long nowMillis) {
    if (!byJob.isEmpty()) {
      core.time(nowMillis);
      resumed();
    }
  }

  /** Whatever whole sources waited for may have happened. */
  void resumed() {
    byJob.values().forEach(DrainLane::resumed);
  }

  /** A disk that refused objects takes them again. */
  void disksWork() {
    byJob.values().forEach(DrainLane::disksWork);
  }

  /** A unit waits for a change of its object. */
  void await(int row, LaneUnits.Unit unit) {
    core.objects.set(row, ObjectRows.AWAITED);
    List<LaneUnits.Unit> units = awaiting.computeIfAbsent(row, ignored -> new ArrayList<>(1));
    units.removeIf(LaneUnits.Unit::isGone);
    if (!units.contains(unit)) {
      units.add(unit);
    }
  }

  /**
   * Whether an object that has moved stays on a disk that is drained: until it is on a disk at its
   * new home, and for good when its job has ended.
   */
  boolean staysOnDisk(int row, int replica) {
    DrainLane lane = of(replica);
    return lane == null || lane.waitsForDisk(row);
  }

  /** The object of a replica on a disk has moved, and stays there for now. */
  void moved(int replica) {
    DrainLane lane = of(replica);
    if (lane != null) {
      lane.moved(replica);
    }
  }

  /** An object has changed, or goes. */
  void changed(int row) {
    if (core.objects.has(row, ObjectRows.AWAITED)) {
      core.objects.clear(row, ObjectRows.AWAITED);
      for (LaneUnits.Unit unit : awaiting.remove(row)) {
        unit.lane.changed(unit);
      }
    }
  }

  /** Whether a lane may know a replica, since it empties the segment that it is on. */
  boolean isOnSource(int replica) {
    return of(replica) != null;
  }

  private @Nullable DrainLane of(int replica) {
    int slot = core.replicas.slot(replica);
    return of(slot, core.slots.generation(slot));
  }

  private @Nullable DrainLane of(int slot, long generation) {
    return slot < bySlot.length && generations[slot] == generation ? bySlot[slot] : null;
  }

  /** A replica was added. */
  void added(int replica) {
    DrainLane lane = of(replica);
    if (lane != null) {
      lane.added(replica);
    }
  }

  /**
   * A replica goes; it is not in its slot's list any more.
   *
   * @param touchedUntilMillis until when anybody but its node may touch it, or {@link
   *     ReturnedSpace#UNTOUCHED}
   */
  void dropped(int replica, long touchedUntilMillis) {
    if (touchedUntilMillis != ReturnedSpace.UNTOUCHED) {
      long until = touchedUntilMillis + core.config.clockSkewMillis();
      if (until > core.now()) {
        core.slots.touched(core.replicas.slot(replica), until);
      }
    }
    DrainLane lane = of(replica);
    if (lane != null) {
      lane.dropped(replica);
    }
  }

  // Time

  /** When {@link #tend} has something to do, in milliseconds, or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    long next = Long.MAX_VALUE;
    for (DrainLane lane : byJob.values()) {
      next = Math.min(next, lane.evictAtMillis());
      long at = lane.emptyAtMillis();
      if (at > toldEmptyMillis && at < next) {
        next = at;
      }
    }
    return next;
  }

  /**
   * Tells of lanes that nobody can touch any more what was on their sources, and of those for which
   * a lease was in the way of space and has ended.
   */
  public void tend(long nowMillis) {
    core.time(nowMillis);
    for (DrainLane lane : byJob.values()) {
      if (lane.evictAtMillis() <= core.now()) {
        lane.evictAgain();
      }
      long at = lane.emptyAtMillis();
      if (at > toldEmptyMillis && at <= core.now()) {
        lane.emptied();
      }
    }
    toldEmptyMillis = core.now();
  }
}
