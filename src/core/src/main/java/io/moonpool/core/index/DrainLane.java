package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.TaskType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a drain job that one loop works on. Its units are the replicas on the source
 * segments: it walks over their membership lists once, and keeps something only of units that it
 * has met and that are still there ({@link LaneUnits}).
 *
 * <p>Nothing that waits is looked at before what it waits for has happened. So taking units costs
 * what is taken, whatever else is stored or waits.
 */
final class DrainLane {
  /** So many units may wait for space; then the lane pauses. */
  static final int MAX_ON_SPACE = 64;

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
  private final ReplicaRows replicas;
  private final LaneRules rules;
  private final LaneTargets targets;
  private final List<Source> sources = new ArrayList<>();
  private final LaneUnits units = new LaneUnits(this);
  private final LanePairs pairs;
  private final TargetEviction eviction;

  /** Space came since the first unit that waits for some was tried. */
  private boolean spaceCame;

  /** Eviction could make space for the unit that found none last. */
  private boolean evictionHelps;

  /** When eviction on targets that are named may make space for it, though nothing else happens. */
  private long evictAtMillis = Long.MAX_VALUE;

  private boolean signalled;

  /** Replicas on the sources. */
  private long left;

  /** Of the step that goes on. */
  private LaneTally tally = new LaneTally();

  DrainLane(
      IndexCore core,
      UUID job,
      List<SegmentMount> sources,
      List<SegmentMount> targets,
      long grantMillis) {
    this.core = core;
    this.job = job;
    this.grantMillis = grantMillis;
    replicas = core.replicas;
    rules = new LaneRules(core, sources);
    this.targets = new LaneTargets(core, sources, targets);
    pairs = new LanePairs(core, rules);
    eviction = new TargetEviction(core);
    for (SegmentMount source : sources) {
      if (core.segments.isLive(source.slot(), source.generation())) {
        boolean disk = core.segments.kind(source.slot()) == SegmentKind.LOCAL_DISK;
        this.sources.add(new Source(source.slot(), source.generation(), disk));
        left += core.slots.replicas(source.slot(), source.generation());
        if (disk) {
          pairs.add(source);
        }
      }
    }
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
    pairs.close();
    eviction.close();
    units.close();
  }

  private static void endWalk(Source source) {
    Slots.Walk walk = source.walk;
    if (walk != null) {
      walk.end();
      source.walk = null;
    }
    source.walked = true;
  }

  /** A step of counting units; answers whether that has ended. */
  boolean count(BooleanSupplier mayContinue) {
    return pairs.count(mayContinue);
  }

  // What happens

  /** A replica goes from a source. */
  void dropped(int replica) {
    left--;
    pairs.dropped(replica);
    boolean onlyFailed = units.gone(replica);
    if (left == 0 || onlyFailed) {
      signal();
    }
  }

  /** A replica comes to a source: only while the scan of its disk goes on. */
  void added(int replica) {
    left++;
    pairs.added(replica);
    for (Source source : sources) {
      if (source.slot == replicas.slot(replica) && (source.walked || source.walk != null)) {
        units.ready(replica);
        signal();
      }
    }
  }

  /** The object of a unit has changed. */
  void changed(LaneUnits.Unit unit) {
    if (units.changed(unit)) {
      signal();
    }
  }

  /** Whether an object that has moved stays on its disk until another one has it. */
  boolean waitsForDisk(int row) {
    return core.rehoming.home(row, rules) == Rehoming.Home.IN_MEMORY;
  }

  /** The object of a replica on a disk has moved, and is waited for to be on another disk. */
  void moved(int replica) {
    units.moved(replica, replicas.slot(replica));
    await(replica, WaitReason.NEW_HOME_DISK);
  }

  /** Some space became free, or a segment that may have some. */
  void spaceCame() {
    if (waitsForSpace()) {
      spaceCame = true;
      signal();
    }
  }

  /** When it is to be told of the time, in milliseconds; {@link Long#MAX_VALUE}: never. */
  long evictAtMillis() {
    return waitsForSpace() ? evictAtMillis : Long.MAX_VALUE;
  }

  /** The time has come at which eviction on targets that are named may make space. */
  void evictAgain() {
    evictAtMillis = Long.MAX_VALUE;
    spaceCame();
  }

  /** Segments have changed, a disk was scanned, floors can be made durable again. */
  void resumed() {
    boolean waited = units.resume() || waitsForSpace();
    for (Source source : sources) {
      waited |= !source.walked;
    }
    spaceCame = waitsForSpace();
    if (waited) {
      signal();
    }
  }

  /** A disk that refused objects takes them again. */
  void disksWork() {
    if (units.disksWork()) {
      signal();
    }
  }

