package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.TaskType;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a drain job that one loop works on. Its units are the replicas on the source
 * segments: it walks over their membership lists once, and keeps something only of units that it
 * has met and that are still there.
 *
 * <pre>
 *              started                settled with success
 *  (walk) ---------------> ACTIVE -------------------------> (gone, as whatever replica goes)
 *    |  ^                   |  |
 *    |  | READY, behind     |  | failed for good
 *    |  | nobody            |  +-------------------> FAILED
 *    |  |                   | failed, to be tried again
 *    |  |                   +-------------------> AGAIN, behind all others
 *    |  | the object changed
 *    +->+- ON_OBJECT       being written, copied, moved; on disk and in memory, too
 *    |  | head first, when space came
 *    +->+- ON_SPACE        no target has room; at most 64, then the walk pauses
 *    |  | the node is heard from
 *    +->+- SUSPENDED       the node of the source is not heard from
 * </pre>
 *
 * <p>Nothing that waits is looked at before what it waits for has happened. So taking units costs
 * what is taken, whatever else is stored or waits.
 */
final class DrainLane {
  /** So many units may wait for space; then the lane pauses. */
  static final int MAX_ON_SPACE = 64;

  private enum State {
    READY,
    ON_OBJECT,
    ON_SPACE,
    SUSPENDED,
    ACTIVE,
    AGAIN,
    FAILED,
    GONE
  }

  /** A replica that the walk has met. */
  static final class Unit {
    final DrainLane lane;
    final int replica;
    private State state = State.READY;
    private WaitReason reason = WaitReason.WRITE_IN_PROGRESS;

    private Unit(DrainLane lane, int replica) {
      this.lane = lane;
      this.replica = replica;
    }

    /** Its replica is gone, or its lane is closed. */
    boolean isGone() {
      return state == State.GONE;
    }
  }

  private static final class Counter {
    int value;
  }

  private static final class Source {
    final int slot;
    final long generation;
    final boolean disk;
    Slots.@Nullable Walk walk;
    boolean walked;

    Source(int slot, long generation, boolean disk) {
      this.slot = slot;
      this.generation = generation;
      this.disk = disk;
    }
  }

  final UUID job;
  private final long grantMillis;
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final LaneRules rules;
  private final LaneTargets targets;
  private final List<Source> sources = new ArrayList<>();

  /** What is known of units, in the order in which they were met. */
  private final Int2ObjectLinkedOpenHashMap<Unit> units = new Int2ObjectLinkedOpenHashMap<>();

  private final EnumMap<State, Counter> counts = new EnumMap<>(State.class);
  private final ArrayDeque<Unit> ready = new ArrayDeque<>();
  private final ArrayDeque<Unit> again = new ArrayDeque<>();
  private final ArrayDeque<Unit> onSpace = new ArrayDeque<>();
  private final List<Unit> suspended = new ArrayList<>();

  /** Units on disk that wait for the replica in memory: they go with it. */
  private int memoryFirst;

  /** Space came since the first unit that waits for some was tried. */
  private boolean spaceCame;

  private boolean evictionHelps;
  private boolean signalled;
  private long left;

  // What the step that goes on has done.
  private int started;
  private long startedBytes;
  private long dropped;
  private long droppedBytes;

  DrainLane(
      IndexCore core,
      UUID job,
      List<SegmentMount> sources,
      List<SegmentMount> targets,
      long grantMillis) {
    this.core = core;
    this.job = job;
    this.grantMillis = grantMillis;
    objects = core.objects;
    replicas = core.replicas;
    rules = new LaneRules(core, sources);
    this.targets = new LaneTargets(core, sources, targets);
    for (SegmentMount source : sources) {
      if (core.segments.isLive(source.slot(), source.generation())) {
        boolean disk = core.segments.kind(source.slot()) == SegmentKind.LOCAL_DISK;
        this.sources.add(new Source(source.slot(), source.generation(), disk));
        left += replicas(source.slot(), source.generation());
      }
    }
  }

  private long replicas(int slot, long generation) {
    return core.slots.first(slot, generation) == 0 ? 0 : core.slots.replicas(slot);
  }

