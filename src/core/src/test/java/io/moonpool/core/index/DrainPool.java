package io.moonpool.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.TaskType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;

/** Nodes with memory that is really allocated, and disks; an index over them; drain jobs. */
final class DrainPool implements IndexEffects, TransferEffects {
  static final UUID JOB = new UUID(9, 9);
  static final long GRANT = 30_000;
  static final long HOLD = 2000;
  static final long DISK_BYTES = 1L << 40;

  /** A node's memory segments and disk. */
  final class Node {
    final UUID id;
    final List<SegmentMount> memory = new ArrayList<>();
    SegmentMount disk = new SegmentMount(SegmentTable.NO_SLOT, SegmentTable.NO_GENERATION);

    Node(UUID id) {
      this.id = id;
    }

    /** All segments, memory first. */
    List<SegmentMount> segments() {
      List<SegmentMount> all = new ArrayList<>(memory);
      if (disk.slot() != SegmentTable.NO_SLOT) {
        all.add(disk);
      }
      return all;
    }

    void is(ClientState state) {
      apply(registry.ownerChanged(id, state));
    }
  }

  /** A move that a node was told to do. */
  record Move(
      UUID task,
      String key,
      int tenant,
      long version,
      long size,
      TransferSink.Source source,
      List<TransferTarget> targets) {}

  final SegmentRegistry registry = new SegmentRegistry(1, AllocationStrategy.RANDOM);
  final SegmentTable table = new SegmentTable();
  final ObjectIndex index;
  final SplittableRandom random;
  final StartedWrite started = new StartedWrite();
  final ExtentList extents = new ExtentList();
  final List<Node> nodes = new ArrayList<>();
  final List<UUID> changed = new ArrayList<>();
  final List<UUID> expired = new ArrayList<>();
  final Map<Integer, Integer> disksReady = new HashMap<>();
  final List<Long> floorVersions = new ArrayList<>();
  double watermark = 0.9;
  boolean evicts = true;
  long now = 1_000_000;
  long looked;

  /** A step ends when {@link #looked} gets there. */
  long mayLook = Long.MAX_VALUE;

  DrainPool(OffloadPolicy offload) {
    this(offload, 1);
  }

  DrainPool(OffloadPolicy offload, long seed) {
    random = new SplittableRandom(seed);
    index =
        new ObjectIndex(
            0,
            ObjectIndex.SHARDS,
            new IndexConfig(TestPool.LEASE, TestPool.SKEW, 1, offload),
            table,
            this);
    index.transferEffects(this);
  }

  static OffloadPolicy offload(boolean onEvict) {
    return new OffloadPolicy(true, onEvict, false, 1000, 0.5, HOLD);
  }

  // Effects

  @Override
  public void free(int slot, long generation, long offsetUnits, long length, int node) {
    registry.placement().current().free(slot, generation, offsetUnits, node);
    freed = true;
  }

  boolean freed;

  @Override
  public void floor(int disk, long keyHash, long version) {
    floorVersions.add(version);
  }

  @Override
  public void offload(int slot, long generation) {
    disksReady.merge(slot, 1, Integer::sum);
  }

  @Override
  public void send(ShardMail mail) {
    throw new AssertionError("one loop has all shards: " + mail);
  }

  @Override
  public void expired(UUID task) {
    expired.add(task);
  }

  @Override
  public void laneChanged(UUID job) {
    changed.add(job);
  }

  // Nodes

  void apply(List<SegmentChange> changes) {
    changes.forEach(table::apply);
    index.lanes().segmentsChanged(now);
  }

  /** A node with memory segments of those sizes. */
  Node node(long... memory) {
    int number = nodes.size() + 1;
    Node node = new Node(new UUID(100, number));
    nodes.add(node);
    for (long size : memory) {
      memory(node, size);
    }
    return node;
  }

  SegmentMount memory(Node node, long size) {
    UUID id = UUID.nameUUIDFromBytes((node.id + "m" + node.memory.size()).getBytes());
    String name = "n" + nodes.indexOf(node) + "m" + node.memory.size();
    SegmentSpec spec = SegmentSpec.memory(id, name, size, "", List.of());
    var update = registry.mount(node.id, ClientState.ACTIVE, List.of(spec));
    apply(update.changes());
    long generation = update.result().getFirst().generation();
    SegmentMount mount = registry.mountOf(generation);
    node.memory.add(mount);
    return mount;
  }

  /** Gives a node a disk that has been scanned. */
  void disk(Node node) {
    mountDisk(node);
    assertThat(index.completeScan(node.disk.slot(), node.disk.generation(), now))
        .isEqualTo(ErrorCode.OK);
  }

