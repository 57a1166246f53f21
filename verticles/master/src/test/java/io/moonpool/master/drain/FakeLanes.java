package io.moonpool.master.drain;

import io.moonpool.core.index.WaitReason;
import io.moonpool.master.metadata.LaneBatch;
import io.moonpool.master.metadata.LanePlan;
import io.moonpool.master.metadata.LaneSpec;
import io.moonpool.master.metadata.LaneStatus;
import io.moonpool.master.metadata.LaneUnit;
import io.moonpool.master.metadata.StartedTransfer;
import io.moonpool.master.metadata.TransferRequest;
import io.moonpool.master.metadata.UnitRef;
import io.moonpool.master.metadata.WaitingUnit;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTarget;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Metadata loops that a test fills with units; everything is answered at once. */
final class FakeLanes implements Lanes {
  /** Completes when the ends of transfers are durable. */
  Future<Void> recorded = Future.succeededFuture();

  static final long SIZE = 1_000;
  static final long TARGET = 99;

  /** A unit as the test sees it. */
  static final class Unit {
    final UnitRef ref;
    final long bytes;
    boolean gone;
    boolean failed;

    Unit(UnitRef ref, long bytes) {
      this.ref = ref;
      this.bytes = bytes;
    }

    String key() {
      return new String(ref.key(), StandardCharsets.UTF_8);
    }
  }

  private static final class Lane {
    final ArrayDeque<Unit> ready = new ArrayDeque<>();
    final Map<String, Unit> active = new LinkedHashMap<>();
    final Map<String, Unit> blocked = new LinkedHashMap<>();
    final Map<String, Unit> failed = new LinkedHashMap<>();
    int droppable;
    long rehomed;
    long undone;
  }

  final List<Lane> lanes = new ArrayList<>();
  final Map<String, Unit> units = new HashMap<>();
  final Map<UUID, StartedTransfer> transfers = new LinkedHashMap<>();
  final Set<WaitReason> paused = EnumSet.noneOf(WaitReason.class);
  final List<LaneSpec> opened = new ArrayList<>();
  final List<UUID> closed = new ArrayList<>();
  final List<UUID> revoked = new ArrayList<>();

  /** What the end of the next transfers of a key answers; OK otherwise. */
  final Map<String, ErrorCode> endsWith = new HashMap<>();

  /** What a start by hand fails with; it starts otherwise. */
  ErrorCode startFails = ErrorCode.OK;

  private long rehomingOn;
  private long rehoming;
  long leaseLeftMillis;
  int takes;
  int statuses;
  int spaceWanted;
  int replicaIds;

  /** When set, answers of open() wait for the test. */
  boolean holdOpens;

  private final List<Runnable> heldOpens = new ArrayList<>();

  /** When set, answers of take() wait for the test. */
  boolean holdTakes;

  private final List<Runnable> heldTakes = new ArrayList<>();
  final List<Integer> asked = new ArrayList<>();

