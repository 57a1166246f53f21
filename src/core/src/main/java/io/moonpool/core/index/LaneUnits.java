package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The units of a lane that its walk has met and that are still there: what each of them does or
 * waits for.
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
 *    +->+- ON_OBJECT       being written, copied, moved; on disk and in memory, too; moved, and
 *    |  |                  on its disk until another one has it
 *    |  | head first, when space came
 *    +->+- ON_SPACE        no target has room
 *    |  | the node is heard from
 *    +->+- SUSPENDED       the node of the source is not heard from
 *    |
 *    +->   FAILED          nobody can move it
 * </pre>
 *
 * <p>What many units may wait for together, a node or a disk, wakes them by a mark: those that came
 * before it are awake. They are moved to where they are tried from a few at a time ({@link
 * #wakeSome}), so nobody pays for all of them in one turn.
 */
final class LaneUnits {
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

    /** Its object has moved: the slot of the disk that it is on until another one has it. */
    private int movedFrom = NOWHERE;

    /** How often a disk was asked to take it, since something about disks has changed. */
    private int asked;

    /** The line that it stands in; it is in no other one. */
    private @Nullable SequencedSet<Unit> line;

    /** When it began to wait for its node or for a disk, and when no disk was asked any more. */
    private long waitsSince;

    private long refusedSince;

    private Unit(DrainLane lane, int replica) {
      this.lane = lane;
      this.replica = replica;
    }

    /** Its replica is gone, or its lane is closed. */
    boolean isGone() {
      return state == State.GONE;
    }

    private boolean isMoved() {
      return movedFrom != NOWHERE;
    }

    private boolean waitsForDisk() {
      return state == State.ON_OBJECT && reason == WaitReason.NEW_HOME_DISK;
    }

    /** It waits or has failed, and not only for what goes with it. */
    private boolean isWaiting() {
      return switch (state) {
        case ON_OBJECT -> reason != WaitReason.MEMORY_FIRST;
        case ON_SPACE, SUSPENDED, FAILED -> true;
        case READY, ACTIVE, AGAIN, GONE -> false;
      };
    }
  }

  /** Takes units that wait. */
  @FunctionalInterface
  interface Visitor {
    void unit(int replica, WaitReason reason);
  }

  private static final int NOWHERE = -1;

  /** So often a disk that fails to take an object is asked again at once. */
  private static final int MAX_ASKED = 3;

  /** So many units are woken at once: some microseconds. */
  private static final int WAKE = 64;

  private static final class Counter {
    int value;
  }

  private final DrainLane lane;

  /** By replica, in the order in which they were met. */
  private final Int2ObjectLinkedOpenHashMap<Unit> units = new Int2ObjectLinkedOpenHashMap<>();

  private final EnumMap<State, Counter> counts = new EnumMap<>(State.class);
  private final SequencedSet<Unit> ready = new LinkedHashSet<>();
  private final SequencedSet<Unit> again = new LinkedHashSet<>();
  private final SequencedSet<Unit> onSpace = new LinkedHashSet<>();
  private final SequencedSet<Unit> suspended = new LinkedHashSet<>();

  /** Units that can be tried whose objects have moved: they need no room. */
  private final SequencedSet<Unit> moved = new LinkedHashSet<>();

  /** How many of these are on a disk, by its slot, whatever they wait for. */
  private final Int2LongOpenHashMap movedFrom = new Int2LongOpenHashMap();

  /** Units that wait for a disk. */
  private final SequencedSet<Unit> onDisk = new LinkedHashSet<>();

  /** How many of these have moved. */
  private int movedOnDisk;

  /** Some of them that no disk is asked to take again before one has taken another object. */
  private final SequencedSet<Unit> refused = new LinkedHashSet<>();

  /** Grows with each unit that begins to wait, so that they can be told apart. */
  private long clock;

  /** Units that waited before that are awake. */
  private long resumedAt;

  /** Units that no disk was asked for before that are awake. */
  private long disksWorkAt;

  /** Units on disk that wait for the replica in memory: they go with it. */
  private int memoryFirst;

  LaneUnits(DrainLane lane) {
    this.lane = lane;
  }

  void close() {
    units.values().forEach(unit -> unit.state = State.GONE);
    units.clear();
  }

  // What happens to units

  private Counter counter(State state) {
    return counts.computeIfAbsent(state, ignored -> new Counter());
  }

  private Unit unit(int replica) {
    Unit unit = units.get(replica);
    if (unit == null) {
      unit = new Unit(lane, replica);
      units.put(replica, unit);
      counter(State.READY).value++;
    }
    return unit;
  }

  private void to(Unit unit, State state) {
    counter(unit.state).value--;
    if (unit.state == State.ON_OBJECT && unit.reason == WaitReason.MEMORY_FIRST) {
      memoryFirst--;
    }
    if (unit.waitsForDisk()) {
      onDisk.remove(unit);
      refused.remove(unit);
      movedOnDisk -= unit.isMoved() ? 1 : 0;
    }
    leaveLine(unit);
    unit.state = state;
    counter(state).value++;
  }

  private static void leaveLine(Unit unit) {
    SequencedSet<Unit> line = unit.line;
    if (line != null) {
      line.remove(unit);
      unit.line = null;
    }
  }

  private static void standIn(SequencedSet<Unit> line, Unit unit) {
    leaveLine(unit);
    line.addLast(unit);
    unit.line = line;
  }

  /** Whether the walk has met a replica. */
  boolean contains(int replica) {
    return units.containsKey(replica);
  }

  void start(int replica) {
    to(unit(replica), State.ACTIVE);
  }

  /** A unit can be tried, behind those that can. */
  void ready(int replica) {
    ready(unit(replica));
  }

  private void ready(Unit unit) {
    to(unit, State.READY);
    standIn(unit.isMoved() ? moved : ready, unit);
  }

  /** A unit is tried again before the others. */
  void backToFront(int replica) {
    Unit unit = unit(replica);
    if (unit.state != State.ON_SPACE) {
      to(unit, State.READY);
      ready.addFirst(unit);
      unit.line = ready;
    }
  }

  /** A unit waits for a change of its object. */
  Unit await(int replica, WaitReason reason) {
    Unit unit = unit(replica);
    to(unit, State.ON_OBJECT);
    unit.reason = reason;
    memoryFirst += reason == WaitReason.MEMORY_FIRST ? 1 : 0;
    if (unit.waitsForDisk()) {
      onDisk.add(unit);
      unit.waitsSince = clock++;
      movedOnDisk += unit.isMoved() ? 1 : 0;
    }
    return unit;
  }

  /** The object of a unit on a disk has moved; the unit is about to wait. */
  void moved(int replica, int slot) {
    Unit unit = unit(replica);
    if (!unit.isMoved()) {
      movedOnDisk += unit.waitsForDisk() ? 1 : 0;
      unit.movedFrom = slot;
      unit.asked = 1;
      movedFrom.addTo(slot, 1);
    }
  }

  /** Whether the object of a unit has moved. */
  boolean isMoved(int replica) {
    Unit unit = units.get(replica);
    return unit != null && unit.isMoved();
  }

  /** An object that has moved is where it was before: its unit is as any other, and to be tried. */
  void undone(int replica) {
    undo(unit(replica));
  }

  private void undo(Unit unit) {
    if (unit.isMoved()) {
      movedFrom.addTo(unit.movedFrom, -1);
      unit.movedFrom = NOWHERE;
    }
  }

  /** Whether a disk should be asked to take the object of a unit, and it is asked now. */
  boolean mayAskForDisk(int replica) {
    Unit unit = unit(replica);
    if (unit.asked < MAX_ASKED) {
      unit.asked++;
      return true;
    }
    refused.add(unit);
    unit.refusedSince = clock++;
    return false;
  }

  /** A disk that refused objects has taken one; answers whether any waited for that. */
  boolean disksWork() {
    disksWorkAt = clock;
    return !refused.isEmpty();
  }

  /** A unit waits until its source can be read. */
  void suspend(int replica, WaitReason reason) {
    Unit unit = unit(replica);
    to(unit, State.SUSPENDED);
    unit.reason = reason;
    unit.waitsSince = clock++;
    standIn(suspended, unit);
  }

  /** A unit waits for space; answers whether it did already, as the first. */
  boolean awaitSpace(int replica) {
    Unit unit = unit(replica);
    if (unit.state == State.ON_SPACE) {
      return true;
    }
    to(unit, State.ON_SPACE);
    unit.reason = WaitReason.NO_SPACE;
    standIn(onSpace, unit);
    return false;
  }

  /** The object of a unit has changed; answers whether it waited for that. */
  boolean changed(Unit unit) {
    if (unit.state != State.ON_OBJECT) {
      return false;
    }
    ready(unit);
    return true;
  }

  /** What could not be read may be now; answers whether there was any. */
  boolean resume() {
    resumedAt = clock;
    return !suspended.isEmpty() || !onDisk.isEmpty();
  }

  private boolean isAwake(Unit unit) {
    return unit.waitsSince < resumedAt;
  }

  /** The next unit that is awake and not where it is tried from, or null. */
  private @Nullable Unit firstAwake() {
    if (!suspended.isEmpty() && isAwake(suspended.getFirst())) {
      return suspended.getFirst();
    }
    if (!onDisk.isEmpty() && isAwake(onDisk.getFirst())) {
      return onDisk.getFirst();
    }
    return !refused.isEmpty() && refused.getFirst().refusedSince < disksWorkAt
        ? refused.getFirst()
        : null;
  }

  /** Whether units are awake that are not where they are tried from. */
  boolean someAwake() {
    return firstAwake() != null;
  }

  /** Moves a few units that are awake to where they are tried from. */
  void wakeSome() {
    for (int i = 0; i < WAKE; i++) {
      Unit unit = firstAwake();
      if (unit == null) {
        return;
      }
      if (unit.state != State.SUSPENDED) {
        unit.asked = 0;
        refused.remove(unit);
      }
      ready(unit);
    }
  }

  /** The attempt of a unit has failed; answers whether there is such a unit. */
  boolean again(int replica) {
    Unit unit = units.get(replica);
    if (unit == null || unit.state != State.ACTIVE) {
      return false;
    }
    to(unit, State.AGAIN);
    standIn(again, unit);
    return true;
  }

  /** All attempts of a unit have failed. */
  void fail(int replica) {
    Unit unit = units.get(replica);
    if (unit != null && unit.state == State.ACTIVE) {
      to(unit, State.FAILED);
      unit.reason = WaitReason.FAILED;
    }
  }

  /** A unit fails for good without an attempt. */
  void refuse(int replica, WaitReason reason) {
    Unit unit = unit(replica);
    to(unit, State.FAILED);
    unit.reason = reason;
  }

  /** A replica is gone; answers whether all units that are left have failed. */
  boolean gone(int replica) {
    Unit unit = units.remove(replica);
    if (unit != null) {
      to(unit, State.GONE);
      undo(unit);
    }
    return unit != null && failed() > 0 && areSettled();
  }

  // Which comes next

  /** The first unit that can be tried and whose object has moved, or 0. */
  int firstMoved() {
    return first(moved);
  }

  /** The first unit that can be tried, or 0. */
  int firstReady() {
    return first(ready);
  }

  /** The first unit that is to be tried again, or 0. */
  int firstAgain() {
    return first(again);
  }

  /** The first unit that waits for space, or 0. */
  int firstOnSpace() {
    return first(onSpace);
  }

  private static int first(SequencedSet<Unit> line) {
    return line.isEmpty() ? 0 : line.getFirst().replica;
  }

  /** Takes what is first among the ready ones, or among those to be tried again, off its line. */
  void poll(int replica) {
    Unit unit = units.get(replica);
    if (unit != null && (unit.state == State.READY || unit.state == State.AGAIN)) {
      leaveLine(unit);
    }
  }

  // Figures

  int active() {
    return counter(State.ACTIVE).value;
  }

  int failed() {
    return counter(State.FAILED).value;
  }

  int waitingForSpace() {
    return counter(State.ON_SPACE).value;
  }

  /** Units that wait for their object, but for those that go with another one or have moved. */
  int waitingForObject() {
    return counter(State.ON_OBJECT).value - memoryFirst - movedOnDisk;
  }

  /** How many have moved and are on a disk until another one has them. */
  long movedOn(int slot) {
    return movedFrom.get(slot);
  }

  /** Nothing is under way, can be tried or waits; some may have failed. */
  boolean areSettled() {
    return active()
            + waitingForSpace()
            + waitingForObject()
            + movedOnDisk
            + counter(State.READY).value
            + counter(State.AGAIN).value
            + counter(State.SUSPENDED).value
        == 0;
  }

  /** Adds why units wait whose source cannot be read. */
  void addReasons(Set<WaitReason> reasons) {
    if (!suspended.isEmpty() && !isAwake(suspended.getLast())) {
      reasons.add(suspended.getLast().reason);
    }
  }

  /** Shows some units that wait; looks at no more than some times as many. */
  void visitWaiting(int max, Visitor visitor) {
    int shown = 0;
    int looks = 16 * max;
    for (Unit unit : units.values()) {
      if (shown == max || looks-- == 0) {
        return;
      }
      if (unit.isWaiting()) {
        shown++;
        visitor.unit(unit.replica, unit.reason);
      }
    }
  }
}