  void mountDisk(Node node) {
    int number = nodes.indexOf(node) + 1;
    SegmentSpec spec =
        new SegmentSpec(
            new UUID(200, number),
            "disk" + number,
            DISK_BYTES,
            "",
            List.of(),
            SegmentKind.LOCAL_DISK);
    var update = registry.mountDisk(node.id, ClientState.ACTIVE, spec, number);
    apply(update.changes());
    long generation = update.result().generation();
    node.disk = registry.mountOf(generation);
  }

  /** The disk of a node is taken away, and comes back to be scanned. */
  void remountDisk(Node node) {
    unmount(node, node.disk);
    mountDisk(node);
  }

  /** A segment of a node is taken away. */
  void unmount(Node node, SegmentMount gone) {
    UUID id = registry.find(gone.generation()).orElseThrow().spec().id();
    apply(registry.unmount(node.id, id).changes());
    assertThat(index.sweep(gone.slot(), gone.generation(), now, () -> true)).isTrue();
    apply(registry.swept(gone.generation()));
    index.tendDisks(now, () -> true);
  }

  void drain(SegmentMount segment) {
    happen(segment, SegmentEvent.DRAIN);
  }

  void happen(SegmentMount segment, SegmentEvent event) {
    SegmentInfo info = registry.find(segment.generation()).orElseThrow();
    var update = registry.drain(info.spec().id(), event);
    assertThat(update.result()).isEqualTo(ErrorCode.OK);
    apply(update.changes());
  }

  // Objects

  /** Puts an object with a replica on each of those segments. */
  long put(String key, long size, SegmentMount... segments) {
    start(key, size, TestPool.terms(), segments);
    long version = started.version();
    assertThat(end(key, version)).isEqualTo(ErrorCode.OK);
    return version;
  }

  long start(String key, long size, WriteTerms terms, SegmentMount... segments) {
    allocate(size, segments);
    assertThat(index.putStart(TestPool.key(key), size, terms, null, extents, now, started))
        .isEqualTo(ErrorCode.OK);
    return started.version();
  }

  long startUpsert(String key, long size, SegmentMount... segments) {
    allocate(size, segments);
    assertThat(
            index.upsertStart(
                TestPool.key(key), size, TestPool.terms(), null, extents, now, started))
        .isEqualTo(ErrorCode.OK);
    return started.version();
  }

  ErrorCode end(String key, long version) {
    return index.end(
        TestPool.key(key), TestPool.WRITER, version, Checksum.crc32c((int) version), now);
  }

  void allocate(long size, SegmentMount... segments) {
    extents.clear();
    for (SegmentMount segment : segments) {
      assertThat(
              registry
                  .placement()
                  .current()
                  .allocateOn(segment.slot(), segment.generation(), size, table, extents))
          .isEqualTo(AllocationResult.ALLOCATED);
    }
  }

  /** An object that is on disk only. */
  void putOnDisk(String key, long size, Node node) {
    long version = put(key, size, node.memory.getFirst());
    offloadAll(node);
    removeMemory(key);
    assertThat(describe(key).version()).isEqualTo(version);
    assertThat(types(key)).containsExactly(ReplicaType.LOCAL_DISK);
  }

  /** The same, known from a scan. */
  void putOnDiskByReport(String key, long size, Node node) {
    ObjectKey named = TestPool.key(key);
    long version = 1000L * ObjectIndex.SHARDS + named.shard();
    assertThat(
            index.reportDisk(
                named,
                new StoredObject(
                    version,
                    size,
                    Checksum.crc32c((int) version),
                    ObjectDataType.UNKNOWN,
                    false,
                    0,
                    null),
                node.disk.slot(),
                node.disk.generation(),
                now))
        .isEqualTo(ErrorCode.OK);
  }

  private void removeMemory(String key) {
    for (ReplicaDescriptor replica : describe(key).replicas()) {
      if (replica.type() == ReplicaType.MEMORY) {
        assertThat(TestReplicas.remove(index, TestPool.key(key), replica.id(), now))
            .isEqualTo(ErrorCode.OK);
      }
    }
  }

  /** A node writes to its disk what it is told to. */
  int offloadAll(Node node) {
    return offload(node, Integer.MAX_VALUE, true);
  }

  int offload(Node node, int max, boolean stored) {
    makeDead(node);
    Map<String, Long> tasks = new HashMap<>();
    index.takeOffloads(
        node.disk.slot(),
        node.disk.generation(),
        max,
        now,
        (object, replica, memory, offset, until) -> tasks.put(object.key(), object.version()));
    tasks.forEach(
        (key, version) ->
            index.settleOffload(
                TestPool.key(key), version, node.disk.slot(), node.disk.generation(), stored, now));
    return tasks.size();
  }

  /** A node makes dead what is to leave its disk. */
  private void makeDead(Node node) {
    Map<Long, Long> dead = new HashMap<>();
    index.takeDropped(
        node.disk.slot(),
        node.disk.generation(),
        Integer.MAX_VALUE,
        now,
        (tenant, key, offset, length, version) ->
            dead.put(new ObjectKey().set(key, offset, length, tenant).hash(), version));
    dead.forEach(
        (hash, version) ->
            index.ackDropped(node.disk.slot(), node.disk.generation(), hash, version, now));
  }