  FakeLanes(int count) {
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane());
    }
  }

  /** Puts an object on a source. */
  Unit add(int lane, String key, long generation, long bytes) {
    Unit unit =
        new Unit(
            new UnitRef("", key.getBytes(StandardCharsets.UTF_8), generation, ++replicaIds), bytes);
    units.put(key, unit);
    lanes.get(lane).ready.add(unit);
    return unit;
  }

  Unit add(int lane, String key, long generation) {
    return add(lane, key, generation, SIZE);
  }

  /** Replicas that every other segment has, too. */
  void addDroppable(int lane, int count) {
    lanes.get(lane).droppable += count;
  }

  /** So many units that have moved are on a disk until one has them at their new home. */
  void rehoming(long generation, long count) {
    rehomingOn = generation;
    rehoming = count;
  }

  /** A disk has some of them at their new home. */
  void rehome(int lane, int count) {
    rehoming -= count;
    lanes.get(lane).rehomed += count;
  }

  /** The new home of one of them has gone. */
  void undo(int lane, String key, long generation) {
    rehoming--;
    lanes.get(lane).undone++;
    add(lane, key, generation);
  }

  void block(int lane, String key, long generation) {
    Unit unit = add(lane, key, generation);
    lanes.get(lane).ready.remove(unit);
    lanes.get(lane).blocked.put(key, unit);
  }

  void unblock(int lane, String key) {
    lanes.get(lane).ready.add(lanes.get(lane).blocked.remove(key));
  }

  /** What was under way is on its source again: its transfer was revoked. */
  void reset() {
    for (Lane lane : lanes) {
      lane.ready.addAll(lane.active.values());
      lane.active.clear();
    }
  }

  /** A source is mounted anew, with all that is still on it. */
  void remounted(long before, long after) {
    reset();
    for (Lane lane : lanes) {
      List<Unit> ready = List.copyOf(lane.ready);
      lane.ready.clear();
      for (Unit unit : ready) {
        UnitRef ref = unit.ref;
        lane.ready.add(
            ref.sourceGeneration() == before
                ? new Unit(new UnitRef(ref.tenant(), ref.key(), after, ref.replicaId()), unit.bytes)
                : unit);
      }
    }
  }

  private boolean mine(UUID job, Unit unit) {
    return opened.reversed().stream()
        .filter(spec -> spec.job().equals(job))
        .findFirst()
        .filter(
            spec ->
                spec.sources().stream()
                    .anyMatch(s -> s.generation() == unit.ref.sourceGeneration()))
        .isPresent();
  }

  void releaseTakes() {
    holdTakes = false;
    List.copyOf(heldTakes).forEach(Runnable::run);
    heldTakes.clear();
  }

  @Override
  public int count() {
    return lanes.size();
  }

  @Override
  public Future<Void> open(LaneSpec spec) {
    opened.add(spec);
    if (!holdOpens) {
      return Future.succeededFuture();
    }
    Promise<Void> promise = Promise.promise();
    heldOpens.add(promise::complete);
    return promise.future();
  }

  void releaseOpens() {
    holdOpens = false;
    List.copyOf(heldOpens).forEach(Runnable::run);
    heldOpens.clear();
  }

  @Override
  public Future<LaneBatch> take(int lane, UUID job, int maxUnits, long maxBytes) {
    takes++;
    asked.add(maxUnits);
    Lane from = lanes.get(lane);
    List<LaneUnit> started = new ArrayList<>();
    long bytes = 0;
    int dropped = from.droppable;
    from.droppable = 0;
    long rehomed = from.rehomed;
    long undone = from.undone;
    long undoneBytes = undone * SIZE;
    from.rehomed = 0;
    from.undone = 0;
    for (Unit unit : List.copyOf(from.ready)) {
      if (!mine(job, unit) || started.size() >= maxUnits || bytes >= maxBytes) {
        continue;
      }
      from.ready.remove(unit);
      bytes += unit.bytes;
      from.active.put(unit.key(), unit);
      started.add(new LaneUnit(unit.ref, transfer(UUID.randomUUID(), unit, true)));
    }
    LaneBatch batch =
        new LaneBatch(
            started,
            dropped,
            rehomed,
            undone,
            undoneBytes,
            from.ready.stream().anyMatch(unit -> mine(job, unit)));
    if (!holdTakes) {
      return Future.succeededFuture(batch);
    }
    Promise<LaneBatch> promise = Promise.promise();
    heldTakes.add(() -> promise.complete(batch));
    return promise.future();
  }

  private StartedTransfer transfer(UUID task, Unit unit, boolean isDrain) {
    StartedTransfer transfer =
        new StartedTransfer(
            task,
            TaskType.REPLICA_MOVE,
            isDrain,
            new DiskObject(
                "",
                unit.ref.key(),
                1,
                unit.bytes,
                Checksum.NONE,
                ObjectDataType.ofNumber(0),
                false,
                ""),
            new ReplicaSource(ReplicaType.MEMORY, unit.ref.sourceGeneration(), 0),
            List.of(new ReplicaTarget(1000 + unit.ref.replicaId(), TARGET, 0)));
    transfers.put(task, transfer);
    return transfer;
  }

  private Lane laneOf(UnitRef ref) {
    String key = new String(ref.key(), StandardCharsets.UTF_8);
    return lanes.stream().filter(l -> l.active.containsKey(key)).findFirst().orElseThrow();
  }

  @Override
  public void again(int lane, UUID job, UnitRef unit) {
    Lane at = laneOf(unit);
    at.ready.add(at.active.remove(new String(unit.key(), StandardCharsets.UTF_8)));
  }

  @Override
  public void fail(int lane, UUID job, UnitRef unit) {
    Lane at = laneOf(unit);
    String key = new String(unit.key(), StandardCharsets.UTF_8);
    at.failed.put(key, at.active.remove(key));
  }

  @Override
  public Future<LaneStatus> status(UUID job) {
    statuses++;
    return Future.succeededFuture(status(job, lanes));
  }

  private LaneStatus status(UUID job, List<Lane> of) {
    long replicas = 0;
    long blocked = 0;
    boolean exhausted = paused.isEmpty();
    Map<Long, Long> unitsOf = new HashMap<>();
    List<WaitingUnit> first = new ArrayList<>();
    for (Lane lane : of) {
      List<Unit> ready = lane.ready.stream().filter(unit -> mine(job, unit)).toList();
      List<Unit> under = lane.active.values().stream().filter(unit -> mine(job, unit)).toList();
      List<Unit> waits = lane.blocked.values().stream().filter(unit -> mine(job, unit)).toList();
      List<Unit> over = lane.failed.values().stream().filter(unit -> mine(job, unit)).toList();
      replicas += ready.size() + under.size() + waits.size() + over.size() + lane.droppable;
      for (List<Unit> part : List.of(ready, under, waits, over)) {
        part.forEach(unit -> unitsOf.merge(unit.ref.sourceGeneration(), 1L, Long::sum));
      }
      blocked += waits.size();
      exhausted &= ready.isEmpty() && under.isEmpty() && waits.isEmpty() && lane.droppable == 0;
      waits.stream()
          .limit(LaneStatus.FIRST)
          .forEach(unit -> first.add(new WaitingUnit(unit.ref, WaitReason.NO_SPACE)));
    }
    replicas += rehoming;
    exhausted &= rehoming == 0;
    return new LaneStatus(
        replicas,
        unitsOf,
        Map.of(rehomingOn, rehoming),
        0,
        blocked,
        paused,
        exhausted,
        leaseLeftMillis,
        first);
  }

  @Override
  public void close(UUID job) {
    closed.add(job);
  }

  @Override
  public Future<StartedTransfer> start(TransferRequest request) {
    if (startFails != ErrorCode.OK) {
      return Future.failedFuture(new StoreException(startFails));
    }
    Unit unit =
        new Unit(
            new UnitRef(
                request.tenant(),
                request.key(),
                request.source().map(mount -> mount.generation()).orElse(1L),
                ++replicaIds),
            SIZE);
    return Future.succeededFuture(transfer(request.taskId(), unit, false));
  }

  @Override
  public void wantSpace() {
    spaceWanted++;
  }

  @Override
  public Future<ErrorCode> end(StartedTransfer transfer) {
    transfers.remove(transfer.taskId());
    String key = new String(transfer.object().key(), StandardCharsets.UTF_8);
    ErrorCode code = endsWith.getOrDefault(key, ErrorCode.OK);
    if (code == ErrorCode.OK
        || code == ErrorCode.OBJECT_NOT_FOUND
        || code == ErrorCode.INVALID_VERSION) {
      lanes.forEach(lane -> lane.active.remove(key));
    }
    return recorded.map(code);
  }

  @Override
  public Future<Void> revoke(StartedTransfer transfer) {
    transfers.remove(transfer.taskId());
    revoked.add(transfer.taskId());
    return Future.succeededFuture();
  }

  @Override
  public Future<LanePlan> plan(LaneSpec spec) {
    return Future.succeededFuture(
        new LanePlan(units.size(), units.size() * SIZE, 0, 0, 0, List.of(), 0, List.of()));
  }
}