  /** The sources that were there when it was opened. */
  List<SegmentMount> sources() {
    return sources.stream()
        .map(source -> new SegmentMount(source.slot, source.generation))
        .toList();
  }

  void close() {
    for (Source source : sources) {
      endWalk(source);
    }
    units.values().forEach(unit -> unit.state = State.GONE);
    units.clear();
  }

  private static void endWalk(Source source) {
    Slots.Walk walk = source.walk;
    if (walk != null) {
      walk.end();
      source.walk = null;
    }
  }

  // What happens to units

  private void to(Unit unit, State state) {
    counter(unit.state).value--;
    if (unit.state == State.ON_OBJECT && unit.reason == WaitReason.MEMORY_FIRST) {
      memoryFirst--;
    }
    if (unit.state == State.ON_SPACE) {
      onSpace.remove(unit);
    }
    unit.state = state;
    counter(state).value++;
  }

  private void to(Unit unit, State state, WaitReason reason) {
    to(unit, state);
    unit.reason = reason;
    if (state == State.ON_OBJECT && reason == WaitReason.MEMORY_FIRST) {
      memoryFirst++;
    }
  }

  private Counter counter(State state) {
    return counts.computeIfAbsent(state, ignored -> new Counter());
  }

  private int count(State state) {
    return counter(state).value;
  }

  private Unit unit(int replica) {
    Unit unit = units.get(replica);
    if (unit == null) {
      unit = new Unit(this, replica);
      units.put(replica, unit);
      counter(State.READY).value++;
    }
    return unit;
  }

  /** A replica goes from a source. */
  void dropped(int replica) {
    left--;
    Unit unit = units.remove(replica);
    if (unit != null) {
      to(unit, State.GONE);
    }
    if (left == 0) {
      signal();
    }
  }

  /** A replica comes to a source: only while the scan of its disk goes on. */
  void added(int replica) {
    left++;
    for (Source source : sources) {
      if (source.slot == replicas.slot(replica) && (source.walked || source.walk != null)) {
        ready.addLast(unit(replica));
        signal();
      }
    }
  }

  /** The object of a unit has changed. */
  void changed(Unit unit) {
    if (unit.state == State.ON_OBJECT) {
      to(unit, State.READY);
      ready.addLast(unit);
      signal();
    }
  }

  /** Some space became free, or a segment that may have some. */
  void spaceCame() {
    if (!onSpace.isEmpty()) {
      spaceCame = true;
      signal();
    }
  }

  /** Segments have changed, a disk was scanned, floors can be made durable again. */
  void resumed() {
    for (Unit unit : suspended) {
      if (unit.state == State.SUSPENDED) {
        to(unit, State.READY);
        ready.addLast(unit);
      }
    }
    suspended.clear();
    spaceCame = !onSpace.isEmpty();
    signal();
  }

  /** The attempt of a unit has failed. */
  void again(int replica) {
    Unit unit = units.get(replica);
    if (unit != null && unit.state == State.ACTIVE) {
      to(unit, State.AGAIN);
      again.addLast(unit);
      signal();
    }
  }

  /** All attempts of a unit have failed. */
  void fail(int replica) {
    Unit unit = units.get(replica);
    if (unit != null && unit.state == State.ACTIVE) {
      to(unit, State.FAILED, WaitReason.FAILED);
    }
  }

  private void signal() {
    if (!signalled) {
      signalled = true;
      core.transferEffects.laneChanged(job);
    }
  }

  /** Whether a unit waits for space that eviction could make, and none has come yet. */
  boolean needsSpace() {
    return !onSpace.isEmpty() && !spaceCame && evictionHelps;
  }

  /** Whether a unit waits for space. */
  boolean waitsForSpace() {
    return !onSpace.isEmpty();
  }

  // Taking units

