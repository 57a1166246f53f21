package io.moonpool.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.Extent;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Reach;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.TaskType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * An index of all shards over some segments, with a clock to set, an allocator that hands out every
 * extent once, and a check that the index gives each back at most once.
 */
final class TestPool implements IndexEffects {
  static final UUID WRITER = new UUID(1, 1);
  static final UUID OTHER = new UUID(2, 2);
  static final long LEASE = 10_000;
  static final long GRANT = 30_000;
  static final long SKEW = 100;
  static final long SIZE = 1000;

  /** Longer than everything else. */
  static final long MOONCAKE_GRANT = 600_000;

  final SegmentTable segments = new SegmentTable();
  final ObjectIndex index;
  final StartedWrite started = new StartedWrite();

  /** Extents that were handed to the index and did not come back, by their node. */
  final Map<Integer, Extent> held = new HashMap<>();

  /** Nodes in the order in which they came back. */
  final List<Integer> freed = new ArrayList<>();

  long now = 1_000_000;
  private int lastNode;
  private long lastGeneration = 1L << 32;

  TestPool() {
    this(OffloadPolicy.OFF);
  }

  TestPool(OffloadPolicy offload) {
    this(offload, PromotionPolicy.OFF);
  }

  TestPool(OffloadPolicy offload, PromotionPolicy promotion) {
    index =
        new ObjectIndex(
            0,
            ObjectIndex.SHARDS,
            new IndexConfig(LEASE, SKEW, 1, offload, promotion, MOONCAKE_GRANT),
            segments,
            this);
    mount(0);
  }

  static IndexConfig config() {
    return config(PromotionPolicy.OFF);
  }

  static IndexConfig config(PromotionPolicy promotion) {
    return new IndexConfig(LEASE, SKEW, 1, OffloadPolicy.OFF, promotion);
  }

  @Override
  public void free(int slot, long generation, long offsetUnits, long length, int node) {
    Extent extent = held.remove(node);
    assertThat(extent)
        .as("node %d is freed once", node)
        .isEqualTo(new Extent(slot, generation, offsetUnits * Extent.UNIT, length, node));
    freed.add(node);
  }

  /** What was made durable: disk, hash, version. */
  record Floor(int disk, long hash, long version) {}

  final List<Floor> floors = new ArrayList<>();

  /** The disks that had nothing to take and have now. */
  final List<Integer> ready = new ArrayList<>();

  @Override
  public void floor(int disk, long keyHash, long version) {
    floors.add(new Floor(disk, keyHash, version));
  }

  @Override
  public void offload(int slot, long generation) {
    assertThat(segments.generation(slot)).isEqualTo(generation);
    ready.add(slot);
  }

  @Override
  public void send(ShardMail mail) {
    throw new AssertionError("one loop has all shards: " + mail);
  }

  long mount(int slot) {
    return mount(slot, SegmentKind.MEMORY);
  }

  long mount(int slot, SegmentKind kind) {
    lastGeneration++;
    segments.apply(new SegmentChange.Mounted(slot, lastGeneration, kind, SegmentStatus.OK, true));
    return lastGeneration;
  }

  long mount(int slot, SegmentKind kind, int node, int disk) {
    lastGeneration++;
    segments.apply(
        new SegmentChange.Mounted(slot, lastGeneration, kind, SegmentStatus.OK, true, node, disk));
    return lastGeneration;
  }

  /** Memory that is lent by a client of that protocol, or for both. */
  long mount(int slot, Reach reach) {
    lastGeneration++;
    segments.apply(
        new SegmentChange.Mounted(
            slot,
            lastGeneration,
            SegmentKind.MEMORY,
            SegmentStatus.OK,
            true,
            SegmentTable.NO_NODE,
            0,
            reach));
    return lastGeneration;
  }

  void status(int slot, SegmentStatus status) {
    segments.apply(new SegmentChange.StatusChanged(slot, segments.generation(slot), status));
  }

  void serving(int slot, boolean serving) {
    segments.apply(new SegmentChange.ServingChanged(slot, segments.generation(slot), serving));
  }

  static ObjectKey key(String key) {
    return key(key, 0);
  }

