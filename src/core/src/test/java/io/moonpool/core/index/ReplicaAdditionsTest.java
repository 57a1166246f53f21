package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.GRANT;
import static io.moonpool.core.index.TestPool.LEASE;
import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.SKEW;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.TaskType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas that are being added to objects: the targets of copies, moves and promotions. */
class ReplicaAdditionsTest {
  private static final int TARGET = 2;

  private final TestPool pool = new TestPool();
  private final StartedWrite added = new StartedWrite();

  @BeforeEach
  void mountTargets() {
    pool.mount(1);
    pool.mount(TARGET);
  }

  private ErrorCode start(String key, long version, int... slots) {
    ExtentList extents = pool.extents(SIZE, slots);
    ErrorCode code =
        TestReplicas.start(
            pool.index, key(key), version, extents, pool.now + GRANT, pool.now, added);
    if (code == ErrorCode.OK) {
      pool.hold(extents);
    }
    return code;
  }

  /** Starts one in the target; answers its id. */
  private long started(String key, long version) {
    assertThat(start(key, version, TARGET)).isEqualTo(ErrorCode.OK);
    return added.replicaId(0);
  }

  private ErrorCode commit(String key, long version, long replica) {
    return TestReplicas.commit(pool.index, key(key), version, replica, pool.now);
  }

  private void reap() {
    assertThat(pool.index.reapWrites(pool.now, () -> true)).isTrue();
    assertThat(pool.index.releaseQuarantine(pool.now, () -> true)).isTrue();
  }

  /** The extent that was handed out last comes back when its writer must have stopped. */
  private void checkComesBackAfterTheGrant(long startedMillis) {
    int node = pool.lastNode();
    pool.now = startedMillis + GRANT + SKEW - 1;
    reap();
    assertThat(pool.held).containsKey(node);
    pool.now++;
    reap();
    assertThat(pool.held).doesNotContainKey(node);
  }

