package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.segment.SegmentChange;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisksTest {
  private static final int NODE = 3;
  private static final int MEMORY_SLOT = 5;
  private static final int DISK_SLOT = 6;
  private static final int OTHER_SLOT = 7;
  private static final int DISK = 11;
  private static final int OTHER = 12;
  private static final int LIMIT = 4;
  private static final long HOLD = 2000;

  private record Task(String key, long version, long replica, long generation, long until) {}

  private record Drop(String key, long version) {}

  private TestPool pool = new TestPool(offload(false, false));
  private long generation;

  private static OffloadPolicy offload(boolean onEvict, boolean force) {
    return new OffloadPolicy(true, onEvict, force, LIMIT, 0.5, HOLD);
  }

  private long mount(int slot, int disk, int node) {
    SegmentKind kind = disk == 0 ? SegmentKind.MEMORY : SegmentKind.LOCAL_DISK;
    return pool.mount(slot, kind, node, disk);
  }

  /** A node with memory and a disk that has been scanned. */
  private void node() {
    mount(MEMORY_SLOT, 0, NODE);
    generation = mount(DISK_SLOT, DISK, NODE);
    assertThat(pool.index.completeScan(DISK_SLOT, generation, pool.now)).isEqualTo(ErrorCode.OK);
  }

  private long unmount(int slot) {
    long gone = pool.segments.generation(slot);
    pool.status(slot, SegmentStatus.UNMOUNTING);
    assertThat(pool.index.sweep(slot, gone, pool.now, () -> true)).isTrue();
    pool.segments.apply(new SegmentChange.Unmounted(slot, gone));
    return gone;
  }

  private static StoredObject record(long version) {
    return new StoredObject(
        version, SIZE, Checksum.crc32c(7), ObjectDataType.KVCACHE, false, 0, null);
  }

  private ErrorCode report(String key, long version) {
    return pool.index.reportDisk(key(key), record(version), DISK_SLOT, generation, pool.now);
  }

  private List<Task> take(int max) {
    List<Task> tasks = new ArrayList<>();
    int taken =
        pool.index.takeOffloads(
            DISK_SLOT,
            generation,
            max,
            pool.now,
            (object, replica, memory, offset, until) ->
                tasks.add(new Task(object.key(), object.version(), replica, memory, until)));
    assertThat(taken).isEqualTo(tasks.size());
    return tasks;
  }

  private List<Drop> drops() {
    List<Drop> drops = new ArrayList<>();
    pool.index.takeDropped(
        DISK_SLOT,
        generation,
        100,
        pool.now,
        (tenant, key, offset, length, version) ->
            drops.add(new Drop(new String(key, offset, length, StandardCharsets.UTF_8), version)));
    return drops;
  }

  private long ack(String key, long version) {
    return pool.index.ackDropped(DISK_SLOT, generation, key(key).hash(), version, pool.now);
  }

  private ErrorCode settle(String key, long version, boolean stored) {
    return pool.index.settleOffload(key(key), version, DISK_SLOT, generation, stored, pool.now);
  }

  private List<ReplicaType> types(String key) {
    return pool.locate(key).replicas.stream().map(TestPool.Replica::type).toList();
  }

  private static TestPool.Floor floor(int disk, String key, long version) {
    return new TestPool.Floor(disk, key(key).hash(), version);
  }

  // Offload

  @Test
  void anObjectIsOffloadedWhenItsWriteEnds() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    assertThat(pool.ready).containsExactly(DISK_SLOT);
    List<Task> tasks = take(10);
    assertThat(tasks).hasSize(1);
    assertThat(tasks.getFirst().key()).isEqualTo("k");
    assertThat(tasks.getFirst().version()).isEqualTo(version);
    assertThat(tasks.getFirst().until()).isEqualTo(pool.now + HOLD);
    assertThat(settle("k", version, true)).isEqualTo(ErrorCode.OK);
    assertThat(types("k")).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    assertThat(pool.floors).isEmpty();
    assertThat(pool.index.stats().offloadsOpen()).isZero();
  }

  @Test
  void onlyNodesWithADiskOffload() {
    node();
    pool.put("elsewhere", terms(), 0);
    assertThat(take(10)).isEmpty();
    pool.segments.apply(new SegmentChange.OffloadChanged(DISK_SLOT, generation, false));
    pool.put("full", terms(), MEMORY_SLOT);
    assertThat(take(10)).isEmpty();
    pool.segments.apply(new SegmentChange.OffloadChanged(DISK_SLOT, generation, true));
    pool.put("again", terms(), MEMORY_SLOT);
    assertThat(keys(take(10))).containsExactly("again", "full");
  }

  @Test
  void theQueueIsBounded() {
    node();
    for (int i = 0; i < LIMIT + 3; i++) {
      pool.put("k" + i, terms(), MEMORY_SLOT);
    }
    assertThat(take(100)).hasSize(LIMIT);
  }

  @Test
  void anOffloadKeepsItsSourceUntilItsTimeIsOver() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    assertThat(pool.evict(EvictionTier.UNPINNED, 9)).isZero();
    take(1);
    assertThat(pool.evict(EvictionTier.UNPINNED, 9)).isZero();
    assertThat(pool.index.nextDeadlineMillis()).isEqualTo(pool.now + HOLD);
    pool.now += HOLD;
    assertThat(pool.index.tendDisks(pool.now, () -> true)).isTrue();
    assertThat(pool.index.stats().offloadsOverdue()).isEqualTo(1);
    assertThat(pool.evict(EvictionTier.UNPINNED, 9)).isEqualTo(1);
    // The record may still come: nobody knows of the object, so it is deleted.
    assertThat(settle("k", version, true)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(pool.floors).containsExactly(floor(DISK, "k", version + 1));
  }

  @Test
  void aFailedOffloadGivesItsSourceBack() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    take(1);
    assertThat(settle("k", version, false)).isEqualTo(ErrorCode.OK);
    assertThat(pool.describe("k").replicas()).hasSize(1);
    assertThat(pool.evict(EvictionTier.UNPINNED, 9)).isEqualTo(1);
    assertThat(pool.floors).isEmpty();
  }

  @Test
  void aWriteOverAnOffloadGoesOnAndIsOffloadedAfterIt() {
    node();
    long first = pool.put("k", terms(), MEMORY_SLOT);
    take(1);
    assertThat(pool.upsertStart(key("k"), SIZE, terms(), MEMORY_SLOT)).isEqualTo(ErrorCode.OK);
    long second = pool.started.version();
    assertThat(pool.end(key("k"), second)).isEqualTo(ErrorCode.OK);
    assertThat(pool.floors).containsExactly(floor(DISK, "k", second));
    assertThat(take(1)).as("one open offload a key and disk").isEmpty();
    assertThat(settle("k", first, true)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(take(1)).extracting(Task::version).containsExactly(second);
    assertThat(settle("k", second, true)).isEqualTo(ErrorCode.OK);
    assertThat(types("k")).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
  }

  @Test
  void theSourceOfAnOffloadThatGoesWaitsUntilTheNodeHasReadIt() {
    node();
    pool.put("k", terms(), MEMORY_SLOT);
    take(1);
    int node = pool.lastNode();
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.freed).doesNotContain(node);
    pool.now += HOLD + TestPool.SKEW - 1;
    pool.index.tendDisks(pool.now, () -> true);
    pool.index.releaseQuarantine(pool.now, () -> true);
    assertThat(pool.freed).doesNotContain(node);
    pool.now++;
    pool.index.tendDisks(pool.now, () -> true);
    pool.index.releaseQuarantine(pool.now, () -> true);
    assertThat(pool.freed).contains(node);
  }

  @Test
  void theSourceOfAnOffloadThatGoesIsFreeWhenTheNodeSaysThatItHasReadIt() {
    node();
    long removed = pool.put("removed", terms(), MEMORY_SLOT);
    int ofRemoved = pool.lastNode();
    long first = pool.put("upserted", terms(), MEMORY_SLOT);
    int ofFirst = pool.lastNode();
    take(2);
    pool.index.remove(key("removed"), true, pool.now);
    pool.upsertStart(key("upserted"), SIZE, terms(), MEMORY_SLOT);
    assertThat(pool.end(key("upserted"), pool.started.version())).isEqualTo(ErrorCode.OK);
    assertThat(pool.freed).doesNotContain(ofRemoved, ofFirst);

    settle("removed", removed, true);
    settle("upserted", first, false);

    pool.index.releaseQuarantine(pool.now + TestPool.SKEW, () -> true);
    assertThat(pool.freed).contains(ofRemoved, ofFirst);
  }

  @Test
  void theSourceOfAnOffloadWhoseDiskGoesWaitsUntilTheNodeHasReadIt() {
    node();
    pool.put("k", terms(), MEMORY_SLOT);
    int node = pool.lastNode();
    take(1);
    pool.index.remove(key("k"), true, pool.now);
    unmount(DISK_SLOT);
    pool.index.tendDisks(pool.now, () -> true);
    pool.index.releaseQuarantine(pool.now, () -> true);
    assertThat(pool.freed).doesNotContain(node);
    pool.now += HOLD + TestPool.SKEW;
    pool.index.releaseQuarantine(pool.now, () -> true);
    assertThat(pool.freed).contains(node);
  }

  @Test
  void aDiskThatGoesGivesUpItsOffloads() {
    node();
    pool.put("waiting", terms(), MEMORY_SLOT);
    pool.put("taken", terms(), MEMORY_SLOT);
    take(1);
    unmount(DISK_SLOT);
    assertThat(pool.index.nextDeadlineMillis()).isLessThanOrEqualTo(pool.now);
    assertThat(pool.index.tendDisks(pool.now, () -> true)).isTrue();
    assertThat(pool.index.stats().offloadsWaiting()).isZero();
    assertThat(pool.index.stats().offloadsOpen()).isZero();
    assertThat(pool.evict(EvictionTier.UNPINNED, 9)).isEqualTo(2);
  }

  // Floors

  @Test
  void aRemovedObjectOfADiskLeavesAFloorUntilItsTombstone() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    take(1);
    settle("k", version, true);
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.floors).containsExactly(floor(DISK, "k", version + 1));
    assertThat(report("k", version)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(drops()).containsExactly(new Drop("k", version));
    assertThat(drops()).as("told once").isEmpty();
    pool.now += 60_000;
    assertThat(drops()).as("told again").hasSize(1);
    assertThat(ack("k", version)).isEqualTo(version + 1);
    assertThat(pool.index.stats().diskFloors()).isZero();
    assertThat(ack("k", version)).isZero();
    pool.now += 60_000;
    assertThat(drops()).isEmpty();
  }

  @Test
  void aFloorIsNotForgottenWhileAnOffloadMayStillWriteItsRecord() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    take(1);
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.floors).containsExactly(floor(DISK, "k", version + 1));
    Drop drop = drops().getFirst();
    assertThat(ack("k", version)).isZero();
    assertThat(settle("k", version, true)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(drops()).containsExactly(drop);
    assertThat(ack("k", version)).isEqualTo(version + 1);
  }

  @Test
  void withoutDisksNothingIsRecorded() {
    pool.put("k");
    pool.startUpsert("k");
    pool.end(key("k"), pool.started.version());
    pool.index.remove(key("k"), true, pool.now);
    pool.index.remove(key("k"), true, pool.now);
    node();
    pool.put("k");
    pool.index.remove(key("k"), true, pool.now);
    assertThat(pool.floors).isEmpty();
  }

  @Test
  void oneFloorServesAllAbsentDisks() {
    pool.index.addDisk(DISK, 0, false);
    pool.index.addDisk(OTHER, 0, false);
    long version = pool.put("k");
    assertThat(pool.floors).containsExactly(floor(0, "k", version));
    pool.index.remove(key("k"), true, pool.now);
    assertThat(pool.floors).hasSize(2).endsWith(floor(0, "k", version + 1));
    node();
    assertThat(pool.index.tendDisks(pool.now, () -> true)).isTrue();
    assertThat(pool.index.stats().diskFloors()).as("the other one needs it").isEqualTo(1);
    long other = mount(OTHER_SLOT, OTHER, 9);
    assertThat(pool.index.reportDisk(key("k"), record(version), OTHER_SLOT, other, pool.now))
        .isEqualTo(ErrorCode.INVALID_VERSION);
    pool.index.completeScan(OTHER_SLOT, other, pool.now);
    assertThat(pool.index.tendDisks(pool.now, () -> true)).isTrue();
    assertThat(pool.index.stats().diskFloors()).isZero();
  }

  @Test
  void removingWhatOnlyAnAbsentDiskHasKeepsItAway() {
    pool.index.addDisk(DISK, 0, false);
    long before = pool.index.nextSequence() * ObjectIndex.SHARDS + key("k").shard();
    assertThat(pool.index.remove(key("k"), false, pool.now)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.floors).hasSize(1);
    generation = mount(DISK_SLOT, DISK, NODE);
    assertThat(report("k", before - ObjectIndex.SHARDS)).isEqualTo(ErrorCode.INVALID_VERSION);
    long later = pool.put("k2", terms(), 0);
    assertThat(report("k2", later)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void callsThatNeedFloorsDoNothingWhileThereCanBeNone() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    take(1);
    settle("k", version, true);
    pool.put("free", terms(), 0);
    long upsert = pool.startUpsert("k");
    pool.index.refuseFloors(true);
    assertThat(pool.end(key("k"), upsert)).isEqualTo(ErrorCode.PERSISTENT_FAIL);
    pool.index.revoke(key("k"), TestPool.WRITER, upsert, pool.now);
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.PERSISTENT_FAIL);
    assertThat(pool.index.remove(key("free"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").version).isEqualTo(version);
    pool.index.refuseFloors(false);
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void reportsCreateAddAndRefuse() {
    generation = mount(DISK_SLOT, DISK, NODE);
    long version = pool.put("k", terms(), 0);
    assertThat(report("k", version)).isEqualTo(ErrorCode.OK);
    assertThat(report("k", version)).as("again").isEqualTo(ErrorCode.OK);
    assertThat(types("k")).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    assertThat(report("k", version - ObjectIndex.SHARDS)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(report("k", version + 1)).as("another shard").isEqualTo(ErrorCode.INVALID_PARAMS);
    long other = version + 5L * ObjectIndex.SHARDS - key("k").shard() + key("new").shard();
    assertThat(report("new", other)).isEqualTo(ErrorCode.OK);
    assertThat(pool.describe("new").checksum()).isEqualTo(Checksum.crc32c(7));
    assertThat(pool.put("newer", terms(), 0)).isPositive();
    pool.startUpsert("new");
    assertThat(pool.started.version()).as("versions go on behind it").isGreaterThan(other);
  }

  @Test
  void aKeyThatIsBeingWrittenIsReportedAgain() {
    generation = mount(DISK_SLOT, DISK, NODE);
    long old = pool.put("k", terms(), 0);
    pool.evict(EvictionTier.UNPINNED, 1);
    pool.floors.clear();
    long version = pool.start("k");
    assertThat(report("k", old)).isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    pool.end(key("k"), version);
    assertThat(report("k", old)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(pool.floors).containsExactly(floor(0, "k", version));
    assertThat(report("k", version)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void aNewerRecordTakesThePlaceOfAnOlderOneOfAnotherDisk() {
    generation = mount(DISK_SLOT, DISK, NODE);
    long other = mount(OTHER_SLOT, OTHER, 9);
    long old = 1000L * ObjectIndex.SHARDS + key("k").shard();
    long newer = old + ObjectIndex.SHARDS;
    assertThat(report("k", old)).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.reportDisk(key("k"), record(newer), OTHER_SLOT, other, pool.now))
        .isEqualTo(ErrorCode.OK);
    assertThat(pool.floors).contains(floor(DISK, "k", newer));
    assertThat(pool.locate("k").version).isEqualTo(newer);
    assertThat(report("k", old)).isEqualTo(ErrorCode.INVALID_VERSION);
  }

  @Test
  void aVoidDiskHasNothingThatIsOlder() {
    pool.index.addDisk(DISK, 0, false);
    long version = pool.put("k", terms(), 0);
    long below = pool.index.nextSequence() * ObjectIndex.SHARDS;
    pool.index.voidDisk(DISK, below, pool.now);
    pool.floors.clear();
    pool.index.remove(key("k"), true, pool.now);
    assertThat(pool.floors).as("it needs none").isEmpty();
    assertThat(pool.index.tendDisks(pool.now, () -> true)).isTrue();
    assertThat(pool.index.stats().diskFloors()).isZero();
    generation = mount(DISK_SLOT, DISK, NODE);
    assertThat(report("k", version)).isEqualTo(ErrorCode.INVALID_VERSION);
    long later = pool.put("k", terms(), 0);
    assertThat(report("k", later)).isEqualTo(ErrorCode.OK);
    assertThat(pool.floors).as("mounted, it needs them again").isNotEmpty();
  }

  @Test
  void aDiskEvictsWhatItSays() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    take(1);
    settle("k", version, true);
    assertThat(pool.index.dropDisk(key("k"), version, DISK_SLOT, generation, pool.now))
        .isEqualTo(ErrorCode.OK);
    assertThat(types("k")).containsExactly(ReplicaType.MEMORY);
    assertThat(pool.index.dropDisk(key("k"), version, DISK_SLOT, generation, pool.now))
        .isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(pool.floors).isEmpty();
  }

  @Test
  void aDiskThatIsDrainedGetsNoNewReplicas() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    take(1);
    pool.status(DISK_SLOT, SegmentStatus.DRAINING);
    assertThat(settle("k", version, true)).isEqualTo(ErrorCode.UNABLE_OFFLOADING);
    assertThat(pool.floors).containsExactly(floor(DISK, "k", version + 1));
    pool.put("k2", terms(), MEMORY_SLOT);
    assertThat(take(1)).isEmpty();
  }

  @Test
  void floorsFromTheJournalStandUntilTheScanIsComplete() {
    pool.index.addDisk(DISK, 0, false);
    long version = 50L * ObjectIndex.SHARDS + key("a").shard();
    pool.index.restoreFloor(0, key("a").hash(), version);
    pool.index.restoreFloor(DISK, key("b").hash(), 70L * ObjectIndex.SHARDS);
    assertThat(pool.index.stats().diskFloors()).isEqualTo(2);
    generation = mount(DISK_SLOT, DISK, NODE);
    assertThat(report("a", version - ObjectIndex.SHARDS)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(report("a", version)).isEqualTo(ErrorCode.OK);
    assertThat(report("b", 69L * ObjectIndex.SHARDS + key("b").shard()))
        .isEqualTo(ErrorCode.INVALID_VERSION);
    pool.index.completeScan(DISK_SLOT, generation, pool.now);
    assertThat(pool.index.isScanned(DISK_SLOT, generation)).isTrue();
    assertThat(pool.index.tendDisks(pool.now, () -> true)).isTrue();
    assertThat(pool.index.stats().diskFloors()).isZero();
  }

  // Eviction

  @Test
  void evictionOffloadsFirst() {
    pool = new TestPool(offload(true, false));
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT, 0);
    assertThat(take(1)).as("not at the end of the write").isEmpty();
    Evicted evicted =
        pool.index.evict(EvictionTier.UNPINNED, 9, Long.MAX_VALUE, pool.now, () -> true);
    assertThat(evicted).isEqualTo(new Evicted(1, SIZE, SIZE, false));
    assertThat(take(1)).hasSize(1);
    assertThat(pool.index.stats().offloadDeferredBytes()).isEqualTo(SIZE);
    assertThat(pool.index.deferredBytes()).isEqualTo(SIZE);
    assertThat(pool.index.offloadsUnderWay()).isEqualTo(1);
    assertThat(pool.evict(EvictionTier.UNPINNED, 9)).isZero();
    settle("k", version, true);
    assertThat(pool.index.stats().offloadDeferredBytes()).isZero();
    assertThat(pool.index.deferredBytes()).isZero();
    assertThat(pool.index.offloadsUnderWay()).isZero();
    assertThat(types("k")).as("gone from memory").containsExactly(ReplicaType.LOCAL_DISK);
  }

  @Test
  void whatIsReadWhileItIsOffloadedStaysInMemory() {
    pool = new TestPool(offload(true, false));
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    pool.evict(EvictionTier.UNPINNED, 9);
    assertThat(take(1)).hasSize(1);
    assertThat(types("k")).containsExactly(ReplicaType.MEMORY);
    settle("k", version, true);
    assertThat(types("k")).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    pool.now += TestPool.LEASE + 1;
    assertThat(pool.evict(EvictionTier.UNPINNED, 9)).as("later, as any other").isEqualTo(1);
  }

  @Test
  void nobodyWaitsForTheDiskOfANodeThatIsNotHeardFrom() {
    pool = new TestPool(offload(true, false));
    node();
    pool.put("k", terms(), MEMORY_SLOT);
    pool.evict(EvictionTier.UNPINNED, 9);
    assertThat(pool.index.deferredBytes()).isEqualTo(SIZE);
    pool.segments.apply(new SegmentChange.ServingChanged(DISK_SLOT, generation, false));
    assertThat(pool.index.deferredBytes()).isZero();
  }

  @Test
  void aGroupThatWasOffloadedGoesAsAWhole() {
    pool = new TestPool(offload(true, false));
    node();
    long first = pool.putGrouped("a", "g", terms(), MEMORY_SLOT);
    long second = pool.putGrouped("b", "g", terms(), MEMORY_SLOT);
    pool.evict(EvictionTier.UNPINNED, 9);
    assertThat(take(9)).hasSize(2);
    settle("a", first, true);
    settle("b", second, true);
    assertThat(pool.index.stats().replicasEvicted()).isEqualTo(2);
    assertThat(types("a")).containsExactly(ReplicaType.LOCAL_DISK);
    assertThat(types("b")).containsExactly(ReplicaType.LOCAL_DISK);
  }

  @Test
  void whatIsQueuedCountsForTheGoal() {
    pool = new TestPool(offload(true, false));
    node();
    for (int i = 0; i < 4; i++) {
      pool.put("k" + i, terms(), MEMORY_SLOT);
    }
    Evicted evicted = pool.index.evict(EvictionTier.UNPINNED, 9, 2 * SIZE, pool.now, () -> true);
    assertThat(evicted).isEqualTo(new Evicted(0, 0, 2 * SIZE, false));
    assertThat(take(9)).hasSize(2);
  }

  @Test
  void withoutForceNothingIsLostWhenTheQueueIsFull() {
    pool = new TestPool(offload(true, false));
    node();
    for (int i = 0; i < LIMIT + 3; i++) {
      pool.put("k" + i, terms(), MEMORY_SLOT);
    }
    assertThat(pool.evict(EvictionTier.UNPINNED, 99)).isZero();
    assertThat(pool.index.stats().offloadsWaiting()).isEqualTo(LIMIT);
    assertThat(pool.index.stats().objects()).isEqualTo(LIMIT + 3);
  }

  @Test
  void withForceOnlyAShareOfTheQueueIsUsed() {
    pool = new TestPool(offload(true, true));
    node();
    for (int i = 0; i < LIMIT + 3; i++) {
      pool.put("k" + i, terms(), MEMORY_SLOT);
    }
    pool.index.beginEviction();
    assertThat(pool.evict(EvictionTier.UNPINNED, 99)).isEqualTo(LIMIT + 3 - LIMIT / 2);
    assertThat(pool.index.stats().offloadsWaiting()).isEqualTo(LIMIT / 2);
  }

  @Test
  void evictionSkipsSegmentsWhereItMakesNoRoom() {
    pool.mount(1);
    pool.mount(2);
    pool.put("ok", terms(), 0);
    pool.put("suspected", terms(), 1);
    pool.put("draining", terms(), 2);
    pool.put("both", terms(), 1, 0);
    pool.serving(1, false);
    pool.status(2, SegmentStatus.DRAINING);
    assertThat(pool.index.allocatableBytes()).isEqualTo(2 * SIZE);
    assertThat(pool.evict(EvictionTier.UNPINNED, 99)).isEqualTo(2);
    assertThat(pool.index.allocatableBytes()).isZero();
    assertThat(pool.has("ok")).isFalse();
    assertThat(pool.describe("both").replicas()).hasSize(1);
    pool.serving(1, true);
    pool.now += TestPool.LEASE;
    assertThat(pool.evict(EvictionTier.UNPINNED, 99)).isEqualTo(2);
    assertThat(pool.has("draining")).isTrue();
  }

  // Trying again

  private void accepting(boolean accepting) {
    pool.segments.apply(new SegmentChange.OffloadChanged(DISK_SLOT, generation, accepting));
  }

  private long toRetry() {
    return pool.index.stats().offloadsToRetry();
  }

  private List<String> keys(List<Task> tasks) {
    return tasks.stream().map(Task::key).toList();
  }

  @Test
  void whatADiskFailedToStoreIsAskedForAgainLaterAndLater() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    long delay = 1_000;
    for (int failures = 1; failures < 9; failures++) {
      assertThat(take(10)).as("attempt %d", failures).hasSize(1);
      assertThat(settle("k", version, false)).isEqualTo(ErrorCode.OK);
      assertThat(toRetry()).isOne();
      pool.now += delay - 1;
      assertThat(take(10)).as("before its time").isEmpty();
      pool.now++;
      delay = Math.min(2 * delay, 30_000);
    }
    assertThat(take(10)).hasSize(1);
    assertThat(settle("k", version, true)).isEqualTo(ErrorCode.OK);
    assertThat(types("k")).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    assertThat(toRetry()).isZero();
    assertThat(pool.index.stats().offloadsRetried()).isEqualTo(8);
  }

  @Test
  void whatADiskDidNotTakeIsAskedForAsSoonAsItTakesObjects() {
    node();
    accepting(false);
    pool.put("a", terms(), MEMORY_SLOT);
    pool.put("b", terms(), MEMORY_SLOT);
    pool.now += 100_000;
    assertThat(take(10)).isEmpty();
    assertThat(toRetry()).isEqualTo(2);
    accepting(true);
    assertThat(keys(take(10))).containsExactlyInAnyOrder("a", "b");
    assertThat(toRetry()).isZero();
  }

  @Test
  void whatDidNotFitIntoTheQueueFollows() {
    node();
    for (int i = 0; i < 2 * LIMIT; i++) {
      pool.put("k" + i, terms(), MEMORY_SLOT);
    }
    assertThat(pool.index.stats().offloadsWaiting()).isEqualTo(LIMIT);
    assertThat(toRetry()).isEqualTo(LIMIT);
    assertThat(take(LIMIT)).hasSize(LIMIT);
    assertThat(take(LIMIT)).hasSize(LIMIT);
    assertThat(toRetry()).isZero();
  }

  @Test
  void whatIsGoneOrOverwrittenIsNotAskedForAgain() {
    node();
    accepting(false);
    pool.put("removed", terms(), MEMORY_SLOT);
    pool.put("overwritten", terms(), MEMORY_SLOT);
    pool.put("evicted", terms(), MEMORY_SLOT);
    pool.evict(EvictionTier.UNPINNED, 99);
    pool.put("stays", terms(), MEMORY_SLOT);
    pool.put("removed later", terms(), MEMORY_SLOT);
    pool.index.remove(key("removed later"), true, pool.now);
    accepting(true);
    assertThat(keys(take(10))).containsExactly("stays");
    assertThat(toRetry()).isZero();
    unmount(DISK_SLOT);
    assertThat(toRetry()).isZero();
  }

  @Test
  void beyondTheBoundAnEvictionHasThemCopiedFirst() {
    node();
    accepting(false);
    int objects = 3 * LIMIT;
    for (int i = 0; i < objects; i++) {
      pool.put("k" + i, terms(), MEMORY_SLOT);
    }
    assertThat(toRetry()).isEqualTo(LIMIT);
    accepting(true);
    int copied = 0;
    for (Task task : take(LIMIT)) {
      assertThat(settle(task.key(), task.version(), true)).isEqualTo(ErrorCode.OK);
      copied++;
    }
    assertThat(copied).isEqualTo(LIMIT);
    while (copied < objects) {
      pool.index.beginEviction();
      pool.index.evict(EvictionTier.UNPINNED, 1, Long.MAX_VALUE, pool.now, () -> true);
      for (Task task : take(LIMIT)) {
        assertThat(settle(task.key(), task.version(), true)).isEqualTo(ErrorCode.OK);
        copied++;
      }
    }
    assertThat(pool.index.stats().objects()).as("none was lost").isEqualTo(objects);
  }

  @Test
  void aDiskThatFailsDoesNotKeepMemoryFromBeingFreed() {
    node();
    long version = pool.put("k", terms(), MEMORY_SLOT);
    take(10);
    settle("k", version, false);
    assertThat(pool.evict(EvictionTier.UNPINNED, 99)).isOne();
    assertThat(pool.has("k")).isFalse();
  }

  // A segment that its node takes back

  /** Walks as far as it comes with that many replicas a step. */
  private SegmentOffload walk(List<String> remaining) {
    SegmentOffload walk =
        pool.index.offloadSegment(
            MEMORY_SLOT,
            pool.segments.generation(MEMORY_SLOT),
            object -> remaining.add(object.key()));
    assertThat(walk.step(pool.now, () -> true)).isTrue();
    return walk;
  }

  @Test
  void whatIsNowhereElseIsOffloadedWhenItsSegmentGoes() {
    pool = new TestPool(offload(true, false));
    node();
    pool.put("twice", terms(), MEMORY_SLOT, 0);
    long version = pool.put("here", terms(), MEMORY_SLOT);
    assertThat(pool.putStart(key("written"), SIZE, terms(), MEMORY_SLOT)).isEqualTo(ErrorCode.OK);
    long written = pool.started.version();
    pool.status(MEMORY_SLOT, SegmentStatus.GRACEFULLY_UNMOUNTING);
    List<String> remaining = new ArrayList<>();

    SegmentOffload walk = walk(remaining);
    assertThat(walk.objects()).isEqualTo(1);
    assertThat(walk.bytes()).isEqualTo(SIZE);
    assertThat(walk.writes()).isEqualTo(1);
    assertThat(remaining).containsExactly("here");
    assertThat(walk(remaining).objects()).as("is queued once").isEqualTo(1);
    assertThat(take(9)).extracting(Task::key).containsExactly("here");
    settle("here", version, true);
    assertThat(types("here")).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    assertThat(pool.end(key("written"), written)).isEqualTo(ErrorCode.OK);

    walk = walk(remaining);
    assertThat(walk.objects()).isEqualTo(1);
    assertThat(walk.writes()).isZero();
    assertThat(take(9)).extracting(Task::key).containsExactly("written");
    settle("written", written, true);
    assertThat(walk(remaining).objects()).isZero();
  }

  @Test
  void aNodeThatGoesWithItsDiskCountsOnNoOtherThatGoes() {
    node();
    mount(OTHER_SLOT, 0, NODE + 1);
    pool.put("k", terms(), MEMORY_SLOT, OTHER_SLOT);
    take(9);
    pool.status(MEMORY_SLOT, SegmentStatus.GRACEFULLY_UNMOUNTING);
    assertThat(walk(new ArrayList<>()).objects()).isZero();
    pool.status(OTHER_SLOT, SegmentStatus.GRACEFULLY_UNMOUNTING);
    assertThat(walk(new ArrayList<>()).objects()).isEqualTo(1);
  }

  @Test
  void aWalkGoesOnWhenReplicasGoBetweenItsSteps() {
    node();
    List<Long> versions = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      versions.add(pool.put("k" + i, terms(), MEMORY_SLOT));
    }
    List<String> seen = new ArrayList<>();
    SegmentOffload walk =
        pool.index.offloadSegment(
            MEMORY_SLOT, pool.segments.generation(MEMORY_SLOT), object -> seen.add(object.key()));
    int[] left = {3};
    assertThat(walk.step(pool.now, () -> left[0]-- > 0)).isFalse();
    assertThat(seen).containsExactly("k7", "k6", "k5");
    for (String gone : List.of("k4", "k3", "k0", "k6")) {
      assertThat(pool.index.remove(key(gone), true, pool.now)).isEqualTo(ErrorCode.OK);
    }
    pool.put("late", terms(), MEMORY_SLOT);
    assertThat(walk.step(pool.now, () -> true)).isTrue();
    assertThat(seen).containsExactly("k7", "k6", "k5", "k2", "k1");
    assertThat(walk.objects()).isEqualTo(5);
  }
}
