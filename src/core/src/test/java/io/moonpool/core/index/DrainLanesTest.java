package io.moonpool.core.index;

import static io.moonpool.core.index.DrainPool.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.core.index.DrainPool.Move;
import io.moonpool.core.index.DrainPool.Node;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.TaskType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a lane moves, in which order, what it waits for, and what wakes it: memory. */
class DrainLanesTest {
  private static final long MIB = 1 << 20;
  private static final long SIZE = 4096;

  private final DrainPool pool = new DrainPool(OffloadPolicy.OFF);
  private final Node source = pool.node(MIB);
  private final Node target = pool.node(MIB);
  private final SegmentMount from = source.memory.getFirst();
  private final SegmentMount to = target.memory.getFirst();

  private void open() {
    pool.open(JOB, source.segments());
  }

  private void signalled(boolean expected) {
    assertThat(pool.changed).isEqualTo(expected ? List.of(JOB) : List.of());
    pool.changed.clear();
  }

  // Moving

  @Test
  void everyReplicaIsMoved() {
    Set<String> keys = new TreeSet<>();
    for (int i = 0; i < 10; i++) {
      pool.put("k" + i, SIZE, from);
      keys.add("k" + i);
    }
    pool.put("other", SIZE, to);
    open();
    assertThat(pool.figures(JOB).replicas()).isEqualTo(10);
    assertThat(pool.figures(JOB).bytes()).isEqualTo(10 * SIZE);
    Set<String> moved = new TreeSet<>();
    for (int batch = 0; batch < 3; batch++) {
      List<Move> moves = pool.take(JOB, 4);
      assertThat(moves).hasSize(batch < 2 ? 4 : 2);
      assertThat(pool.lastStep.more()).isEqualTo(batch < 2);
      assertThat(pool.lastStep.startedBytes()).isEqualTo(moves.size() * SIZE);
      assertThat(pool.figures(JOB).active()).isEqualTo(moves.size());
      assertThat(pool.figures(JOB).exhausted()).isFalse();
      moved.addAll(DrainPool.keys(moves));
      pool.endAll(moves);
      pool.audit();
    }
    assertThat(moved).isEqualTo(keys);
    LaneFigures end = pool.figures(JOB);
    assertThat(end)
        .isEqualTo(
            new LaneFigures(0, end.unitsOf(), end.rehomingOf(), 0, 0, 0, 0, 0, Set.of(), true, 0));
    for (String key : keys) {
      assertThat(pool.generations(key)).containsExactly(to.generation());
    }
    signalled(true);
    pool.auditSpace();
  }

  @Test
  void bytesBoundWhatIsStarted() {
    for (int i = 0; i < 5; i++) {
      pool.put("k" + i, SIZE, from);
    }
    open();
    assertThat(pool.take(JOB, 10, 1)).hasSize(1);
    assertThat(pool.take(JOB, 10, 2 * SIZE)).hasSize(2);
    assertThat(pool.lastStep.more()).isTrue();
  }