  /** The attempt of a unit has failed. */
  void again(int replica) {
    if (units.again(replica)) {
      signal();
    }
  }

  /** All attempts of a unit have failed. */
  void fail(int replica) {
    units.fail(replica);
  }

  private void signal() {
    if (!signalled) {
      signalled = true;
      core.transferEffects.laneChanged(job);
    }
  }

  /** Whether a unit waits for space that eviction could make, and none has come yet. */
  boolean needsSpace() {
    return waitsForSpace() && !spaceCame && evictionHelps;
  }

  /** Whether a unit waits for space. */
  boolean waitsForSpace() {
    return units.firstOnSpace() != 0;
  }

  // Taking units

  LaneStep take(
      int maxUnits, long maxBytes, LaneRoom room, BooleanSupplier mayContinue, TransferSink sink) {
    signalled = false;
    tally = new LaneTally();
    boolean goesOn = true;
    while (goesOn
        && tally.started() < maxUnits
        && tally.startedBytes() < maxBytes
        && mayContinue.getAsBoolean()) {
      units.wakeSome();
      int replica = next();
      goesOn = replica != 0 ? tryUnit(replica, room, sink) : units.someAwake();
    }
    return tally.step(peek() != 0 || units.someAwake(), needsSpace());
  }

  /** The replica to be tried now, or 0. It stays where it is. */
  private int peek() {
    int moved = units.firstMoved();
    if (moved != 0) {
      return moved;
    }
    if (spaceCame && waitsForSpace()) {
      return units.firstOnSpace();
    }
    if (units.waitingForSpace() >= MAX_ON_SPACE) {
      return 0;
    }
    int ready = units.firstReady();
    if (ready != 0) {
      return ready;
    }
    int met = walk();
    return met != 0 ? met : units.firstAgain();
  }

  /** The same, and it is taken out of where it was; what waits for space stays there. */
  private int next() {
    int replica = peek();
    if (units.contains(replica)) {
      units.poll(replica);
      return replica;
    }
    for (Source source : sources) {
      Slots.Walk walk = source.walk;
      if (walk != null && walk.replica() == replica) {
        walk.next();
      }
    }
    return replica;
  }

  /** The next replica that the walk has not met; 0 when there is none, or the walk cannot go on. */
  private int walk() {
    for (Source source : sources) {
      if (!source.walked && !core.segments.isLive(source.slot, source.generation)) {
        endWalk(source);
      }
      if (source.walked || pause(source) != null) {
        continue;
      }
      Slots.Walk walk = source.walk;
      if (walk == null) {
        walk = core.slots.walk(source.slot, source.generation);
        source.walk = walk;
      }
      while (walk.replica() != 0 && units.contains(walk.replica())) {
        walk.next();
      }
      if (walk.replica() != 0) {
        return walk.replica();
      }
      endWalk(source);
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
      units.suspend(replica, WaitReason.CLIENT_SUSPECTED);
      return true;
    }
    if (durable && core.floors.refused()) {
      units.suspend(replica, WaitReason.JOURNAL_FAILED);
      return true;
    }
    WaitReason busy = rules.busy(replica);
    if (busy != null) {
      await(replica, busy);
      return true;
    }
    int row = replicas.object(replica);
    if (replicas.type(replica) == IndexCore.LOCAL_DISK && isSettledByMove(row, replica)) {
      return true;
    }
    if (rules.ownerCannotMove(replica)) {
      if (rules.staysInMemory(row)) {
        drop(row, replica);
      } else {
        units.refuse(replica, WaitReason.OWNER_CANNOT_MOVE);
      }
      return true;
    }
    LaneTargets.Choice choice = targets.choose(row, durable, room);
    if (choice == LaneTargets.Choice.NAMED_FULL && room.evicts()) {
      if (eviction.free(targets.slots(), core.objects.size(row))) {
        choice = targets.choose(row, durable, room);
      } else {
        evictAtMillis = Math.min(evictAtMillis, eviction.againAtMillis());
      }
    }
    switch (choice) {
      case RESERVED -> start(row, replica, room, sink);
      case ALL_HAVE_IT -> drop(row, replica);
      case ALL_GET_IT -> await(replica, WaitReason.REPLICA_BUSY);
      case FULL, NAMED_FULL, AT_WATERMARK, NO_SEGMENT ->
          awaitSpace(replica, choice == LaneTargets.Choice.FULL);
      case BUSY -> {
        // Others use the segments that may have room: it is tried again in a later turn.
        units.backToFront(replica);
        return false;
      }
    }
    return true;
  }