  boolean has(String key) {
    return index.describe(TestPool.key(key), now, object -> true) == ErrorCode.OK;
  }

  boolean isComplete(String key) {
    boolean[] complete = {false};
    index.describe(TestPool.key(key), now, object -> complete[0] = object.complete());
    return complete[0];
  }

  ObjectInfo describe(String key) {
    ObjectInfo[] info = new ObjectInfo[1];
    assertThat(
            index.describe(
                TestPool.key(key),
                now,
                object -> {
                  info[0] = object.info("default");
                  return true;
                }))
        .as(key)
        .isEqualTo(ErrorCode.OK);
    return info[0];
  }

  List<ReplicaType> types(String key) {
    return describe(key).replicas().stream().map(ReplicaDescriptor::type).toList();
  }

  /** The mounts that an object has replicas on, in their order. */
  List<Long> generations(String key) {
    return describe(key).replicas().stream().map(ReplicaDescriptor::generation).toList();
  }

  // Jobs

  void open(UUID job, List<SegmentMount> sources, SegmentMount... targets) {
    sources.forEach(this::drain);
    index.lanes().open(job, sources, List.of(targets), GRANT, now);
  }

  List<Move> take(UUID job, int maxUnits) {
    return take(job, maxUnits, Long.MAX_VALUE);
  }

  LaneRoom room() {
    return new LaneRoom(
        registry.placement().current(), watermark, evicts, random::nextLong, extents);
  }

  LaneStep lastStep = new LaneStep(0, 0, 0, 0, 0, 0, 0, false, false);

  List<Move> take(UUID job, int maxUnits, long maxBytes) {
    List<Move> moves = new ArrayList<>();
    lastStep =
        index
            .lanes()
            .take(
                job,
                maxUnits,
                maxBytes,
                room(),
                now,
                () -> ++looked <= mayLook,
                (task, object, source, targets) ->
                    moves.add(
                        new Move(
                            task,
                            object.key(),
                            object.tenant(),
                            object.version(),
                            object.size(),
                            source,
                            targets)));
    assertThat(moves).hasSize(lastStep.started());
    return moves;
  }

  EndedTransfer end(Move move) {
    return index
        .transfers()
        .end(
            TestPool.key(move.key, move.tenant),
            TaskType.REPLICA_MOVE,
            move.task,
            move.version,
            now);
  }

  void endAll(List<Move> moves) {
    for (Move move : moves) {
      assertThat(end(move)).isEqualTo(new EndedTransfer(ErrorCode.OK, move.size));
    }
  }

  ErrorCode revoke(Move move) {
    return index
        .transfers()
        .revoke(
            TestPool.key(move.key, move.tenant),
            TaskType.REPLICA_MOVE,
            move.task,
            move.version,
            now);
  }

  void again(UUID job, Move move) {
    index.lanes().again(job, TestPool.key(move.key, move.tenant), move.source.replicaId(), now);
  }

  void fail(UUID job, Move move) {
    index.lanes().fail(job, TestPool.key(move.key, move.tenant), move.source.replicaId(), now);
  }

  LaneFigures figures(UUID job) {
    return index.lanes().figures(job, now);
  }

  Map<String, WaitReason> waiting(UUID job) {
    Map<String, WaitReason> waiting = new HashMap<>();
    index
        .lanes()
        .visitWaiting(
            job, 100, (object, replica, generation, reason) -> waiting.put(object.key(), reason));
    return waiting;
  }

  /** What one loop does when space came. */
  void passOnSpace() {
    if (freed) {
      freed = false;
      index.lanes().spaceCame(now);
    }
  }

  void work() {
    index.reapWrites(now, () -> true);
    index.releaseQuarantine(now, () -> true);
    index.tendDisks(now, () -> true);
    index.expireSoftPins(now, () -> true);
    index.lanes().tend(now);
  }

  /** The rows of the index are right, and the allocators hold what its replicas have. */
  void audit() {
    IndexAudit.check(index, table.slots());
  }

  /** Nothing waits: the allocators hold exactly what the replicas have. */
  void auditSpace() {
    audit();
    assertThat(index.stats().quarantinedExtents()).isZero();
    for (SegmentInfo segment : registry.list()) {
      if (segment.spec().kind() == SegmentKind.MEMORY) {
        int slot = registry.mountOf(segment.generation()).slot();
        assertThat(index.replicasInSlot(slot) == 0)
            .as(segment.spec().name())
            .isEqualTo(segment.usedBytes() == 0);
      }
    }
  }

  static TreeSet<String> keys(List<Move> moves) {
    TreeSet<String> keys = new TreeSet<>();
    moves.forEach(move -> keys.add(move.key));
    return keys;
  }
}