  LaneStep take(
      int maxUnits, long maxBytes, LaneRoom room, BooleanSupplier mayContinue, TransferSink sink) {
    signalled = false;
    started = 0;
    startedBytes = 0;
    dropped = 0;
    droppedBytes = 0;
    boolean more = true;
    while (more && started < maxUnits && startedBytes < maxBytes && mayContinue.getAsBoolean()) {
      int replica = next();
      more = replica != 0 && tryUnit(replica, room, sink);
    }
    // A unit that others stand in the way of for a moment is at the front again.
    return new LaneStep(started, startedBytes, dropped, droppedBytes, peek() != 0, needsSpace());
  }

  /** The replica to be tried now, or 0. It stays where it is until it is tried. */
  private int peek() {
    if (spaceCame && !onSpace.isEmpty()) {
      return onSpace.getFirst().replica;
    }
    if (onSpace.size() >= MAX_ON_SPACE) {
      return 0;
    }
    int waiting = first(ready, State.READY);
    if (waiting != 0) {
      return waiting;
    }
    int walked = walk();
    return walked != 0 ? walked : first(again, State.AGAIN);
  }

  /** The same, and it is taken out of what the walk and the queues still hold. */
  private int next() {
    int replica = peek();
    Unit unit = units.get(replica);
    if (unit == null) {
      for (Source source : sources) {
        Slots.Walk walk = source.walk;
        if (walk != null && walk.replica() == replica) {
          walk.next();
        }
      }
    } else if (unit.state == State.READY) {
      ready.removeFirst();
    } else if (unit.state == State.AGAIN) {
      again.removeFirst();
    }
    return replica;
  }

  private static int first(ArrayDeque<Unit> queue, State state) {
    while (!queue.isEmpty() && queue.getFirst().state != state) {
      queue.removeFirst();
    }
    return queue.isEmpty() ? 0 : queue.getFirst().replica;
  }

  /** The next replica that the walk has not met; 0 when there is none, or the walk cannot go on. */
  private int walk() {
    for (Source source : sources) {
      if (source.walked || pause(source) != null) {
        continue;
      }
      Slots.Walk walk = source.walk;
      if (walk == null) {
        walk = core.slots.walk(source.slot, source.generation);
        source.walk = walk;
      }
      while (walk.replica() != 0 && units.containsKey(walk.replica())) {
        walk.next();
      }
      if (walk.replica() != 0) {
        return walk.replica();
      }
      endWalk(source);
      source.walked = true;
    }
    return 0;
  }

  private @Nullable WaitReason pause(Source source) {
    return rules.pause(source.slot, source.generation, source.disk);
  }

  /** Tries to start a unit; answers whether the next one can be tried. */
  private boolean tryUnit(int replica, LaneRoom room, TransferSink sink) {
    int slot = replicas.slot(replica);
    boolean durable = rules.isDurable(replica);
    if (!core.segments.isServed(slot, core.slots.generation(slot))) {
      return suspend(replica, WaitReason.CLIENT_SUSPECTED);
    }
    if (durable && core.floors.refused()) {
      return suspend(replica, WaitReason.JOURNAL_FAILED);
    }
    WaitReason busy = rules.busy(replica);
    if (busy != null) {
      return await(replica, busy);
    }
    int row = replicas.object(replica);
    LaneTargets.Choice choice = targets.choose(row, durable, room);
    switch (choice) {
      case RESERVED -> start(row, replica, room, sink);
      case ALL_HAVE_IT -> drop(row, replica);
      case ALL_GET_IT -> await(replica, WaitReason.REPLICA_BUSY);
      case FULL, AT_WATERMARK, NO_SEGMENT -> awaitSpace(replica, choice == LaneTargets.Choice.FULL);
      case BUSY -> {
        return backToFront(replica);
      }
    }
    return true;
  }

  private void start(int row, int replica, LaneRoom room, TransferSink sink) {
    to(unit(replica), State.ACTIVE);
    started++;
    startedBytes += objects.size(row);
    UUID task = new UUID(room.random().nextLong(), room.random().nextLong());
    core.transfers.begin(
        row, replica, task, TaskType.REPLICA_MOVE, true, room.extents(), grantMillis, sink);
  }