  /**
   * Looks what became of an object on disk that has moved already; answers false when it has not,
   * or is to be moved again.
   */
  private boolean isSettledByMove(int row, int replica) {
    boolean kept = core.objects.has(row, ObjectRows.KEPT);
    if (!units.isMoved(replica) && !kept) {
      return false;
    }
    Rehoming.Home home = core.rehoming.home(row, rules);
    if (home == Rehoming.Home.IN_MEMORY) {
      if (!units.contains(replica)) {
        // A lane of this job or of an earlier one, that is closed, has moved it.
        units.moved(replica, replicas.slot(replica));
      }
      awaitDisk(row, replica);
      return true;
    }
    if (!units.isMoved(replica)) {
      return false;
    }
    if (home == Rehoming.Home.NOWHERE) {
      tally.undo(core.objects.size(row));
      units.undone(replica);
      return false;
    }
    tally.rehome();
    core.transfers.remove(row, replica, core.hash(row));
    core.settle(row);
    spaceCame = waitsForSpace(); // it may be evicted from a target that is named
    return true;
  }

  /** A unit waits until its object is on the disk of its new home. */
  private void awaitDisk(int row, int replica) {
    if (!core.objects.has(row, ObjectRows.OFFLOADING) && units.mayAskForDisk(replica)) {
      core.rehoming.rehome(row);
    }
    await(replica, WaitReason.NEW_HOME_DISK);
  }

  private void start(int row, int replica, LaneRoom room, TransferSink sink) {
    units.start(replica);
    tally.start(core.objects.size(row));
    UUID task = new UUID(room.random().getAsLong(), room.random().getAsLong());
    core.transfers.begin(
        row, replica, task, TaskType.REPLICA_MOVE, true, room.extents(), grantMillis, sink);
  }

  private void drop(int row, int replica) {
    boolean disk = replicas.type(replica) == IndexCore.LOCAL_DISK;
    if (disk && waitsForDisk(row)) {
      awaitDisk(row, replica);
      return;
    }
    int companion = core.transfers.diskCompanion(row, replica);
    core.transfers.remove(row, replica, disk ? core.hash(row) : 0);
    if (!takesOver(row, companion)) {
      tally.drop(core.objects.size(row));
    }
    core.settle(row);
  }

  /** Whether a unit goes on with a replica on a disk, its replica in memory being given up. */
  private boolean takesOver(int row, int companion) {
    if (companion == 0 || rules.goesWithMemory(row, companion)) {
      return false;
    }
    int slot = replicas.slot(companion);
    return rules.isSource(slot, core.slots.generation(slot));
  }

  private void await(int replica, WaitReason reason) {
    core.lanes.await(rules.object(replica), units.await(replica, reason));
  }

  private void awaitSpace(int replica, boolean eviction) {
    evictionHelps = eviction;
    if (units.awaitSpace(replica)) {
      spaceCame = false; // the first that still does not fit stays the first
    }
  }

  // Figures

  LaneFigures figures() {
    signalled = false;
    Set<WaitReason> paused = EnumSet.noneOf(WaitReason.class);
    Map<Long, Long> unitsOf = new HashMap<>();
    Map<Long, Long> rehomingOf = new HashMap<>();
    long bytes = 0;
    boolean walked = true;
    for (Source source : sources) {
      boolean open = !source.walked && core.segments.isLive(source.slot, source.generation);
      WaitReason reason = open ? pause(source) : null;
      if (reason != null) {
        paused.add(reason);
      }
      walked &= !open;
      long moved = units.movedOn(source.slot);
      rehomingOf.put(source.generation, moved);
      unitsOf.put(
          source.generation,
          core.slots.replicas(source.slot, source.generation) - pairs.on(source.slot) - moved);
      bytes += core.slots.bytes(source.slot, source.generation);
    }
    units.addReasons(paused);
    return new LaneFigures(
        left,
        unitsOf,
        rehomingOf,
        bytes,
        units.active(),
        units.waitingForObject(),
        units.waitingForSpace(),
        units.failed(),
        paused,
        walked && units.areSettled(),
        touchedUntilMillis());
  }

  /** Until when somebody may touch what was on the sources; 0 when nobody may. */
  private long touchedUntilMillis() {
    long until = 0;
    for (Source source : sources) {
      until = Math.max(until, core.slots.touchedUntil(source.slot, source.generation));
    }
    return until;
  }

  /** When nobody can touch what was on the sources, in milliseconds; 0 while something is there. */
  long emptyAtMillis() {
    return left > 0 ? 0 : touchedUntilMillis();
  }

  /** The time has come at which nobody can touch what was on the sources. */
  void emptied() {
    signal();
  }

  /** Shows some units that wait. */
  void visitWaiting(int max, ObjectView view, LaneUnitVisitor visitor) {
    units.visitWaiting(
        max,
        (replica, reason) ->
            visitor.unit(
                view.at(rules.object(replica)),
                core.replicaId(replica),
                core.slots.generation(replicas.slot(replica)),
                reason));
  }
}