  @Test
  void readersSeeItAfterTheCommitOnly() {
    long version = pool.put("k");
    long replica = started("k", version);
    assertThat(pool.locate("k").replicas).hasSize(1);
    assertThat(pool.index.core.additions.underWay()).isEqualTo(1);
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.OK);
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").replicas).extracting(TestPool.Replica::id).contains(replica);
    assertThat(pool.index.core.additions.underWay()).isZero();
    assertThat(pool.index.stats().replicasAdded()).isEqualTo(1);
    pool.now += GRANT + SKEW;
    reap();
    assertThat(pool.locate("k").replicas).hasSize(2);
  }

  @Test
  void severalAreStartedTogetherOrNotAtAll() {
    long version = pool.put("k");
    assertThat(start("k", version, 1, 0)).isEqualTo(ErrorCode.REPLICA_ALREADY_EXISTS);
    assertThat(start("k", version, 1, 1)).isEqualTo(ErrorCode.REPLICA_ALREADY_EXISTS);
    assertThat(start("k", version, 1, TARGET)).isEqualTo(ErrorCode.OK);
    assertThat(start("k", version, TARGET)).isEqualTo(ErrorCode.REPLICA_ALREADY_EXISTS);
    long second = added.replicaId(1);
    assertThat(commit("k", version, added.replicaId(0))).isEqualTo(ErrorCode.OK);
    assertThat(commit("k", version, second)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").replicas).hasSize(3);
  }

  @Test
  void whatIsNotRightIsRefused() {
    assertThat(start("k", 5, 1)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    long version = pool.start("k");
    assertThat(start("k", version, 1)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    pool.end(key("k"), version);
    assertThat(start("k", version + ObjectIndex.SHARDS, 1)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(start("k", version)).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(
            TestReplicas.start(
                pool.index, key("k"), version, pool.extents(SIZE, 1), pool.now, pool.now, added))
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    pool.status(1, SegmentStatus.UNMOUNTING);
    assertThat(start("k", version, 1)).isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
    assertThat(commit("k", version, 77)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(pool.locate("k").replicas).hasSize(1);
  }

  @Test
  void removalDoesNotWaitForIt() {
    long version = pool.put("k");
    long replica = started("k", version);
    assertThat(pool.index.remove(key("k"), false, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    checkComesBackAfterTheGrant(pool.now);
    assertThat(pool.held).isEmpty();
  }

  @Test
  void overwritingDoesNotWaitForIt() {
    long version = pool.put("k");
    long replica = started("k", version);
    int node = pool.lastNode();
    long next = pool.startUpsert("k");
    assertThat(pool.end(key("k"), next)).isEqualTo(ErrorCode.OK);
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(pool.locate("k").version).isEqualTo(next);
    assertThat(pool.held).containsKey(node);
    pool.now += GRANT + SKEW;
    reap();
    assertThat(pool.held).doesNotContainKey(node);
  }

  @Test
  void commitDuringAnUpsertAddsToTheOldValue() {
    long version = pool.put("k");
    long replica = started("k", version);
    long next = pool.startUpsert("k");
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").replicas).hasSize(2);
    assertThat(pool.end(key("k"), next)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").replicas).hasSize(1);
  }

  @Test
  void evictionDoesNotWaitForIt() {
    pool.mount(3, SegmentKind.LOCAL_DISK);
    long version = pool.put("k");
    pool.addDiskReplica("k", 3);
    long replica = started("k", version);
    assertThat(pool.evict(EvictionTier.UNPINNED, 1)).isEqualTo(1);
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").replicas).hasSize(2);
    pool.now += LEASE;
    assertThat(pool.evict(EvictionTier.UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.locate("k").replicas).hasSize(1);
  }

  @Test
  void goesWithTheLastReplicaThatIsComplete() {
    long version = pool.put("k");
    long replica = started("k", version);
    assertThat(pool.evict(EvictionTier.UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.has("k")).isFalse();
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.putStart(key("k"), SIZE, terms(), 0)).isEqualTo(ErrorCode.OK);
    checkComesBackAfterTheGrant(pool.now);
  }

  @Test
  void isGivenUpWhenItIsOverdue() {
    long version = pool.put("k");
    long replica = started("k", version);
    assertThat(pool.index.nextDeadlineMillis()).isEqualTo(pool.now + GRANT + 1);
    pool.now += GRANT;
    reap();
    assertThat(pool.describe("k").replicas()).hasSize(2);
    pool.now++;
    assertThat(pool.index.reapWrites(pool.now, () -> false)).isFalse();
    reap();
    assertThat(pool.describe("k").replicas()).hasSize(1);
    assertThat(pool.index.stats().replicasReaped()).isEqualTo(1);
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    checkComesBackAfterTheGrant(pool.now - GRANT - 1);
  }

  @Test
  void mayBeCommittedLateWhileNobodyGaveItUp() {
    long version = pool.put("k");
    long replica = started("k", version);
    pool.now += GRANT + 5;
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.OK);
    reap();
    assertThat(pool.locate("k").replicas).hasSize(2);
  }

  @Test
  void isGivenUpByItsWriter() {
    long version = pool.put("k");
    long replica = started("k", version);
    long startedMillis = pool.now;
    assertThat(TestReplicas.remove(pool.index, key("k"), replica, pool.now))
        .isEqualTo(ErrorCode.OK);
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(start("k", version, TARGET)).isEqualTo(ErrorCode.OK);
    assertThat(TestReplicas.remove(pool.index, key("k"), added.replicaId(0), pool.now))
        .isEqualTo(ErrorCode.OK);
    checkComesBackAfterTheGrant(startedMillis);
    assertThat(pool.locate("k").replicas).hasSize(1);
  }

  @Test
  void goesWithItsSegment() {
    long version = pool.put("k");
    long replica = started("k", version);
    long generation = pool.segments.generation(TARGET);
    pool.status(TARGET, SegmentStatus.UNMOUNTING);
    assertThat(commit("k", version, replica)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(pool.index.sweep(TARGET, generation, pool.now, () -> true)).isTrue();
    assertThat(pool.index.core.additions.underWay()).isZero();
    assertThat(pool.locate("k").replicas).hasSize(1);
  }

  @Test
  void isNoSourceForTasks() {
    long version = pool.put("k");
    long replica = started("k", version);
    assertThat(replica).isPositive();
    SegmentMount source = new SegmentMount(TARGET, pool.segments.generation(TARGET));
    SegmentMount target = new SegmentMount(1, pool.segments.generation(1));
    TransferWish wish =
        new TransferWish(
            TaskType.REPLICA_MOVE, new UUID(1, 1), Optional.of(source), List.of(target), GRANT);
    assertThat(pool.index.transfers().check(key("k"), wish, pool.now).code())
        .isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
  }
}