  private void drop(int row, int replica) {
    dropped++;
    droppedBytes += objects.size(row);
    boolean disk = replicas.type(replica) == IndexCore.LOCAL_DISK;
    core.transfers.remove(row, replica, disk ? core.hash(row) : 0);
    if (disk) {
      core.offloads.rehome(row);
    }
    core.settle(row);
  }

  private boolean suspend(int replica, WaitReason reason) {
    Unit unit = unit(replica);
    to(unit, State.SUSPENDED, reason);
    suspended.add(unit);
    return true;
  }

  private boolean await(int replica, WaitReason reason) {
    Unit unit = unit(replica);
    to(unit, State.ON_OBJECT, reason);
    core.lanes.await(rules.object(replica), unit);
    return true;
  }

  private void awaitSpace(int replica, boolean eviction) {
    Unit unit = unit(replica);
    evictionHelps = eviction;
    if (unit.state == State.ON_SPACE) {
      spaceCame = false; // the first that still does not fit stays the first
    } else {
      to(unit, State.ON_SPACE, WaitReason.NO_SPACE);
      onSpace.addLast(unit);
    }
  }

  /** Others use the segments that may have room: the unit is tried again in a later turn. */
  private boolean backToFront(int replica) {
    Unit unit = unit(replica);
    if (unit.state != State.ON_SPACE) {
      to(unit, State.READY);
      ready.addFirst(unit);
    }
    return false;
  }

  // Figures

  LaneFigures figures() {
    signalled = false;
    Set<WaitReason> paused = EnumSet.noneOf(WaitReason.class);
    long touchedUntil = 0;
    long bytes = 0;
    boolean walked = true;
    for (Source source : sources) {
      WaitReason reason = source.walked ? null : pause(source);
      if (reason != null) {
        paused.add(reason);
      }
      walked &= source.walked;
      touchedUntil =
          Math.max(touchedUntil, core.slots.touchedUntil(source.slot, source.generation));
      bytes += replicas(source.slot, source.generation) == 0 ? 0 : core.slots.bytes(source.slot);
    }
    if (count(State.SUSPENDED) > 0) {
      suspended.stream()
          .filter(unit -> unit.state == State.SUSPENDED)
          .limit(1)
          .forEach(unit -> paused.add(unit.reason));
    }
    int waiting = count(State.ON_OBJECT) - memoryFirst;
    int open = waiting + count(State.READY) + count(State.AGAIN) + count(State.ON_SPACE);
    return new LaneFigures(
        left,
        bytes,
        count(State.ACTIVE),
        waiting,
        count(State.ON_SPACE),
        count(State.FAILED),
        paused,
        walked && open + count(State.ACTIVE) + count(State.SUSPENDED) == 0,
        touchedUntil);
  }

  /** Until when somebody may touch what was on the sources, when nothing is there; else 0. */
  long emptyAtMillis() {
    if (left > 0) {
      return 0;
    }
    long until = 0;
    for (Source source : sources) {
      until = Math.max(until, core.slots.touchedUntil(source.slot, source.generation));
    }
    return until;
  }

  /** The time has come at which nobody can touch what was on the sources. */
  void emptied() {
    signal();
  }

  /** Shows some units that wait. */
  void visitWaiting(int max, ObjectView view, LaneUnitVisitor visitor) {
    int shown = 0;
    int looks = 16 * max;
    for (Unit unit : units.values()) {
      if (shown == max || looks-- == 0) {
        return;
      }
      boolean waits =
          switch (unit.state) {
            case ON_OBJECT -> unit.reason != WaitReason.MEMORY_FIRST;
            case ON_SPACE, SUSPENDED, FAILED -> true;
            case READY, ACTIVE, AGAIN, GONE -> false;
          };
      if (waits) {
        shown++;
        show(unit.replica, unit.reason, view, visitor);
      }
    }
  }

  private void show(int replica, WaitReason reason, ObjectView view, LaneUnitVisitor visitor) {
    visitor.unit(
        view.at(rules.object(replica)),
        core.replicaId(replica),
        core.slots.generation(replicas.slot(replica)),
        reason);
  }
}
