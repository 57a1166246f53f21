package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.LEASE;
import static io.moonpool.core.index.TestPool.SKEW;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentStatus;
import org.junit.jupiter.api.Test;

class ReadsTest {
  private final TestPool pool = new TestPool();

  @Test
  void missingKeyIsNotFound() {
    TestPool.Location location = pool.locate("k");
    assertThat(location.code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(location.replicas).isEmpty();
    assertThat(pool.index.exists(key("k"), pool.now)).isFalse();
  }

  @Test
  void replicaOfASuspectedNodeIsNotServedUntilItIsBack() {
    pool.put("k");
    pool.serving(0, false);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(pool.index.exists(key("k"), pool.now)).isFalse();
    pool.serving(0, true);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OK);
  }

  @Test
  void onlyServedReplicasAreListed() {
    long second = pool.mount(1);
    pool.put("k", terms(), 0, 1);
    pool.serving(0, false);
    assertThat(pool.locate("k").replicas)
        .extracting(TestPool.Replica::generation)
        .containsExactly(second);
  }

  @Test
  void drainingSegmentIsServed() {
    pool.put("k");
    pool.status(0, SegmentStatus.DRAINING);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OK);
  }

  @Test
  void readsThatFindNothingGrantNoLease() {
    pool.put("k");
    pool.serving(0, false);
    pool.locate("k");
    pool.index.exists(key("k"), pool.now);
    assertThat(pool.index.remove(key("k"), false, pool.now)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void leasedObjectIsNotRemoved() {
    pool.put("a");
    pool.put("b");
    pool.locate("a");
    pool.index.exists(key("b"), pool.now);
    pool.now += LEASE - 1;
    assertThat(pool.index.remove(key("a"), false, pool.now)).isEqualTo(ErrorCode.OBJECT_HAS_LEASE);
    assertThat(pool.index.remove(key("b"), false, pool.now)).isEqualTo(ErrorCode.OBJECT_HAS_LEASE);
    pool.now++;
    assertThat(pool.index.remove(key("a"), false, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.remove(key("b"), false, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.freed).as("readers may be late by the skew").isEmpty();
    pool.index.releaseQuarantine(pool.now + SKEW, () -> true);
    assertThat(pool.held).isEmpty();
  }

  @Test
  void timeNeverGoesBack() {
    pool.put("k");
    pool.locate("k");
    pool.now -= LEASE;
    pool.locate("k");
    pool.now += LEASE;
    assertThat(pool.index.remove(key("k"), false, pool.now + LEASE - 1))
        .isEqualTo(ErrorCode.OBJECT_HAS_LEASE);
  }

  @Test
  void forcedRemovalIgnoresTheLeaseButSpaceWaitsForIt() {
    pool.put("k");
    pool.locate("k");
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    pool.put("k");
    assertThat(pool.freed).isEmpty();
    assertThat(pool.index.nextDeadlineMillis()).isEqualTo(pool.now + LEASE + SKEW);
    pool.index.releaseQuarantine(pool.now + LEASE + SKEW, () -> true);
    assertThat(pool.freed).containsExactly(1);
  }

  @Test
  void removalOfAnObjectThatNobodyReadFreesItsSpaceAtOnce() {
    pool.put("k");
    assertThat(pool.index.remove(key("k"), false, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.held).isEmpty();
  }

  @Test
  void unfinishedWritesAreNotRemoved() {
    pool.start("put");
    assertThat(pool.index.remove(key("put"), true, pool.now))
        .isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    pool.put("upsert");
    pool.startUpsert("upsert");
    assertThat(pool.index.remove(key("upsert"), true, pool.now))
        .isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    pool.now += TestPool.GRANT + 1;
    assertThat(pool.index.remove(key("put"), true, pool.now)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.index.remove(key("upsert"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.stats().objects()).isZero();
    assertThat(pool.index.stats().memoryReplicas()).isZero();
  }
}