  static ObjectKey key(String key, int tenant) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return new ObjectKey().set(bytes, 0, bytes.length, tenant);
  }

  static WriteTerms terms() {
    return terms(WRITER);
  }

  static WriteTerms terms(UUID writer) {
    return new WriteTerms(writer, GRANT, SoftPinAction.PRESERVE, 0, false, ObjectDataType.UNKNOWN);
  }

  static WriteTerms softPin(SoftPinAction action, long ttlMillis) {
    return new WriteTerms(WRITER, GRANT, action, ttlMillis, false, ObjectDataType.UNKNOWN);
  }

  static WriteTerms hardPin() {
    return new WriteTerms(WRITER, GRANT, SoftPinAction.PRESERVE, 0, true, ObjectDataType.UNKNOWN);
  }

  /** New extents in those slots. */
  ExtentList extents(long size, int... slots) {
    ExtentList extents = new ExtentList();
    for (int slot : slots) {
      lastNode++;
      extents.add(slot, segments.generation(slot), lastNode * 1000L, size, lastNode);
    }
    return extents;
  }

  /** The node of the extent that was handed out last. */
  int lastNode() {
    return lastNode;
  }

  void hold(ExtentList extents) {
    for (int i = 0; i < extents.size(); i++) {
      held.put(extents.node(i), extents.get(i));
    }
  }

  ErrorCode putStart(ObjectKey key, long size, WriteTerms terms, int... slots) {
    ExtentList extents = extents(size, slots);
    ErrorCode code = index.putStart(key, size, terms, null, extents, now, started);
    if (code == ErrorCode.OK) {
      hold(extents);
    }
    return code;
  }

  ErrorCode upsertStart(ObjectKey key, long size, WriteTerms terms, int... slots) {
    ExtentList extents = extents(size, slots);
    ErrorCode code = index.upsertStart(key, size, terms, null, extents, now, started);
    if (code == ErrorCode.OK) {
      hold(extents);
    }
    return code;
  }

  ErrorCode end(ObjectKey key, long version) {
    return index.end(key, WRITER, version, Checksum.NONE, now);
  }

  /** Starts a put that must be possible; answers its version. */
  long start(String key) {
    assertThat(putStart(key(key), SIZE, terms(), 0)).isEqualTo(ErrorCode.OK);
    return started.version();
  }

  /** Starts an upsert that must be possible; answers its version. */
  long startUpsert(String key) {
    assertThat(upsertStart(key(key), SIZE, terms(), 0)).isEqualTo(ErrorCode.OK);
    return started.version();
  }

  /** Puts an object from start to end; answers its version. */
  long put(String key) {
    return put(key, terms(), 0);
  }

  long put(String key, WriteTerms terms, int... slots) {
    assertThat(putStart(key(key), SIZE, terms, slots)).isEqualTo(ErrorCode.OK);
    assertThat(end(key(key), started.version())).isEqualTo(ErrorCode.OK);
    return started.version();
  }

  /** Puts a member of a group from start to end. */
  long putGrouped(String key, String group) {
    return putGrouped(key, group, terms());
  }

  long putGrouped(String key, String group, WriteTerms terms) {
    return putGrouped(key, group, terms, 0);
  }

  long putGrouped(String key, String group, WriteTerms terms, int slot) {
    ExtentList extents = extents(SIZE, slot);
    assertThat(index.putStart(key(key), SIZE, terms, group, extents, now, started))
        .isEqualTo(ErrorCode.OK);
    hold(extents);
    assertThat(end(key(key), started.version())).isEqualTo(ErrorCode.OK);
    return started.version();
  }

  /** Gives an object a replica on a disk that the journal does not know. */
  void addDiskReplica(String key, int slot) {
    index.core.addDiskReplica(index.core.find(key(key)), slot, segments.generation(slot));
  }

  private static final UUID COPY = new UUID(3, 3);

  /** Starts a copy that must be possible. */
  void startCopy(String key, int target) {
    TransferWish wish =
        new TransferWish(
            TaskType.REPLICA_COPY,
            COPY,
            Optional.empty(),
            List.of(new SegmentMount(target, segments.generation(target))),
            GRANT);
    ExtentList extents = extents(describe(key).size(), target);
    assertThat(
            index
                .transfers()
                .start(key(key), wish, extents, now, (task, object, source, targets) -> {}))
        .isEqualTo(ErrorCode.OK);
    hold(extents);
  }

  ErrorCode revokeCopy(String key, long version) {
    return index.transfers().revoke(key(key), TaskType.REPLICA_COPY, COPY, version, now);
  }

  boolean has(String key) {
    return index.describe(key(key), now, object -> true) == ErrorCode.OK;
  }

  /** Evicts that many objects, or all that may be evicted. */
  long evict(EvictionTier tier, long objects) {
    Evicted evicted = index.evict(tier, objects, Long.MAX_VALUE, now, () -> true);
    assertThat(evicted.more()).isFalse();
    return evicted.objects();
  }

  ObjectInfo describe(String key) {
    ObjectInfo[] info = new ObjectInfo[1];
    assertThat(
            index.describe(
                key(key),
                now,
                object -> {
                  info[0] = object.info("default");
                  return true;
                }))
        .isEqualTo(ErrorCode.OK);
    return info[0];
  }

  /** What a reader is told; the code alone when it is not told more. */
  Location locate(String key) {
    return locate(key(key));
  }

  Location locate(ObjectKey key) {
    Location location = new Location();
    location.code = index.locate(key, now, location);
    return location;
  }

  /** Takes what {@link ObjectIndex#locate} tells. */
  static final class Location implements LocationSink {
    ErrorCode code = ErrorCode.INTERNAL_ERROR;
    long version;
    long size;
    Checksum checksum = Checksum.NONE;
    final List<Replica> replicas = new ArrayList<>();

    @Override
    public void object(
        long version, long size, ChecksumKind kind, long checksum, int[] blockChecksums) {
      this.version = version;
      this.size = size;
      this.checksum = new Checksum(kind, checksum, blockChecksums);
    }

    @Override
    public void replica(long id, ReplicaType type, long generation, long offset) {
      replicas.add(new Replica(id, type, generation, offset));
    }
  }

  record Replica(long id, ReplicaType type, long generation, long offset) {}
}
