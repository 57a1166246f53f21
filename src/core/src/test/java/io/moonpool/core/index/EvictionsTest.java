package io.moonpool.core.index;

import static io.moonpool.core.index.EvictionTier.SOFT_PINNED;
import static io.moonpool.core.index.EvictionTier.UNPINNED;
import static io.moonpool.core.index.TestPool.LEASE;
import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.SKEW;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SoftPinAction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EvictionsTest {
  private final TestPool pool = new TestPool();

  private void putEachMilli(int from, int to) {
    for (int i = from; i < to; i++) {
      pool.put("k" + i);
      pool.now++;
    }
  }

  private List<Integer> missing(int count) {
    return IntStream.range(0, count).filter(i -> !pool.has("k" + i)).boxed().toList();
  }

  @Test
  void exactlyTheObjectsWhoseLeaseEndedFirstGo() {
    putEachMilli(0, 400);
    for (int i = 0; i < 400; i += 7) {
      pool.locate("k" + i);
    }
    pool.now += LEASE;
    assertThat(pool.evict(UNPINNED, 20)).isEqualTo(20);
    assertThat(missing(400))
        .isEqualTo(IntStream.range(0, 400).filter(i -> i % 7 != 0).limit(20).boxed().toList());
  }

  @Test
  void leasedObjectsStay() {
    putEachMilli(0, 10);
    pool.locate("k3");
    assertThat(pool.evict(UNPINNED, 10)).isEqualTo(9);
    pool.now += LEASE - 1;
    assertThat(pool.evict(UNPINNED, 10)).isZero();
    pool.now++;
    assertThat(pool.evict(UNPINNED, 10)).isEqualTo(1);
  }

  @Test
  void spaceOfAnEvictedObjectWaitsForTheSkewAfterItsLease() {
    pool.put("k");
    pool.locate("k");
    pool.now += LEASE;
    pool.evict(UNPINNED, 1);
    assertThat(pool.freed).isEmpty();
    pool.now += SKEW;
    pool.index.releaseQuarantine(pool.now, () -> true);
    assertThat(pool.freed).containsExactly(1);
    pool.put("k");
    pool.locate("k");
    pool.now += LEASE + SKEW;
    pool.evict(UNPINNED, 1);
    assertThat(pool.freed).containsExactly(1, 2);
  }

  @Test
  void evictionStopsAtItsByteGoal() {
    putEachMilli(0, 10);
    Evicted evicted = pool.index.evict(UNPINNED, 10, 3 * SIZE, pool.now, () -> true);
    assertThat(evicted).isEqualTo(new Evicted(3, 3 * SIZE, false));
  }

  @Test
  void evictionStopsAtItsBudgetAndGoesOn() {
    putEachMilli(0, 10);
    int[] asked = {0};
    Evicted first = pool.index.evict(UNPINNED, 10, Long.MAX_VALUE, pool.now, () -> asked[0]++ < 4);
    assertThat(first).isEqualTo(new Evicted(4, 4 * SIZE, true));
    assertThat(pool.evict(UNPINNED, 10)).isEqualTo(6);
  }

  @Test
  void hardPinnedObjectsNeverGo() {
    pool.put("hard", TestPool.hardPin(), 0);
    pool.put("plain");
    assertThat(pool.evict(UNPINNED, 10)).isEqualTo(1);
    assertThat(pool.evict(SOFT_PINNED, 10)).isZero();
    assertThat(pool.has("hard")).isTrue();
    assertThat(pool.index.remove(key("hard"), false, pool.now)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void softPinnedObjectsGoOnlyWithTheirTierAndInOrder() {
    for (int i = 0; i < 10; i++) {
      pool.put("plain" + i);
      pool.put("pinned" + i, TestPool.softPin(SoftPinAction.ENABLE, 60_000), 0);
      pool.now++;
    }
    assertThat(pool.evict(UNPINNED, 100)).isEqualTo(10);
    assertThat(pool.evict(SOFT_PINNED, 6)).isEqualTo(6);
    for (int i = 0; i < 10; i++) {
      assertThat(pool.has("pinned" + i)).isEqualTo(i >= 6);
    }
  }

  @Test
  void softPinRunsOutAndReadsDoNotExtendIt() {
    pool.put("k", TestPool.softPin(SoftPinAction.ENABLE, 2 * LEASE), 0);
    pool.now += LEASE;
    pool.locate("k");
    assertThat(pool.describe("k").softPinRemainingMillis()).isEqualTo(LEASE);
    pool.now += LEASE - 1;
    assertThat(pool.evict(UNPINNED, 1)).isZero();
    pool.now++;
    assertThat(pool.index.stats().softPinned()).isEqualTo(1);
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.index.stats().softPinned()).isZero();
  }

  @Test
  void objectWhosePinRanOutTakesItsPlaceByItsLease() {
    pool.put("old", TestPool.softPin(SoftPinAction.ENABLE, 500), 0);
    pool.now++;
    pool.put("young");
    pool.now += 500;
    assertThat(pool.index.nextDeadlineMillis()).isLessThanOrEqualTo(pool.now);
    assertThat(pool.index.expireSoftPins(pool.now, () -> true)).isTrue();
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.has("old")).isFalse();
  }

  @Test
  void softPinChangesWhenAWriteCompletesAndNotBefore() {
    pool.put("k", TestPool.softPin(SoftPinAction.ENABLE, 50_000), 0);
    pool.upsertStart(key("k"), SIZE, TestPool.softPin(SoftPinAction.DISABLE, 0), 0);
    assertThat(pool.describe("k").softPinRemainingMillis()).isEqualTo(50_000);
    pool.end(key("k"), pool.started.version());
    assertThat(pool.describe("k").softPinRemainingMillis()).isZero();
    pool.upsertStart(key("k"), SIZE, TestPool.softPin(SoftPinAction.ENABLE, 70_000), 0);
    long version = pool.started.version();
    pool.now += 5;
    pool.end(key("k"), version);
    pool.now += 5;
    pool.end(key("k"), version);
    assertThat(pool.describe("k").softPinRemainingMillis()).isEqualTo(70_000 - 5);
    pool.end(key("k"), pool.startUpsert("k"));
    assertThat(pool.describe("k").softPinRemainingMillis()).isEqualTo(70_000 - 5);
    pool.upsertStart(key("k"), SIZE, TestPool.softPin(SoftPinAction.ENABLE, 0), 0);
    pool.end(key("k"), pool.started.version());
    assertThat(pool.describe("k").softPinRemainingMillis()).isZero();
  }

  @Test
  void softPinBlocksNoRemovalAndLeavesNothing() {
    pool.put("k", TestPool.softPin(SoftPinAction.ENABLE, 50_000), 0);
    assertThat(pool.index.remove(key("k"), false, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.stats().softPinned()).isZero();
    assertThat(pool.index.nextDeadlineMillis()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void endlessSoftPinDoesNotOverflow() {
    pool.put("k", TestPool.softPin(SoftPinAction.ENABLE, Long.MAX_VALUE), 0);
    assertThat(pool.describe("k").softPinRemainingMillis()).isGreaterThan(1L << 40);
    assertThat(pool.evict(UNPINNED, 1)).isZero();
  }

  @Test
  void hardPinOfAnUpsertIsAddedAndStays() {
    pool.put("k");
    pool.upsertStart(key("k"), SIZE, TestPool.hardPin(), 0);
    pool.end(key("k"), pool.started.version());
    pool.end(key("k"), pool.startUpsert("k"));
    assertThat(pool.describe("k").hardPinned()).isTrue();
    assertThat(pool.evict(UNPINNED, 1)).isZero();
  }

  @Test
  void objectThatATaskReadsStaysAndComesBackAtItsPlace() {
    pool.put("busy");
    long version = pool.started.version();
    pool.now++;
    pool.put("other");
    pool.now++;
    pool.mount(1);
    pool.startCopy("busy", 1);
    assertThat(pool.index.stats().evictionCandidates()).isEqualTo(1);
    pool.put("young");
    assertThat(pool.revokeCopy("busy", version)).isEqualTo(ErrorCode.OK);
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.has("busy")).isFalse();
    assertThat(pool.has("other")).isTrue();
  }

  @Test
  void objectWithAReplicaOnDiskOutlivesItsEvictionFromMemory() {
    long disk = pool.mount(1, SegmentKind.LOCAL_DISK);
    pool.put("k");
    pool.addDiskReplica("k", 1);
    assertThat(pool.evict(UNPINNED, 10)).isEqualTo(1);
    assertThat(pool.evict(UNPINNED, 10)).isZero();
    assertThat(pool.locate("k").replicas)
        .extracting(TestPool.Replica::type, TestPool.Replica::generation)
        .containsExactly(tuple(ReplicaType.LOCAL_DISK, disk));
    assertThat(pool.held).isEmpty();
  }

  @Test
  void evictionUnderAnUpsertLeavesTheWrite() {
    pool.put("k");
    long version = pool.startUpsert("k");
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(pool.putStart(key("k"), SIZE, terms(), 0))
        .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);
    assertThat(pool.end(key("k"), version)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").version).isEqualTo(version);
  }

  @Test
  void evictionVisitsOnlyWhatItEvicts() {
    List<String> leased = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      pool.put("k" + i);
      leased.add("k" + i);
    }
    leased.forEach(pool::locate);
    int[] asked = {0};
    pool.put("one");
    Evicted evicted =
        pool.index.evict(
            UNPINNED,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            pool.now,
            () -> {
              asked[0]++;
              return true;
            });
    assertThat(evicted.objects()).isEqualTo(1);
    assertThat(asked[0]).isEqualTo(1);
  }
}