  @Test
  void anEmptySegmentIsEmptyAtOnce() {
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.figures(JOB).exhausted()).isTrue();
    assertThat(pool.figures(JOB).replicas()).isZero();
  }

  @Test
  void neitherLeasesNorPinsBlock() {
    pool.put("leased", SIZE, from);
    pool.index.exists(TestPool.key("leased"), pool.now);
    pool.end("pinned", pool.start("pinned", SIZE, TestPool.hardPin(), from));
    open();
    List<Move> moves = pool.take(JOB, 10);
    assertThat(moves).hasSize(2);
    pool.endAll(moves);
    assertThat(pool.describe("pinned").hardPinned()).isTrue();
    assertThat(pool.index.evict(EvictionTier.UNPINNED, 9, 1 << 30, pool.now + 20_000, () -> true))
        .as("all but the pinned one")
        .extracting(Evicted::objects)
        .isEqualTo(1L);
  }

  @Test
  void theSourceIsEmptyWhenTheLastLeaseHasEnded() {
    pool.put("k", SIZE, from);
    long leased = pool.now;
    pool.index.exists(TestPool.key("k"), leased);
    open();
    pool.now += 1000;
    pool.endAll(pool.take(JOB, 10));
    signalled(true);
    LaneFigures figures = pool.figures(JOB);
    assertThat(figures.replicas()).isZero();
    long end = leased + TestPool.LEASE + TestPool.SKEW;
    assertThat(figures.touchedUntilMillis()).isEqualTo(end);
    assertThat(pool.index.nextDeadlineMillis()).isEqualTo(end);
    pool.now = end - 1;
    pool.work();
    signalled(false);
    pool.now = end;
    pool.work();
    signalled(true);
    pool.work();
    signalled(false);
    assertThat(pool.index.nextDeadlineMillis()).isGreaterThan(pool.now);
    pool.auditSpace();
  }

  // Settling

  @Test
  void aFailedAttemptIsTriedAgainBehindTheOthers() {
    for (int i = 0; i < 3; i++) {
      pool.put("k" + i, SIZE, from);
    }
    open();
    Move first = pool.take(JOB, 1).getFirst();
    assertThat(pool.revoke(first)).isEqualTo(ErrorCode.OK);
    assertThat(pool.figures(JOB).active()).as("it stays with who took it").isOne();
    pool.again(JOB, first);
    signalled(true);
    List<Move> others = pool.take(JOB, 2);
    assertThat(DrainPool.keys(others)).doesNotContain(first.key());
    List<Move> again = pool.take(JOB, 2);
    assertThat(DrainPool.keys(again)).containsExactly(first.key());
    pool.endAll(others);
    pool.endAll(again);
    assertThat(pool.figures(JOB).replicas()).isZero();
  }

  @Test
  void aUnitThatFailedForGoodStays() {
    pool.put("k", SIZE, from);
    open();
    Move move = pool.take(JOB, 1).getFirst();
    pool.revoke(move);
    pool.fail(JOB, move);
    assertThat(pool.take(JOB, 1)).isEmpty();
    LaneFigures figures = pool.figures(JOB);
    assertThat(figures.exhausted()).isTrue();
    assertThat(figures.failed()).isOne();
    assertThat(figures.replicas()).isOne();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.FAILED));
    assertThat(pool.generations("k")).containsExactly(from.generation());
    pool.index.remove(TestPool.key("k"), true, pool.now);
    assertThat(pool.figures(JOB).replicas()).isZero();
    assertThat(pool.figures(JOB).failed()).isZero();
  }

  @Test
  void anAttemptThatRunsOutOfItsGrantIsTold() {
    pool.put("k", SIZE, from);
    open();
    Move move = pool.take(JOB, 1).getFirst();
    pool.now += DrainPool.GRANT + 1;
    pool.work();
    assertThat(pool.expired).containsExactly(move.task());
    assertThat(pool.end(move).code()).isEqualTo(ErrorCode.OBJECT_NO_REPLICATION_TASK);
    assertThat(pool.take(JOB, 1)).as("the unit is still with who took it").isEmpty();
    pool.again(JOB, move);
    pool.endAll(pool.take(JOB, 1));
    pool.now += TestPool.SKEW;
    pool.work();
    pool.auditSpace();
  }

  @Test
  void objectsThatGoMeanwhileAreDone() {
    pool.put("removed", SIZE, from);
    pool.put("overwritten", SIZE, from);
    pool.put("later", SIZE, from);
    open();
    List<Move> moves = pool.take(JOB, 2);
    Map<String, Move> byKey = new HashMap<>();
    moves.forEach(move -> byKey.put(move.key(), move));
    byKey.putAll(Map.of()); // walks meet the newest first
    assertThat(byKey.keySet()).containsExactlyInAnyOrder("later", "overwritten");
    assertThat(pool.index.remove(TestPool.key("later"), true, pool.now))
        .as("a drain is in nobody's way")
        .isEqualTo(ErrorCode.OK);
    long upsert = pool.startUpsert("overwritten", SIZE, to);
    assertThat(pool.index.remove(TestPool.key("removed"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.end(byKey.get("later")).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.end("overwritten", upsert)).isEqualTo(ErrorCode.OK);
    assertThat(pool.end(byKey.get("overwritten")).code()).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(pool.figures(JOB).replicas()).isZero();
    assertThat(pool.figures(JOB).active()).isZero();
    assertThat(pool.describe("overwritten").version()).isEqualTo(upsert);
    assertThat(pool.registry.find(to.generation()).orElseThrow().usedBytes())
        .as("the writers of both targets may still write")
        .isEqualTo(3 * SIZE);
    pool.now += DrainPool.GRANT + TestPool.SKEW;
    pool.work();
    assertThat(pool.registry.find(to.generation()).orElseThrow().usedBytes()).isEqualTo(SIZE);
    pool.auditSpace();
  }

  @Test
  void aMoveMayEndWhileAnUpsertIsInProgress() {
    pool.put("k", SIZE, from);
    open();
    Move move = pool.take(JOB, 1).getFirst();
    long upsert = pool.startUpsert("k", SIZE, to);
    pool.endAll(List.of(move));
    assertThat(pool.generations("k")).containsExactly(to.generation());
    assertThat(pool.end("k", upsert)).isEqualTo(ErrorCode.OK);
    pool.audit();
  }

  @Test
  void aTargetThatGoesIsAFailedAttempt() {
    Node third = pool.node(MIB);
    pool.put("k", SIZE, from);
    open();
    Move move = pool.take(JOB, 1).getFirst();
    long generation = move.targets().getFirst().generation();
    Node gone = target.memory.getFirst().generation() == generation ? target : third;
    gone.is(ClientState.OFFLINE);
    pool.index.sweep(gone.memory.getFirst().slot(), generation, pool.now, () -> true);
    assertThat(pool.end(move).code()).isEqualTo(ErrorCode.REPLICA_IS_GONE);
    pool.again(JOB, move);
    List<Move> again = pool.take(JOB, 1);
    assertThat(again).hasSize(1);
    pool.endAll(again);
    assertThat(pool.figures(JOB).replicas()).isZero();
    pool.audit();
  }

  // Waiting for objects

  @Test
  void aWriteInProgressIsWaitedFor() {
    long put = pool.start("put", SIZE, TestPool.terms(), from);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.lastStep.more()).isFalse();
    assertThat(pool.figures(JOB).waitingForObject()).isOne();
    assertThat(pool.figures(JOB).exhausted()).isFalse();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("put", WaitReason.WRITE_IN_PROGRESS));
    signalled(false);
    assertThat(pool.end("put", put)).isEqualTo(ErrorCode.OK);
    signalled(true);
    pool.endAll(pool.take(JOB, 10));
    assertThat(pool.generations("put")).containsExactly(to.generation());
  }

  @Test
  void anUpsertInProgressIsWaitedFor() {
    pool.put("k", SIZE, from);
    pool.put("l", SIZE, from);
    long ended = pool.startUpsert("k", SIZE, to);
    long revoked = pool.startUpsert("l", SIZE, to);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.end("k", ended)).isEqualTo(ErrorCode.OK);
    signalled(false);
    assertThat(pool.figures(JOB).replicas()).isOne();
    assertThat(pool.index.revoke(TestPool.key("l"), TestPool.WRITER, revoked, pool.now))
        .isEqualTo(ErrorCode.OK);
    signalled(true);
    List<Move> moves = pool.take(JOB, 10);
    assertThat(DrainPool.keys(moves)).containsExactly("l");
    pool.endAll(moves);
    assertThat(pool.figures(JOB).replicas()).isZero();
  }

  @Test
  void anUpsertToTheSourceIsWaitedForWithItsOldValue() {
    pool.put("k", SIZE, to);
    long upsert = pool.startUpsert("k", SIZE, from);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.WRITE_IN_PROGRESS));
    assertThat(pool.end("k", upsert)).isEqualTo(ErrorCode.OK);
    signalled(true);
    pool.endAll(pool.take(JOB, 10));
    assertThat(pool.generations("k")).containsExactly(to.generation());
    assertThat(pool.figures(JOB).exhausted()).isTrue();
  }

  @Test
  void aWriteThatIsGivenUpIsGone() {
    pool.start("k", SIZE, TestPool.terms(), from);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    pool.now += TestPool.GRANT + 1;
    pool.work();
    assertThat(pool.figures(JOB).replicas()).isZero();
    assertThat(pool.figures(JOB).exhausted()).isTrue();
    assertThat(pool.figures(JOB).touchedUntilMillis()).isEqualTo(pool.now - 1 + TestPool.SKEW);
  }

  @Test
  void anotherTaskOfTheObjectIsWaitedFor() {
    pool.put("k", SIZE, from);
    TransferWish wish =
        new TransferWish(
            TaskType.REPLICA_COPY, new UUID(1, 2), Optional.empty(), List.of(to), DrainPool.GRANT);
    pool.allocate(SIZE, to);
    ObjectKey key = TestPool.key("k");
    Transfers transfers = pool.index.transfers();
    assertThat(
            transfers.start(
                key, wish, pool.extents, pool.now, (task, object, source, targets) -> {}))
        .isEqualTo(ErrorCode.OK);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.COPY_OR_MOVE_IN_PROGRESS));
    long version = pool.describe("k").version();
    assertThat(transfers.revoke(key, wish.type(), wish.task(), version, pool.now))
        .isEqualTo(ErrorCode.OK);
    signalled(true);
    assertThat(pool.take(JOB, 10)).hasSize(1);
  }

  @Test
  void aReplicaThatIsBeingAddedIsWaitedFor() {
    long version = pool.put("k", SIZE, to);
    pool.allocate(SIZE, from);
    TestReplicas.start(
        pool.index,
        TestPool.key("k"),
        version,
        pool.extents,
        pool.now + 500,
        pool.now,
        pool.started);
    long added = pool.started.replicaId(0);
    Node third = pool.node(MIB);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.REPLICA_BUSY));
    TestReplicas.commit(pool.index, TestPool.key("k"), version, added, pool.now);
    signalled(true);
    List<Move> moves = pool.take(JOB, 10);
    assertThat(moves.getFirst().targets().getFirst().generation())
        .isEqualTo(third.memory.getFirst().generation());
  }

  // Targets

  @Test
  void targetsAreThoseOfTheJob() {
    Node third = pool.node(16 * MIB);
    for (int i = 0; i < 20; i++) {
      pool.put("k" + i, SIZE, from);
    }
    pool.open(JOB, source.segments(), to);
    List<Move> moves = pool.take(JOB, 20);
    assertThat(moves).allMatch(move -> move.targets().getFirst().generation() == to.generation());
    assertThat(third.memory).isNotEmpty();
  }

  @Test
  void unitsAreSpreadByFreeSpace() {
    Node third = pool.node(MIB);
    for (int i = 0; i < 100; i++) {
      pool.put("fill" + i, SIZE, third.memory.getFirst());
      pool.put("k" + i, SIZE, from);
    }
    open();
    pool.endAll(pool.take(JOB, 100));
    long emptier = pool.registry.find(to.generation()).orElseThrow().usedBytes();
    assertThat(emptier).as("the emptier one gets most").isGreaterThan(60 * SIZE);
  }

  @Test
  void nodesWithoutAReplicaComeFirst() {
    SegmentMount sameNode = pool.memory(target, 64 * MIB);
    Node third = pool.node(MIB);
    for (int i = 0; i < 20; i++) {
      pool.put("k" + i, SIZE, from, to);
    }
    open();
    for (Move move : pool.take(JOB, 20)) {
      assertThat(move.targets().getFirst().generation())
          .isEqualTo(third.memory.getFirst().generation());
    }
    assertThat(sameNode.generation()).isPositive();
  }

  @Test
  void aNodeWithAReplicaIsBetterThanNone() {
    SegmentMount sameNode = pool.memory(target, MIB);
    pool.put("k", SIZE, from, to);
    open();
    assertThat(pool.take(JOB, 1).getFirst().targets().getFirst().generation())
        .isEqualTo(sameNode.generation());
  }

  @Test
  void whereEveryOtherSegmentHasAReplicaTheSourceIsDropped() {
    pool.put("k", SIZE, from, to);
    pool.put("l", SIZE, from);
    open();
    List<Move> moves = pool.take(JOB, 10);
    assertThat(DrainPool.keys(moves)).containsExactly("l");
    assertThat(pool.lastStep.dropped()).isOne();
    assertThat(pool.lastStep.droppedBytes()).isEqualTo(SIZE);
    assertThat(pool.generations("k")).containsExactly(to.generation());
    pool.endAll(moves);
    assertThat(pool.figures(JOB).exhausted()).isTrue();
    pool.auditSpace();
  }

  @Test
  void aReplicaIsNotDroppedForOneThatCannotBeRead() {
    pool.put("k", SIZE, from, to);
    target.is(ClientState.SUSPECTED);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.lastStep.dropped()).isZero();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.NO_SPACE));
    signalled(false);
    target.is(ClientState.ACTIVE);
    signalled(true);
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.lastStep.dropped()).isOne();
  }

  @Test
  void aReplicaIsNotDroppedForOneThatIsBeingWritten() {
    long version = pool.put("k", SIZE, from);
    pool.allocate(SIZE, to);
    TestReplicas.start(
        pool.index,
        TestPool.key("k"),
        version,
        pool.extents,
        pool.now + 500,
        pool.now,
        pool.started);
    long added = pool.started.replicaId(0);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.lastStep.dropped()).isZero();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.REPLICA_BUSY));
    TestReplicas.commit(pool.index, TestPool.key("k"), version, added, pool.now);
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.lastStep.dropped()).isOne();
  }

  @Test
  void twoSourcesOfAJobDoNotCountForEachOther() {
    SegmentMount second = pool.memory(source, MIB);
    pool.put("k", SIZE, from, second);
    open();
    List<Move> moves = pool.take(JOB, 10);
    assertThat(moves).hasSize(1);
    assertThat(pool.figures(JOB).waitingForObject()).as("one at a time").isOne();
    pool.endAll(moves);
    assertThat(pool.generations("k")).contains(to.generation()).hasSize(2);
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.lastStep.dropped()).isOne();
    assertThat(pool.generations("k")).containsExactly(to.generation());
    assertThat(pool.figures(JOB).exhausted()).isTrue();
  }

  // Space

  @Test
  void unitsWaitForSpaceAndAreWokenHeadFirst() {
    long half = MIB / 2;
    pool.watermark = 1;
    pool.put("full", half + SIZE, to);
    pool.put("small", SIZE, from);
    pool.put("large", half + SIZE, from); // met first
    open();
    List<Move> moves = pool.take(JOB, 10);
    assertThat(DrainPool.keys(moves)).containsExactly("small");
    LaneFigures figures = pool.figures(JOB);
    assertThat(figures.waitingForSpace()).isOne();
    assertThat(figures.exhausted()).isFalse();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("large", WaitReason.NO_SPACE));
    pool.endAll(moves);
    pool.changed.clear();
    long seen = pool.looked;
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.looked - seen).as("nobody looks before space came").isLessThanOrEqualTo(1);
    pool.index.remove(TestPool.key("full"), true, pool.now);
    pool.passOnSpace();
    signalled(true);
    assertThat(DrainPool.keys(pool.take(JOB, 10))).containsExactly("large");
  }

  @Test
  void aLanePausesWhenTooManyUnitsWaitForSpace() {
    pool.watermark = 0;
    for (int i = 0; i < 200; i++) {
      pool.put("k" + i, SIZE, from);
    }
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.figures(JOB).waitingForSpace()).isEqualTo(DrainLane.MAX_ON_SPACE);
    assertThat(pool.lastStep.more()).isFalse();
    assertThat(pool.lastStep.needsSpace()).as("nothing is pushed out where no disk is").isFalse();
    long looked = pool.looked;
    pool.index.lanes().spaceCame(pool.now);
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.looked - looked).as("the first alone is tried").isLessThanOrEqualTo(2);
    pool.watermark = 1;
    pool.index.lanes().spaceCame(pool.now);
    List<Move> moves = pool.take(JOB, 1000);
    assertThat(moves).hasSize(200);
    pool.endAll(moves);
    assertThat(pool.figures(JOB).exhausted()).isTrue();
  }

  @Test
  void aSegmentThatComesWakes() {
    target.is(ClientState.SUSPECTED);
    pool.put("k", SIZE, from);
    open();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.waiting(JOB)).isEqualTo(Map.of("k", WaitReason.NO_SPACE));
    signalled(false);
    Node third = pool.node(MIB);
    signalled(true);
    assertThat(pool.take(JOB, 10).getFirst().targets().getFirst().generation())
        .isEqualTo(third.memory.getFirst().generation());
  }

  @Test
  void memoryWithoutADiskIsFilledToTheWatermark() {
    pool.watermark = 0.5;
    for (int i = 0; i < 200; i++) {
      pool.put("k" + i, SIZE, from);
    }
    open();
    assertThat(pool.take(JOB, 1000)).hasSize(128);
    assertThat(pool.figures(JOB).waitingForSpace()).isEqualTo(64);
  }

  // Sources

  @Test
  void aNodeThatIsNotHeardFromIsWaitedFor() {
    for (int i = 0; i < 4; i++) {
      pool.put("k" + i, SIZE, from);
    }
    open();
    List<Move> first = pool.take(JOB, 2);
    pool.revoke(first.getFirst());
    pool.again(JOB, first.getFirst());
    source.is(ClientState.SUSPECTED);
    pool.changed.clear();
    assertThat(pool.take(JOB, 10)).isEmpty();
    assertThat(pool.figures(JOB).paused()).containsExactly(WaitReason.CLIENT_SUSPECTED);
    assertThat(pool.figures(JOB).exhausted()).isFalse();
    signalled(false);
    source.is(ClientState.ACTIVE);
    signalled(true);
    assertThat(pool.take(JOB, 10)).hasSize(3);
    assertThat(pool.figures(JOB).paused()).isEmpty();
  }

  @Test
  void manyThatWaitForANodeAreTriedInStepsWhenItIsBack() {
    int units = 2_000;
    Node big = pool.node(4 * units * SIZE);
    for (int i = 0; i < units; i++) {
      pool.put("k" + i, SIZE, big.memory.getFirst());
    }
    pool.node(4 * units * SIZE);
    pool.open(JOB, big.segments());
    List<Move> moves = pool.take(JOB, units);
    assertThat(moves).hasSize(units);
    for (Move move : moves) {
      pool.revoke(move);
      pool.again(JOB, move);
    }
    big.is(ClientState.SUSPECTED);
    assertThat(pool.take(JOB, units)).isEmpty();
    assertThat(pool.figures(JOB).paused()).containsExactly(WaitReason.CLIENT_SUSPECTED);
    pool.changed.clear();
    big.is(ClientState.ACTIVE);
    signalled(true);
    Set<String> tried = new TreeSet<>();
    while (tried.size() < units / 2) {
      pool.mayLook = pool.looked + 100;
      List<Move> some = pool.take(JOB, units);
      assertThat(some).as("a step goes on until its time is over").hasSize(100);
      assertThat(pool.lastStep.more()).isTrue();
      tried.addAll(DrainPool.keys(some));
    }
    // It goes again: those that were woken and not tried wait anew, the others still do.
    big.is(ClientState.SUSPECTED);
    pool.mayLook = Long.MAX_VALUE;
    assertThat(pool.take(JOB, units)).isEmpty();
    assertThat(pool.lastStep.more()).isFalse();
    big.is(ClientState.ACTIVE);
    tried.addAll(DrainPool.keys(pool.take(JOB, units)));
    assertThat(tried).hasSize(units);
    assertThat(pool.figures(JOB).paused()).isEmpty();
    pool.audit();
  }

  @Test
  void anotherNodeGoesOnMeanwhile() {
    SegmentMount more = target.memory.getFirst();
    Node third = pool.node(MIB);
    pool.put("a", SIZE, from);
    pool.put("b", SIZE, more);
    pool.open(JOB, List.of(from, more));
    source.is(ClientState.SUSPECTED);
    List<Move> moves = pool.take(JOB, 10);
    assertThat(DrainPool.keys(moves)).containsExactly("b");
    assertThat(moves.getFirst().targets().getFirst().generation())
        .isEqualTo(third.memory.getFirst().generation());
  }

  @Test
  void aSourceThatGoesIsNotWaitedFor() {
    Node third = pool.node(MIB);
    for (int i = 0; i < 3; i++) {
      pool.put("a" + i, SIZE, from);
      pool.put("b" + i, SIZE, to);
    }
    pool.open(JOB, List.of(from, to));
    List<Move> moves = pool.take(JOB, 1);
    source.is(ClientState.SUSPECTED);
    assertThat(pool.take(JOB, 1)).hasSize(1).allMatch(move -> move.key().startsWith("b"));
    source.is(ClientState.OFFLINE);
    assertThat(pool.index.sweep(from.slot(), from.generation(), pool.now, () -> true)).isTrue();
    assertThat(pool.end(moves.getFirst()).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    List<Move> rest = pool.take(JOB, 10);
    assertThat(DrainPool.keys(rest)).allMatch(key -> key.startsWith("b"));
    pool.endAll(rest);
    assertThat(pool.figures(JOB).replicas()).as("one is still under way").isOne();
    assertThat(pool.figures(JOB).paused()).isEmpty();
    pool.apply(pool.registry.swept(from.generation()));
    Node again = pool.node(MIB);
    assertThat(again.memory.getFirst().slot()).as("the slot is used again").isEqualTo(from.slot());
    pool.put("new", SIZE, again.memory.getFirst());
    assertThat(pool.figures(JOB).replicas()).as("by somebody else").isOne();
    assertThat(third.memory).hasSize(1);
    pool.audit();
  }

  // Jobs

  @Test
  void aJobHasOneLaneAndASourceOneJob() {
    open();
    UUID other = new UUID(9, 10);
    assertThatThrownBy(() -> pool.index.lanes().open(JOB, List.of(to), List.of(), 1, pool.now))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool.index.lanes().open(other, List.of(from), List.of(), 1, pool.now))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(pool.index.lanes().isOpen(other)).isFalse();
    pool.index.lanes().close(JOB, pool.now);
    pool.index.lanes().open(other, List.of(from), List.of(), 1, pool.now);
    assertThat(pool.index.lanes().isOpen(other)).isTrue();
  }

  @Test
  void whatAClosedLaneStartedMayEnd() {
    pool.put("a", SIZE, from);
    pool.put("b", SIZE, from);
    long write = pool.start("c", SIZE, TestPool.terms(), from);
    open();
    List<Move> moves = pool.take(JOB, 1);
    pool.take(JOB, 0);
    pool.index.lanes().close(JOB, pool.now);
    pool.endAll(moves);
    pool.end("c", write);
    pool.index.lanes().open(JOB, List.of(from), List.of(), DrainPool.GRANT, pool.now);
    List<Move> rest = pool.take(JOB, 10);
    assertThat(rest).hasSize(2);
    pool.endAll(rest);
    assertThat(pool.figures(JOB).replicas()).isZero();
    pool.auditSpace();
  }

  @Test
  void twoJobsDrainTwoNodes() {
    Node third = pool.node(4 * MIB);
    UUID other = new UUID(9, 10);
    for (int i = 0; i < 10; i++) {
      pool.put("a" + i, SIZE, from);
      pool.put("b" + i, SIZE, to);
      pool.put("c" + i, SIZE, from, to);
    }
    open();
    pool.open(other, target.segments());
    for (int round = 0; round < 100; round++) {
      pool.endAll(pool.take(JOB, 3));
      pool.endAll(pool.take(other, 3));
    }
    assertThat(pool.figures(JOB).replicas()).isZero();
    assertThat(pool.figures(other).replicas()).isZero();
    for (int i = 0; i < 10; i++) {
      for (String key : List.of("a" + i, "b" + i, "c" + i)) {
        assertThat(pool.describe(key).replicas())
            .extracting(ReplicaDescriptor::generation)
            .containsExactly(third.memory.getFirst().generation());
        assertThat(pool.types(key)).containsExactly(ReplicaType.MEMORY);
      }
    }
    pool.auditSpace();
  }
}
