package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.GRANT;
import static io.moonpool.core.index.TestPool.LEASE;
import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.SKEW;
import static io.moonpool.core.index.TestPool.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PromotionsTest {
  private static final int MEMORY = 0;
  private static final int OTHER = 1;
  private static final int DISK = 2;
  private static final int LIMIT = 2;
  private static final long WAIT = 60_000;

  private final TestPool pool =
      new TestPool(OffloadPolicy.OFF, new PromotionPolicy(true, 2, LIMIT, WAIT));
  private final Promotions promotions = pool.index.promotions();
  private final IndexStats stats = pool.index.stats();
  private final StartedWrite started = new StartedWrite();
  private long disk;

  @BeforeEach
  void mountDisk() {
    pool.mount(OTHER);
    disk = pool.mount(DISK, SegmentKind.LOCAL_DISK, 1, 1);
    promotions.room(true);
  }

  /** An object that only the disk has; answers its version. */
  private long onDisk(String key) {
    long version = pool.put(key);
    pool.addDiskReplica(key, DISK);
    assertThat(pool.evict(EvictionTier.UNPINNED, Long.MAX_VALUE)).isEqualTo(1);
    return version;
  }

  private void read(String key, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(pool.locate(key).code).isEqualTo(ErrorCode.OK);
    }
  }

  /** An object that is on its way back; answers its version. */
  private long admitted(String key) {
    long version = onDisk(key);
    read(key, 2);
    return version;
  }

  private String next() {
    ObjectView object = promotions.next(DISK, disk, pool.now);
    return object == null ? "" : object.key();
  }

  private ErrorCode start(int slot) {
    ExtentList extents = pool.extents(SIZE, slot);
    ErrorCode code = promotions.start(DISK, disk, extents, pool.now + GRANT, pool.now, started);
    if (code == ErrorCode.OK) {
      pool.hold(extents);
    }
    return code;
  }

  /** Starts to write the object that is next; answers the id of the replica. */
  private long started(String key) {
    assertThat(next()).isEqualTo(key);
    assertThat(start(OTHER)).isEqualTo(ErrorCode.OK);
    return started.replicaId(0);
  }

  private ErrorCode settle(String key, long version, long replica, boolean written) {
    return promotions.settle(key(key), version, replica, DISK, disk, written, pool.now);
  }

  private void tend() {
    assertThat(pool.index.tendDisks(pool.now, () -> true)).isTrue();
    assertThat(pool.index.reapWrites(pool.now, () -> true)).isTrue();
    assertThat(pool.index.releaseQuarantine(pool.now, () -> true)).isTrue();
  }

  @Test
  void anObjectThatIsReadOftenComesBack() {
    long version = onDisk("k");
    read("k", 1);
    assertThat(stats.promotionsRare()).isEqualTo(1);
    assertThat(next()).isEmpty();
    assertThat(pool.ready).isEmpty();
    read("k", 1);
    assertThat(pool.ready).containsExactly(DISK);
    long replica = started("k");
    assertThat(pool.locate("k").replicas)
        .extracting(TestPool.Replica::type)
        .containsExactly(ReplicaType.LOCAL_DISK);
    assertThat(settle("k", version, replica, true)).isEqualTo(ErrorCode.OK);
    assertThat(settle("k", version, replica, true)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").replicas)
        .extracting(TestPool.Replica::type)
        .containsExactly(ReplicaType.LOCAL_DISK, ReplicaType.MEMORY);
    assertThat(stats.promotionsCompleted()).isEqualTo(1);
    assertThat(stats.promotedBytes()).isEqualTo(SIZE);
    assertThat(stats.promotionsOpen()).isZero();
    read("k", 5);
    assertThat(stats.promotionsAdmitted()).isEqualTo(1);

    // It may be evicted again, and come back again.
    pool.now += LEASE;
    assertThat(pool.evict(EvictionTier.UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.locate("k").replicas).hasSize(1);
    assertThat(stats.promotionsAdmitted()).isEqualTo(2);
  }

  @Test
  void readersOfOneObjectStartOnePromotion() {
    admitted("k");
    read("k", 10);
    assertThat(stats.promotionsAdmitted()).isEqualTo(1);
    assertThat(stats.promotionsWaiting()).isEqualTo(1);
    started("k");
    read("k", 10);
    assertThat(next()).isEmpty();
    assertThat(stats.promotionsAdmitted()).isEqualTo(1);
    assertThat(stats.promotionsOpen()).isEqualTo(1);
  }

  @Test
  void whatIsInMemoryIsNotPromoted() {
    pool.put("k");
    read("k", 5);
    pool.addDiskReplica("k", DISK);
    read("k", 5);
    assertThat(stats.promotionsRare()).isZero();
    assertThat(next()).isEmpty();
    pool.index.exists(key("k"), pool.now);
    assertThat(stats.promotionsAdmitted()).isZero();
  }

  @Test
  void existsIsNoRead() {
    onDisk("k");
    for (int i = 0; i < 5; i++) {
      assertThat(pool.index.exists(key("k"), pool.now)).isTrue();
    }
    assertThat(next()).isEmpty();
  }

  @Test
  void whileThereIsNoRoomItIsRememberedAndNothingStarts() {
    promotions.room(false);
    onDisk("k");
    read("k", 3);
    assertThat(stats.promotionsMemoryFull()).isEqualTo(2);
    assertThat(stats.promotionCandidates()).isEqualTo(1);
    pool.now += 10;
    promotions.retry(100, pool.now);
    assertThat(stats.promotionsAdmitted()).isZero();
    promotions.room(true);
    promotions.retry(100, pool.now);
    assertThat(stats.promotionsAdmitted()).isEqualTo(1);
    assertThat(stats.promotionCandidates()).isZero();
    assertThat(pool.ready).containsExactly(DISK);

    promotions.room(false);
    assertThat(next()).isEmpty();
    promotions.room(true);
    assertThat(pool.ready).containsExactly(DISK, DISK);
    started("k");
  }

  @Test
  void aCandidateThatWasRemovedIsForgotten() {
    promotions.room(false);
    onDisk("k");
    read("k", 2);
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
    promotions.room(true);
    pool.now += 10;
    promotions.retry(100, pool.now);
    assertThat(stats.promotionCandidates()).isZero();
    assertThat(stats.promotionsAdmitted()).isZero();
  }

  @Test
  void theQueueHasALimitAndWhatEndsMakesRoom() {
    long first = admitted("a");
    admitted("b");
    admitted("c");
    assertThat(stats.promotionsQueueFull()).isEqualTo(1);
    assertThat(stats.promotionsWaiting()).isEqualTo(LIMIT);
    assertThat(settle("a", first, started("a"), true)).isEqualTo(ErrorCode.OK);
    pool.now += 10;
    promotions.retry(100, pool.now);
    assertThat(stats.promotionsAdmitted()).isEqualTo(3);
    started("b");
    started("c");
  }

  @Test
  void aDiskThatIsDrainedOrWhoseNodeIsNotHeardFromIsNoSource() {
    onDisk("k");
    pool.status(DISK, SegmentStatus.DRAINING);
    read("k", 3);
    assertThat(stats.promotionsAdmitted()).isZero();
    pool.status(DISK, SegmentStatus.OK);
    read("k", 2);
    assertThat(stats.promotionsWaiting()).isEqualTo(1);
    pool.serving(DISK, false);
    assertThat(next()).isEmpty();
    assertThat(stats.promotionsCancelled()).isEqualTo(1);
  }

  @Test
  void aWriteThatIsInProgressIsWaitedFor() {
    onDisk("k");
    pool.startUpsert("k");
    read("k", 3);
    assertThat(stats.promotionsAdmitted()).isZero();
  }

  @Test
  void removalAndOverwriteEndOneThatWaits() {
    admitted("a");
    admitted("b");
    assertThat(pool.index.remove(key("a"), true, pool.now)).isEqualTo(ErrorCode.OK);
    pool.end(key("b"), pool.startUpsert("b"));
    assertThat(stats.promotionsCancelled()).isEqualTo(2);
    assertThat(next()).isEmpty();
  }

  @Test
  void removalEndsOneThatIsOpenAndItsMemoryWaits() {
    long version = admitted("k");
    long replica = started("k");
    int node = pool.lastNode();
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(settle("k", version, replica, true)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(pool.has("k")).isFalse();
    assertThat(stats.promotionsCancelled()).isEqualTo(1);
    pool.now += GRANT + SKEW - 1;
    tend();
    assertThat(pool.held).containsKey(node);
    pool.now++;
    tend();
    assertThat(pool.held).isEmpty();
  }

  @Test
  void aLateSettleDoesNotTouchTheNextValue() {
    long version = admitted("k");
    long replica = started("k");
    long next = pool.startUpsert("k");
    assertThat(pool.end(key("k"), next)).isEqualTo(ErrorCode.OK);
    assertThat(settle("k", version, replica, true)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(settle("k", next, replica, true)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(pool.locate("k").replicas).hasSize(1);
    assertThat(pool.locate("k").version).isEqualTo(next);
  }

  @Test
  void aFailureGivesEverythingBack() {
    long version = admitted("k");
    long replica = started("k");
    assertThat(settle("k", version, replica, false)).isEqualTo(ErrorCode.OK);
    assertThat(settle("k", version, replica, false)).isEqualTo(ErrorCode.OK);
    assertThat(stats.promotionsFailed()).isEqualTo(1);
    assertThat(pool.index.core.additions.underWay()).isZero();
    assertThat(pool.locate("k").replicas).hasSize(1);
    // That read has admitted it again.
    started("k");
  }

  @Test
  void whatFindsNoSpaceHasFailed() {
    admitted("k");
    assertThat(next()).isEqualTo("k");
    promotions.refuse(DISK, disk, pool.now);
    assertThat(next()).isEmpty();
    read("k", 1);
    assertThat(next()).isEqualTo("k");
    pool.status(OTHER, SegmentStatus.UNMOUNTING);
    assertThat(start(OTHER)).isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
    assertThat(stats.promotionsFailed()).isEqualTo(2);
    assertThat(start(MEMORY)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void aNodeThatDoesNotSettleLosesItInTime() {
    long version = admitted("k");
    long replica = started("k");
    pool.now += GRANT + 1;
    tend();
    assertThat(stats.promotionsExpired()).isEqualTo(1);
    assertThat(settle("k", version, replica, true)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(pool.locate("k").replicas).hasSize(1);
    pool.now += SKEW;
    tend();
    assertThat(pool.held).isEmpty();
  }

  @Test
  void aNodeThatDoesNotTakeItLosesItInTime() {
    admitted("k");
    assertThat(pool.index.nextDeadlineMillis()).isLessThanOrEqualTo(pool.now + WAIT);
    pool.now += WAIT;
    tend();
    assertThat(stats.promotionsExpired()).isEqualTo(1);
    assertThat(next()).isEmpty();
  }

  @Test
  void goesWithTheDiskAndWithTheTarget() {
    admitted("waits");
    assertThat(next()).isEqualTo("waits");
    long version = admitted("open");
    promotions.refuse(DISK, disk, pool.now);
    long replica = started("open");
    long generation = pool.segments.generation(OTHER);
    pool.status(OTHER, SegmentStatus.UNMOUNTING);
    assertThat(pool.index.sweep(OTHER, generation, pool.now, () -> true)).isTrue();
    pool.segments.apply(new SegmentChange.Unmounted(OTHER, generation));
    assertThat(stats.promotionsCancelled()).isEqualTo(1);
    assertThat(settle("open", version, replica, true)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(pool.locate("open").replicas).hasSize(1);

    assertThat(next()).isEqualTo("open");
    pool.status(DISK, SegmentStatus.UNMOUNTING);
    assertThat(pool.index.sweep(DISK, disk, pool.now, () -> true)).isTrue();
    assertThat(stats.promotionsCancelled()).isEqualTo(2);
    assertThat(stats.promotionsWaiting()).isZero();
  }

  @Test
  void onlyTheNodeThatTookItSettlesIt() {
    long version = admitted("k");
    long replica = started("k");
    assertThat(promotions.settle(key("k"), version, replica, DISK, disk + 1, true, pool.now))
        .isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(promotions.settle(key("k"), version, replica, MEMORY, disk, false, pool.now))
        .isEqualTo(ErrorCode.OK);
    assertThat(settle("k", version, replica, true)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void nothingIsPromotedWhenItIsOff() {
    TestPool off = new TestPool();
    off.mount(DISK, SegmentKind.LOCAL_DISK, 1, 1);
    off.index.promotions().room(true);
    off.put("k");
    off.addDiskReplica("k", DISK);
    off.evict(EvictionTier.UNPINNED, 1);
    for (int i = 0; i < 10; i++) {
      off.locate("k");
    }
    assertThat(off.index.stats().promotionsAdmitted()).isZero();
    assertThat(off.index.stats().promotionsRare()).isZero();
  }
}
