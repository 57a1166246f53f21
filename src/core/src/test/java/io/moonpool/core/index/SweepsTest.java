package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.core.segment.SegmentChange;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentStatus;
import org.junit.jupiter.api.Test;

class SweepsTest {
  private final TestPool pool = new TestPool();

  private boolean sweep(int slot) {
    return pool.index.sweep(slot, pool.segments.generation(slot), pool.now, () -> true);
  }

  @Test
  void replicasOnOtherSegmentsStay() {
    pool.mount(1);
    for (int i = 0; i < 100; i++) {
      pool.put("zero" + i, terms(), 0);
      pool.put("one" + i, terms(), 1);
      pool.put("both" + i, terms(), 0, 1);
    }
    pool.status(0, SegmentStatus.UNMOUNTING);
    assertThat(sweep(0)).isTrue();
    assertThat(pool.index.replicasInSlot(0)).isZero();
    assertThat(pool.index.bytesInSlot(0)).isZero();
    assertThat(pool.index.replicasInSlot(1)).isEqualTo(200);
    assertThat(pool.index.bytesInSlot(1)).isEqualTo(200 * SIZE);
    assertThat(pool.index.stats().objects()).isEqualTo(200);
    assertThat(pool.index.stats().objectsSwept()).isEqualTo(100);
    for (int i = 0; i < 100; i++) {
      assertThat(pool.locate("zero" + i).code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
      assertThat(pool.locate("one" + i).replicas).hasSize(1);
      assertThat(pool.locate("both" + i).replicas).hasSize(1);
    }
    assertThat(pool.freed).as("the segment's space went with it").isEmpty();
  }

  @Test
  void sweepVisitsTheReplicasOfItsSegmentOnly() {
    pool.mount(1);
    for (int i = 0; i < 5000; i++) {
      pool.put("other" + i, terms(), 1);
    }
    for (int i = 0; i < 50; i++) {
      pool.put("k" + i, terms(), 0);
    }
    pool.status(0, SegmentStatus.UNMOUNTING);
    int[] asked = {0};
    long generation = pool.segments.generation(0);
    int slices = 0;
    while (!pool.index.sweep(0, generation, pool.now, () -> ++asked[0] % 10 != 0)) {
      slices++;
    }
    assertThat(slices).isEqualTo(5);
    assertThat(asked[0]).isEqualTo(50 + slices);
  }

  @Test
  void sweepTakesUnfinishedWritesToo() {
    pool.mount(1);
    long put = pool.start("put");
    pool.put("upsert", terms(), 1);
    pool.upsertStart(key("upsert"), SIZE, terms(), 0);
    long upsert = pool.started.version();
    pool.status(0, SegmentStatus.UNMOUNTING);
    assertThat(sweep(0)).isTrue();
    assertThat(pool.end(key("put"), put)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.end(key("upsert"), upsert)).isEqualTo(ErrorCode.INVALID_WRITE);
    assertThat(pool.locate("upsert").code).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.stats().writesInProgress()).isZero();
  }

  @Test
  void sweepUnderAnUpsertLeavesTheWrite() {
    pool.mount(1);
    pool.put("k", terms(), 0);
    pool.upsertStart(key("k"), SIZE, terms(), 1);
    long version = pool.started.version();
    pool.status(0, SegmentStatus.UNMOUNTING);
    assertThat(sweep(0)).isTrue();
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(pool.end(key("k"), version)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").version).isEqualTo(version);
  }

  @Test
  void replicasAreHiddenBeforeTheSweepGetsToThem() {
    pool.put("k");
    pool.status(0, SegmentStatus.UNMOUNTING);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.index.exists(key("k"), pool.now)).isFalse();
    assertThat(pool.has("k")).isFalse();
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.index.walk(0, pool.now, () -> true, object -> fail())).isZero();
  }

  private static boolean fail() {
    throw new AssertionError("not there");
  }

  @Test
  void sweptSlotCanBeMountedAgain() {
    pool.put("k");
    pool.status(0, SegmentStatus.UNMOUNTING);
    long generation = pool.segments.generation(0);
    assertThat(sweep(0)).isTrue();
    pool.segments.apply(new SegmentChange.Unmounted(0, generation));
    long next = pool.mount(0);
    pool.put("k");
    assertThat(pool.locate("k").replicas.getFirst().generation()).isEqualTo(next);
    assertThat(pool.index.sweep(0, generation, pool.now, () -> true))
        .as("a late sweep of the old mount leaves the new one alone")
        .isTrue();
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OK);
  }

  @Test
  void slotThatIsGivenAwayBeforeItsSweepIsABug() {
    pool.put("k");
    long generation = pool.segments.generation(0);
    pool.segments.apply(new SegmentChange.Unmounted(0, generation));
    pool.mount(0);
    assertThatThrownBy(() -> pool.put("other"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before generation " + generation + " was swept");
  }

  @Test
  void quarantinedSpaceOfAMountThatIsGoneIsNotReported() {
    pool.put("k");
    pool.locate("k");
    pool.index.remove(key("k"), true, pool.now);
    pool.status(0, SegmentStatus.UNMOUNTING);
    pool.now += TestPool.LEASE + TestPool.SKEW;
    assertThat(pool.index.releaseQuarantine(pool.now, () -> true)).isTrue();
    assertThat(pool.freed).isEmpty();
    assertThat(pool.index.stats().quarantinedExtents()).isZero();
  }
}
