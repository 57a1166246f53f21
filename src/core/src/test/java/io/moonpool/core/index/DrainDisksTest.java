package io.moonpool.core.index;

import static io.moonpool.core.index.DrainPool.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.index.DrainPool.Move;
import io.moonpool.core.index.DrainPool.Node;
import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.Checksum;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.TaskType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Drains of nodes whose objects are on disk, too, or on disk alone. */
class DrainDisksTest {
  private static final long MIB = 1 << 20;
  private static final long SIZE = 4096;

  private DrainPool pool = new DrainPool(DrainPool.offload(false));
  private Node source = pool.node(MIB);
  private Node target = pool.node(MIB);

  private void pool(OffloadPolicy offload, long targetBytes) {
    pool = new DrainPool(offload);
    source = pool.node(MIB);
    target = pool.node(targetBytes);
  }

  private void disks() {
    pool.disk(source);
    pool.disk(target);
  }

  private void open() {
    pool.open(JOB, source.segments());
  }

  private long evict() {
    return pool.index
        .evict(EvictionTier.UNPINNED, Long.MAX_VALUE, Long.MAX_VALUE, pool.now, () -> true)
        .objects();
  }

  // Memory first

  @Test
  void memoryIsMovedAndTheDiskReplicaGoesWithIt() {
    disks();
    long version = pool.put("k", SIZE, source.memory.getFirst());
    assertThat(pool.offloadAll(source)).isOne();
    open();
    assertThat(pool.figures(JOB).replicas()).isEqualTo(2);
    List<Move> moves = pool.take(JOB, 10);
    assertThat(moves).hasSize(1);
    assertThat(moves.getFirst().source().type()).isEqualTo(ReplicaType.MEMORY);
    assertThat(pool.figures(JOB).waitingForObject()).as("the disk's goes along").isZero();
    pool.endAll(moves);
    assertThat(pool.types("k"))
        .as("a target that dies now loses nothing")
        .containsExactly(ReplicaType.LOCAL_DISK, ReplicaType.MEMORY);
    assertThat(pool.floorVersions).isEmpty();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.NEW_HOME_DISK));
    assertRehoming(1);
    assertThat(pool.figures(JOB).exhausted()).isFalse();
    pool.changed.clear();
    assertThat(pool.offloadAll(target)).as("it gets one at its new home").isOne();
    assertThat(pool.changed).containsExactly(JOB);
    leaveDisk(1);
    assertThat(pool.figures(JOB).replicas()).isZero();
    assertThat(pool.figures(JOB).exhausted()).isTrue();
    assertThat(pool.floorVersions).as("so that a scan does not bring it").contains(version + 1);
    assertThat(pool.types("k")).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    assertThat(pool.generations("k")).contains(target.disk.generation());
    pool.audit();
  }

  private void assertRehoming(long units) {
    LaneFigures figures = pool.figures(JOB);
    assertThat(figures.rehomingOf().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(units);
    assertThat(figures.waitingForObject()).as("they are no units any more").isZero();
  }

  /** What is on a disk at its new home leaves the disk that is drained. */
  private void leaveDisk(long replicas) {
    assertThat(pool.take(JOB, 100)).isEmpty();
    assertThat(pool.lastStep.rehomed()).isEqualTo(replicas);
    assertThat(pool.lastStep.dropped()).isZero();
    assertThat(pool.lastStep.undone()).isZero();
  }

  private void assertLeft(int replicas) {
    assertThat(pool.figures(JOB).replicas()).isEqualTo(replicas);
    assertThat(pool.figures(JOB).exhausted()).isEqualTo(replicas == 0);
  }

  @Test
  void whatIsInMemoryAndOnDiskIsOneUnit() {
    disks();
    SegmentMount memory = source.memory.getFirst();
    for (String key : List.of("both-1", "both-2", "both-3")) {
      pool.put(key, SIZE, memory);
    }
    pool.offloadAll(source);
    pool.putOnDisk("disk-1", SIZE, source);
    pool.putOnDisk("disk-2", SIZE, source);
    pool.put("memory", SIZE, memory);
    open();
    int steps = 0;
    while (!pool.index.lanes().count(JOB, pool.now, new OneStep())) {
      steps++;
    }
    assertThat(steps).as("in slices").isGreaterThan(3);
    assertUnits(4, 2);

    pool.index.remove(TestPool.key("both-1"), true, pool.now);
    assertUnits(3, 2);
    pool.index.remove(TestPool.key("disk-1"), true, pool.now);
    assertUnits(3, 1);
    pool.endAll(pool.take(JOB, 2));
    assertUnits(1, 1);
    pool.endAll(pool.take(JOB, 10));
    assertUnits(0, 0);
    assertRehoming(3);
    pool.offloadAll(target);
    leaveDisk(3);
    assertUnits(0, 0);
    assertLeft(0);
  }

  /** Lets one replica pass. */
  private static final class OneStep implements BooleanSupplier {
    private boolean over;

    @Override
    public boolean getAsBoolean() {
      boolean first = !over;
      over = true;
      return first;
    }
  }

  private void assertUnits(long inMemory, long onDisk) {
    assertThat(pool.figures(JOB).unitsOf())
        .isEqualTo(
            Map.of(
                source.memory.getFirst().generation(), inMemory,
                source.disk.generation(), onDisk));
  }

  @Test
  void unitsAreCountedAnewWhenReplicasGoMeanwhile() {
    disks();
    for (int i = 0; i < 4; i++) {
      pool.put("k" + i, SIZE, source.memory.getFirst());
    }
    pool.offloadAll(source);
    open();
    assertThat(pool.index.lanes().count(JOB, pool.now, new OneStep())).isFalse();
    pool.index.remove(TestPool.key("k0"), true, pool.now);
    pool.index.remove(TestPool.key("k3"), true, pool.now);

    assertThat(pool.index.lanes().count(JOB, pool.now, () -> true)).isTrue();

    assertUnits(2, 0);
  }

  @Test
  void anEmptySourceDoesNotWaitForItsOwnNode() {
    disks();
    pool.put("k", SIZE, source.memory.getFirst());
    open();
    List<Move> moves = pool.take(JOB, 1);
    assertThat(moves).hasSize(1);

    assertThat(pool.index.remove(TestPool.key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);

    assertThat(pool.figures(JOB).replicas()).isZero();
    assertThat(pool.figures(JOB).touchedUntilMillis())
        .as("the node may read on, since it is its own memory")
        .isLessThanOrEqualTo(pool.now);
  }

  @Test
  void aMoveByHandKeepsTheDiskReplica() {
    disks();
    pool.put("k", SIZE, source.memory.getFirst());
    pool.offloadAll(source);
    UUID task = new UUID(1, 2);
    TransferWish wish =
        new TransferWish(
            TaskType.REPLICA_MOVE,
            task,
            Optional.of(source.memory.getFirst()),
            target.memory,
            DrainPool.GRANT);
    pool.allocate(SIZE, target.memory.getFirst());
    ObjectKey key = TestPool.key("k");
    assertThat(
            pool.index
                .transfers()
                .start(key, wish, pool.extents, pool.now, (id, object, from, to) -> {}))
        .isEqualTo(ErrorCode.OK);
    long version = pool.describe("k").version();
    assertThat(
            pool.index.transfers().end(key, TaskType.REPLICA_MOVE, task, version, pool.now).code())
        .isEqualTo(ErrorCode.OK);
    assertThat(pool.generations("k"))
        .containsExactly(source.disk.generation(), target.memory.getFirst().generation());
    assertThat(pool.floorVersions).isEmpty();
    assertThat(pool.offloadAll(target)).isZero();
    open();
    List<Move> moves = pool.take(JOB, 10);
    assertThat(moves).as("all other memory has it").isEmpty();
    assertThat(pool.lastStep.dropped()).as("not before a disk has it").isZero();
    assertThat(pool.figures(JOB).waitingForObject()).isOne();
    assertThat(pool.offloadAll(target)).isOne();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.lastStep.dropped()).isOne();
    assertLeft(0);
    pool.audit();
  }

  @Test
  void whatIsLeftOfAMemoryReplicaThatWentWaitsNoMore() {
    disks();
    Node third = pool.node(MIB);
    pool.disk(third);
    pool.put("k", SIZE, source.memory.getFirst(), target.memory.getFirst());
    pool.put("l", SIZE, source.memory.getFirst());
    pool.offloadAll(source);
    open();
    List<Move> moves = pool.take(JOB, 10);
    assertThat(moves).hasSize(2).allMatch(move -> move.source().type() == ReplicaType.MEMORY);
    Move move = moves.stream().filter(m -> m.key().equals("l")).findFirst().orElseThrow();
    assertThat(pool.take(JOB, 10)).isEmpty();
    pool.revoke(move);
    pool.fail(JOB, move);
    pool.endAll(moves.stream().filter(m -> m != move).toList());
    assertThat(pool.take(JOB, 10)).isEmpty();
    pool.offloadAll(target);
    pool.offloadAll(third);
    leaveDisk(1);
    LaneFigures failed = pool.figures(JOB);
    assertThat(failed.replicas()).isEqualTo(2);
    assertThat(failed.exhausted()).as("memory has failed, the disk waits for it").isTrue();
    pool.changed.clear();
    assertThat(
            TestReplicas.remove(pool.index, TestPool.key("l"), move.source().replicaId(), pool.now))
        .isEqualTo(ErrorCode.OK);
    assertThat(pool.changed).containsExactly(JOB);
    List<Move> disk = pool.take(JOB, 10);
    assertThat(disk).hasSize(1).allMatch(m -> m.source().type() == ReplicaType.LOCAL_DISK);
    pool.endAll(disk);
    pool.offloadAll(target);
    pool.offloadAll(third);
    leaveDisk(1);
    assertLeft(0);
    pool.audit();
  }

  // From disk

  @Test
  void anObjectThatIsOnDiskAloneIsMovedFromThere() {
    disks();
    pool.putOnDisk("k", SIZE, source);
    long version = pool.describe("k").version();
    open();
    Move move = pool.take(JOB, 10).getFirst();
    assertThat(move.source().type()).isEqualTo(ReplicaType.LOCAL_DISK);
    assertThat(move.source().generation()).isEqualTo(source.disk.generation());
    assertThat(move.version()).isEqualTo(version);
    pool.endAll(List.of(move));
    assertThat(pool.types("k")).containsExactly(ReplicaType.LOCAL_DISK, ReplicaType.MEMORY);
    assertThat(evict()).as("not before it is on a disk again").isZero();
    assertRehoming(1);
    assertLeft(1);
    assertThat(pool.offloadAll(target)).isOne();
    assertThat(evict()).isOne();
    leaveDisk(1);
    assertThat(pool.floorVersions).contains(version + 1);
    assertThat(pool.generations("k")).containsExactly(target.disk.generation());
    assertLeft(0);
    pool.auditSpace();
  }

  // Until the disk of the new home has it

  @Test
  void aNewHomeThatGoesBeforeItsDiskHasAnObjectLosesNothing() {
    disks();
    Node third = pool.node(MIB);
    pool.disk(third);
    pool.drain(third.memory.getFirst());
    pool.putOnDisk("disk", SIZE, source);
    pool.put("both", SIZE, source.memory.getFirst());
    pool.offloadAll(source);
    open();
    pool.endAll(pool.take(JOB, 10));
    assertRehoming(2);
    pool.happen(third.memory.getFirst(), SegmentEvent.RESUME);
    assertThat(pool.take(JOB, 10)).isEmpty();
    pool.changed.clear();

    pool.unmount(target, target.memory.getFirst());

    assertThat(pool.changed).containsExactly(JOB);
    List<Move> again = pool.take(JOB, 10);
    assertThat(DrainPool.keys(again)).containsExactly("both", "disk");
    assertThat(again).allMatch(move -> move.source().type() == ReplicaType.LOCAL_DISK);
    assertThat(pool.lastStep.undone()).isEqualTo(2);
    assertThat(pool.lastStep.undoneBytes()).isEqualTo(2 * SIZE);
    assertRehoming(0);
    pool.endAll(again);
    pool.offloadAll(third);
    leaveDisk(2);
    assertLeft(0);
    pool.audit();
  }

  @Test
  void aDiskThatFailsToTakeAnObjectIsAskedAgainAndThenWaitedFor() {
    disks();
    pool.putOnDisk("k", SIZE, source);
    open();
    pool.endAll(pool.take(JOB, 10));
    for (int i = 0; i < 3; i++) {
      assertThat(pool.offload(target, 10, false)).as("attempt %d", i).isOne();
      assertThat(pool.take(JOB, 10)).isEmpty();
    }
    assertThat(pool.offload(target, 10, true)).as("it is not asked for ever").isZero();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.NEW_HOME_DISK));
    assertLeft(1);

    pool.put("other", SIZE, target.memory.getFirst());
    assertThat(pool.offloadAll(target)).isOne();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.offloadAll(target)).as("it works again").isOne();
    leaveDisk(1);
    assertLeft(0);
  }

  @Test
  void aNewHomeWithoutADiskIsWaitedForNoMore() {
    disks();
    pool.putOnDisk("k", SIZE, source);
    open();
    pool.endAll(pool.take(JOB, 10));
    assertRehoming(1);
    pool.unmount(target, target.disk);
    leaveDisk(1);
    assertThat(pool.types("k")).containsExactly(ReplicaType.MEMORY);
    assertLeft(0);
  }

  @Test
  void whatIsGivenUpInMemoryAndOnDiskIsOneUnit() {
    disks();
    pool.put("k", SIZE, source.memory.getFirst(), target.memory.getFirst());
    pool.offloadAll(source);
    open();
    int dropped = 0;
    long droppedBytes = 0;
    for (int i = 0; i < 4; i++) {
      assertThat(pool.take(JOB, 10)).isEmpty();
      dropped += pool.lastStep.dropped();
      droppedBytes += pool.lastStep.droppedBytes();
      pool.offloadAll(target);
    }
    assertThat(dropped).isOne();
    assertThat(droppedBytes).isEqualTo(SIZE);
    assertThat(pool.types("k"))
        .containsExactlyInAnyOrder(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    assertLeft(0);
  }

  @Test
  void aDiskThatIsDrainedAloneIsNotWaitedForItself() {
    disks();
    pool.put("k", SIZE, source.memory.getFirst());
    pool.offloadAll(source);
    pool.drain(source.disk);
    pool.index.lanes().open(JOB, List.of(source.disk), source.memory, DrainPool.GRANT, pool.now);
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.lastStep.dropped()).as("its own memory has it").isOne();
    assertThat(pool.types("k")).containsExactly(ReplicaType.MEMORY);
    assertLeft(0);
  }

  @Test
  void aLaneThatIsOpenedAgainMovesNothingTwice() {
    disks();
    pool.putOnDisk("k", SIZE, source);
    open();
    pool.endAll(pool.take(JOB, 10));
    pool.index.lanes().close(JOB, pool.now);
    pool.index.lanes().open(JOB, source.segments(), List.of(), DrainPool.GRANT, pool.now);
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertRehoming(1);
    pool.offloadAll(target);
    leaveDisk(1);
    assertLeft(0);
  }

  @Test
  void whatNoLaneWaitsForStaysOnItsDisk() {
    disks();
    pool.putOnDisk("k", SIZE, source);
    open();
    List<Move> moves = pool.take(JOB, 10);
    pool.index.lanes().close(JOB, pool.now);
    pool.endAll(moves);
    assertThat(pool.types("k")).containsExactly(ReplicaType.LOCAL_DISK, ReplicaType.MEMORY);
    assertThat(pool.offloadAll(target)).isOne();
    assertThat(pool.generations("k")).contains(source.disk.generation(), target.disk.generation());
    assertThat(pool.floorVersions).isEmpty();
  }

  @Test
  void anObjectThatIsRemovedWhileItWaitsForADiskIsGone() {
    disks();
    pool.putOnDisk("k", SIZE, source);
    open();
    pool.endAll(pool.take(JOB, 10));
    pool.changed.clear();
    assertThat(pool.index.remove(TestPool.key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.changed).containsExactly(JOB);
    assertLeft(0);
    assertRehoming(0);
  }

  @Test
  void itStaysInMemoryWhateverEvictionMayDoToOthers() {
    for (boolean onEvict : new boolean[] {false, true}) {
      pool(new OffloadPolicy(true, onEvict, true, 10, 0.1, DrainPool.HOLD), MIB);
      disks();
      pool.putOnDiskByReport("k", SIZE, source);
      open();
      pool.endAll(pool.take(JOB, 10));
      pool.index.beginEviction();
      evict();
      assertThat(pool.has("k")).isTrue();
      assertThat(pool.offload(target, 10, false)).as("it fails").isOne();
      pool.now += TestPool.LEASE + 1;
      evict();
      pool.now += TestPool.LEASE + 1;
      assertThat(pool.has("k")).isTrue();
      assertThat(pool.offloadAll(target)).as("eviction has queued it again").isOne();
      leaveDisk(1);
      pool.index.beginEviction();
      evict();
      assertThat(pool.types("k")).containsExactly(ReplicaType.LOCAL_DISK);
      pool.auditSpace();
    }
  }

  @Test
  void whatWasOnItsWayToTheDiskGoesToTheNextOne() {
    disks();
    pool.put("k", SIZE, source.memory.getFirst());
    assertThat(pool.index.stats().offloadsWaiting()).isOne();
    open();
    List<Move> moves = pool.take(JOB, 10);
    assertThat(pool.offloadAll(source)).as("a disk that is drained takes none").isZero();
    assertThat(pool.index.stats().offloadsWaiting()).isZero();
    pool.endAll(moves);
    assertThat(pool.offloadAll(target)).isOne();
    assertThat(pool.types("k")).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    pool.auditSpace();
  }

  @Test
  void whereNoNodeHasADiskItIsAsAnyOther() {
    pool.disk(source);
    pool.putOnDisk("k", SIZE, source);
    open();
    pool.endAll(pool.take(JOB, 10));
    assertThat(pool.types("k")).containsExactly(ReplicaType.MEMORY);
    assertThat(evict()).isOne();
    assertThat(pool.has("k")).isFalse();
  }

  @Test
  void nodesWithADiskComeFirst() {
    pool.disk(source);
    Node third = pool.node(MIB);
    pool.disk(third);
    pool.node(64 * MIB);
    for (int i = 0; i < 20; i++) {
      pool.putOnDisk("k" + i, SIZE, source);
    }
    open();
    for (Move move : pool.take(JOB, 20)) {
      assertThat(move.targets().getFirst().generation())
          .isEqualTo(third.memory.getFirst().generation());
    }
  }

  @Test
  void aDiskThatIsDrainedItselfIsNoNewHome() {
    disks();
    Node third = pool.node(MIB);
    pool.disk(third);
    pool.putOnDisk("k", SIZE, source);
    pool.drain(target.disk);
    open();
    Move move = pool.take(JOB, 1).getFirst();
    assertThat(move.targets().getFirst().generation())
        .isEqualTo(third.memory.getFirst().generation());
  }

  @Test
  void whatADiskCannotTakeNowItTakesLater() {
    pool(new OffloadPolicy(true, false, false, 2, 0.5, DrainPool.HOLD), MIB);
    disks();
    for (int i = 0; i < 7; i++) {
      pool.putOnDisk("k" + i, SIZE, source);
    }
    open();
    pool.endAll(pool.take(JOB, 10));
    assertThat(pool.index.stats().offloadsWaiting()).isEqualTo(2);
    int rounds = 0;
    while (pool.offloadAll(target) > 0) {
      rounds++;
    }
    assertThat(rounds).isGreaterThan(1);
    leaveDisk(7);
    for (int i = 0; i < 7; i++) {
      assertThat(pool.types("k" + i)).containsExactly(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK);
    }
    pool.audit();
  }

  @Test
  void moreThanTheMemoryOfItsNewHomeGoesThroughItToItsDisk() {
    int objects = 48;
    long size = MIB / 16;
    disks();
    for (int i = 0; i < objects; i++) {
      pool.putOnDisk("k" + i, size, source);
    }
    open();
    int stalled = 0;
    int moved = 0;
    while (pool.figures(JOB).replicas() > 0 && stalled < 10) {
      List<Move> moves = pool.take(JOB, 4);
      pool.endAll(moves);
      moved += moves.size();
      stalled = moves.isEmpty() ? stalled + 1 : 0;
      if (moves.isEmpty()) {
        boolean all = moved == objects;
        assertThat(pool.waiting(JOB).containsValue(WaitReason.NO_SPACE)).isNotEqualTo(all);
        assertThat(pool.index.lanes().needSpace()).isNotEqualTo(all);
        pool.offload(target, 3, true);
        evict();
        pool.passOnSpace();
        assertThat(pool.index.lanes().needSpace()).as("it came").isFalse();
      }
      pool.audit();
    }
    assertThat(moved).isEqualTo(objects);
    for (int i = 0; i < objects; i++) {
      assertThat(pool.generations("k" + i)).contains(target.disk.generation());
    }
    assertThat(pool.figures(JOB).exhausted()).isTrue();
  }

  @Test
  void namedTargetsMakeRoomOfWhatTheirDisksHaveAndNobodyElseDoes() {
    int objects = 48;
    long size = MIB / 16;
    disks();
    Node other = pool.node(MIB);
    pool.disk(other);
    long pinned = pool.start("pinned", size, TestPool.hardPin(), target.memory.getFirst());
    assertThat(pool.end("pinned", pinned)).isEqualTo(ErrorCode.OK);
    pool.put("elsewhere", size, other.memory.getFirst());
    for (int i = 0; i < objects; i++) {
      pool.putOnDisk("k" + i, size, source);
    }
    pool.offloadAll(target);
    pool.offloadAll(other);
    pool.open(JOB, source.segments(), target.memory.getFirst());
    pool.evicts = false;
    pool.endAll(pool.take(JOB, objects));
    pool.offloadAll(target);
    assertThat(pool.take(JOB, objects)).as("nothing is evicted").isEmpty();
    pool.evicts = true;
    pool.freed = false;
    pool.index.lanes().spaceCame(pool.now);
    int moved = 15;
    for (int round = 0; round < 2 * objects && pool.figures(JOB).replicas() > 0; round++) {
      List<Move> moves = pool.take(JOB, 4);
      assertThat(moves)
          .allMatch(
              m -> m.targets().getFirst().generation() == target.memory.getFirst().generation());
      pool.endAll(moves);
      moved += moves.size();
      pool.offloadAll(target);
      pool.passOnSpace();
      pool.audit();
    }
    assertThat(moved).isEqualTo(objects);
    assertLeft(0);
    for (int i = 0; i < objects; i++) {
      assertThat(pool.generations("k" + i)).contains(target.disk.generation());
    }
    assertThat(pool.types("pinned")).contains(ReplicaType.MEMORY);
    assertThat(pool.types("elsewhere")).as("nobody asked that node").contains(ReplicaType.MEMORY);
  }

  @Test
  void roomThatLeasesWithholdIsUsedWhenTheyEnd() {
    long size = MIB / 16;
    disks();
    for (int i = 0; i < 16; i++) {
      pool.put("held" + i, size, target.memory.getFirst());
    }
    pool.offloadAll(target);
    pool.now += 60_000;
    for (int i = 0; i < 16; i++) {
      pool.index.exists(TestPool.key("held" + i), pool.now + i * 10L);
    }
    pool.putOnDisk("k", size, source);
    pool.open(JOB, source.segments(), target.memory.getFirst());
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.NO_SPACE));
    pool.changed.clear();
    pool.now += TestPool.LEASE - 1;
    pool.work();
    assertThat(pool.changed).as("all leases go on").isEmpty();
    pool.now += 1;
    pool.work();
    assertThat(pool.changed).as("the first has ended").containsExactly(JOB);
    List<Move> moves = pool.take(JOB, 10);
    if (moves.isEmpty()) {
      pool.now += TestPool.SKEW;
      pool.work();
      pool.passOnSpace();
      moves = pool.take(JOB, 10);
    }
    assertThat(DrainPool.keys(moves)).containsExactly("k");
    pool.audit();
  }

  @Test
  void manyObjectsThatCannotBeEvictedAreLookedAtOnceAndNotAgain() {
    long size = MIB / 1024;
    disks();
    for (int i = 0; i < 1024; i++) {
      long version = pool.start("pinned" + i, size, TestPool.hardPin(), target.memory.getFirst());
      assertThat(pool.end("pinned" + i, version)).isEqualTo(ErrorCode.OK);
    }
    pool.offloadAll(target);
    pool.putOnDisk("k", size, source);
    pool.open(JOB, source.segments(), target.memory.getFirst());
    assertThat(pool.take(JOB, 10)).isEmpty();
    int rounds = 0;
    for (; pool.index.lanes().nextMillis() <= pool.now; rounds++) {
      pool.work();
      assertThat(pool.take(JOB, 10)).isEmpty();
    }
    assertThat(rounds).as("as often as it takes to have seen all of them").isBetween(2, 5);
    assertThat(pool.index.lanes().nextMillis()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theDiskIsEmptyWhenTheLastLeaseHasEnded() {
    disks();
    pool.putOnDisk("k", SIZE, source);
    pool.index.exists(TestPool.key("k"), pool.now);
    open();
    pool.endAll(pool.take(JOB, 10));
    pool.offloadAll(target);
    leaveDisk(1);
    assertLeft(0);
    assertThat(pool.figures(JOB).touchedUntilMillis())
        .isEqualTo(pool.now + TestPool.LEASE + TestPool.SKEW);
  }

  @Test
  void whatHasLeftADiskDoesNotComeBackFromIt() {
    disks();
    pool.putOnDisk("disk", SIZE, source);
    pool.put("both", SIZE, source.memory.getFirst());
    pool.offloadAll(source);
    long disk = pool.describe("disk").version();
    long both = pool.describe("both").version();
    open();
    pool.endAll(pool.take(JOB, 10));
    pool.offloadAll(target);
    leaveDisk(2);
    assertThat(pool.index.remove(TestPool.key("disk"), true, pool.now)).isEqualTo(ErrorCode.OK);
    pool.index.lanes().close(JOB, pool.now);
    pool.remountDisk(source);
    assertThat(reported("disk", disk)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(reported("both", both)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(pool.has("disk")).isFalse();
    assertThat(pool.generations("both"))
        .containsExactly(target.memory.getFirst().generation(), target.disk.generation());
  }

  // Late registrations and scans

  @Test
  void aDiskThatIsDrainedTakesNothingNew() {
    disks();
    SegmentMount memory = source.memory.getFirst();
    pool.put("open", SIZE, memory);
    List<String> taken = new ArrayList<>();
    pool.index.takeOffloads(
        source.disk.slot(),
        source.disk.generation(),
        10,
        pool.now,
        (object, replica, generation, offset, until) -> taken.add(object.key()));
    assertThat(taken).containsExactly("open");
    long version = pool.describe("open").version();
    open();
    assertThat(
            pool.index.settleOffload(
                TestPool.key("open"),
                version,
                source.disk.slot(),
                source.disk.generation(),
                true,
                pool.now))
        .isEqualTo(ErrorCode.UNABLE_OFFLOADING);
    assertThat(report("late", ObjectIndex.SHARDS * 1000L)).isEqualTo(ErrorCode.UNABLE_OFFLOADING);
    assertThat(pool.has("late")).isFalse();
    assertThat(pool.figures(JOB).replicas()).isOne();
    pool.put("new", SIZE, target.memory.getFirst());
    assertThat(pool.offload(source, 10, true)).as("no offloads to it").isZero();
  }

  private ErrorCode report(String key, long sequence) {
    return reported(key, sequence + TestPool.key(key).shard());
  }

  private ErrorCode reported(String key, long version) {
    return pool.index.reportDisk(
        TestPool.key(key),
        new StoredObject(version, SIZE, Checksum.crc32c(7), ObjectDataType.KVCACHE, false, 0, null),
        source.disk.slot(),
        source.disk.generation(),
        pool.now);
  }

  @Test
  void aDiskThatComesUpDrainingIsScannedFirst() {
    pool.disk(target);
    pool.mountDisk(source);
    open();
    assertThat(report("a", ObjectIndex.SHARDS * 1000L)).isEqualTo(ErrorCode.OK);
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.figures(JOB).paused()).containsExactly(WaitReason.DISK_SCANNED);
    assertThat(pool.figures(JOB).exhausted()).isFalse();
    assertThat(report("b", ObjectIndex.SHARDS * 1000L)).isEqualTo(ErrorCode.OK);
    pool.changed.clear();
    pool.index.completeScan(source.disk.slot(), source.disk.generation(), pool.now);
    assertThat(pool.changed).containsExactly(JOB);
    List<Move> moves = pool.take(JOB, 10);
    assertThat(DrainPool.keys(moves)).containsExactly("a", "b");
    pool.endAll(moves);
    pool.offloadAll(target);
    leaveDisk(2);
    assertLeft(0);
  }

  // Floors

  @Test
  void nothingLeavesADiskWhileFloorsCannotBeMadeDurable() {
    disks();
    pool.putOnDisk("disk", SIZE, source);
    pool.put("both", SIZE, source.memory.getFirst());
    pool.offloadAll(source);
    pool.put("memory", SIZE, source.memory.getFirst());
    open();
    Move both = pool.take(JOB, 10).stream().filter(m -> m.key().equals("both")).findFirst().get();
    pool.index.refuseFloors(true);
    assertThat(pool.end(both).code()).isEqualTo(ErrorCode.PERSISTENT_FAIL);
    assertThat(pool.index.transfers().underWay()).as("it goes on").isEqualTo(3);
    pool.index.refuseFloors(false);
    assertThat(pool.end(both).code()).isEqualTo(ErrorCode.OK);
    pool.audit();
  }

  @Test
  void aLaneWaitsForTheJournal() {
    disks();
    pool.putOnDisk("disk", SIZE, source);
    pool.put("both", SIZE, source.memory.getFirst());
    pool.offloadAll(source);
    pool.put("memory", SIZE, source.memory.getFirst());
    open();
    pool.index.refuseFloors(true);
    List<Move> moves = pool.take(JOB, 10);
    assertThat(DrainPool.keys(moves)).as("it needs no floor").containsExactly("memory");
    assertThat(pool.figures(JOB).paused()).containsExactly(WaitReason.JOURNAL_FAILED);
    assertThat(pool.figures(JOB).exhausted()).isFalse();
    pool.changed.clear();
    pool.index.refuseFloors(false);
    assertThat(pool.changed).containsExactly(JOB);
    List<Move> rest = pool.take(JOB, 10);
    assertThat(DrainPool.keys(rest)).containsExactly("both", "disk");
    pool.endAll(moves);
    pool.endAll(rest);
    pool.offloadAll(target);
    pool.index.refuseFloors(true);
    leaveDisk(0);
    assertThat(pool.figures(JOB).paused()).containsExactly(WaitReason.JOURNAL_FAILED);
    pool.index.refuseFloors(false);
    leaveDisk(2);
    assertLeft(0);
  }

  // Plan

  @Test
  void aSurveyCountsAndChangesNothing() {
    disks();
    SegmentMount memory = source.memory.getFirst();
    pool.putOnDisk("disk", SIZE, source);
    pool.put("both", SIZE, memory);
    pool.offloadAll(source);
    pool.put("memory", SIZE, memory);
    pool.put("everywhere", SIZE, memory, target.memory.getFirst());
    pool.start("write", SIZE, TestPool.terms(), memory);
    Map<String, WaitReason> waiting = new HashMap<>();
    DrainSurvey survey =
        pool.index
            .lanes()
            .survey(
                source.segments(),
                List.of(),
                (object, replica, generation, reason) -> waiting.put(object.key(), reason));
    int steps = 1;
    boolean[] may = {true};
    while (!survey.step(pool.now, () -> may[0] = !may[0])) {
      steps++;
    }
    assertThat(steps).isGreaterThan(3);
    assertThat(survey.units()).isEqualTo(4);
    assertThat(survey.bytes()).isEqualTo(4 * SIZE);
    assertThat(survey.fromDisk()).isOne();
    assertThat(survey.dropped()).isOne();
    assertThat(survey.waiting()).isOne();
    assertThat(waiting).isEqualTo(Map.of("write", WaitReason.WRITE_IN_PROGRESS));
    assertThat(survey.targets(pool.room()))
        .as("the source is not drained yet")
        .extracting(LaneTarget::segment)
        .containsExactlyElementsOf(target.memory);
    assertThat(pool.index.transfers().underWay()).isZero();
    assertThat(pool.changed).isEmpty();
    pool.audit();
  }

  /** In memory and on the disk of one node it is one unit, also when neither can be moved now. */
  @Test
  void aSurveyOfANodeThatIsNotHeardFromCountsAnObjectOnce() {
    disks();
    pool.put("both", SIZE, source.memory.getFirst());
    pool.offloadAll(source);
    source.is(ClientState.SUSPECTED);
    List<WaitReason> waiting = new ArrayList<>();
    DrainSurvey survey =
        pool.index
            .lanes()
            .survey(
                source.segments(),
                List.of(),
                (object, replica, generation, reason) -> waiting.add(reason));
    assertThat(survey.step(pool.now, () -> true)).isTrue();
    assertThat(survey.units()).isOne();
    assertThat(survey.bytes()).isEqualTo(SIZE);
    assertThat(survey.fromDisk()).isZero();
    assertThat(survey.waiting()).isOne();
    assertThat(waiting).containsExactly(WaitReason.CLIENT_SUSPECTED);
  }

  @Test
  void aSurveyTellsTheRoomThatTheDrainFinds() {
    pool.watermark = 0.5;
    Node third = pool.node(MIB);
    disks();
    SegmentMount without = third.memory.getFirst();
    pool.put("there", SIZE, without);
    for (int i = 0; i < 200; i++) {
      pool.put("k" + i, SIZE, source.memory.getFirst());
    }
    DrainSurvey survey =
        pool.index
            .lanes()
            .survey(
                source.segments(),
                List.of(without),
                (object, replica, generation, reason) -> {
                  throw new AssertionError(object.key());
                });
    assertThat(survey.step(pool.now, () -> true)).isTrue();
    LaneTarget room = survey.targets(pool.room()).getFirst();
    assertThat(room).isEqualTo(new LaneTarget(without, MIB - SIZE, MIB / 2 - SIZE, false));
    pool.open(JOB, source.segments(), without);
    long used = 0;
    for (Move move : pool.take(JOB, 1_000)) {
      used += move.size();
    }
    assertThat(used).as("no more and no less").isEqualTo(room.roomBytes());
    DrainSurvey all =
        pool.index.lanes().survey(source.segments(), List.of(), (o, r, g, reason) -> {});
    assertThat(all.targets(pool.room()))
        .as("eviction makes room where a disk has what is evicted")
        .contains(new LaneTarget(target.memory.getFirst(), MIB, MIB, true));
  }

  @Test
  void aWholeNodeIsDrained() {
    disks();
    SegmentMount second = pool.memory(source, MIB);
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < 8; i++) {
      pool.put("a" + i, SIZE, source.memory.getFirst());
      keys.add("a" + i);
    }
    pool.offloadAll(source);
    for (int i = 0; i < 8; i++) {
      pool.putOnDisk("b" + i, SIZE, source);
      pool.put("c" + i, SIZE, second);
      keys.addAll(List.of("b" + i, "c" + i));
    }
    open();
    Set<String> moved = new HashSet<>();
    for (List<Move> moves = pool.take(JOB, 3); !moves.isEmpty(); moves = pool.take(JOB, 3)) {
      moves.forEach(move -> assertThat(moved.add(move.key())).as(move.key()).isTrue());
      pool.endAll(moves);
      pool.audit();
    }
    assertThat(moved).isEqualTo(keys);
    pool.offloadAll(target);
    leaveDisk(23);
    assertLeft(0);
    for (String key : keys) {
      assertThat(pool.generations(key))
          .startsWith(target.memory.getFirst().generation())
          .doesNotContain(source.disk.generation());
    }
    assertThat(pool.types("a1")).contains(ReplicaType.LOCAL_DISK);
    pool.auditSpace();
  }
}
