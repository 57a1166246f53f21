package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.GRANT;
import static io.moonpool.core.index.TestPool.LEASE;
import static io.moonpool.core.index.TestPool.OTHER;
import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.SKEW;
import static io.moonpool.core.index.TestPool.WRITER;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.core.allocation.Extent;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentStatus;
import org.junit.jupiter.api.Test;

class WritesTest {
  private final TestPool pool = new TestPool();

  @Test
  void putBecomesReadableAtItsEnd() {
    pool.mount(1);
    assertThat(pool.putStart(key("k"), SIZE, terms(), 0, 1)).isEqualTo(ErrorCode.OK);
    long version = pool.started.version();
    long first = pool.started.replicaId(0);
    long second = pool.started.replicaId(1);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(pool.index.exists(key("k"), pool.now)).isFalse();

    Checksum checksum = new Checksum(ChecksumKind.CRC32C, 7, new int[] {3, 4});
    assertThat(pool.index.end(key("k"), WRITER, version, checksum, pool.now))
        .isEqualTo(ErrorCode.OK);

    TestPool.Location location = pool.locate("k");
    assertThat(location.code).isEqualTo(ErrorCode.OK);
    assertThat(location.version).isEqualTo(version);
    assertThat(location.size).isEqualTo(SIZE);
    assertThat(location.checksum).isEqualTo(checksum);
    assertThat(location.replicas)
        .containsExactly(
            new TestPool.Replica(
                first, ReplicaType.MEMORY, pool.segments.generation(0), 1000 * Extent.UNIT),
            new TestPool.Replica(
                second, ReplicaType.MEMORY, pool.segments.generation(1), 2000 * Extent.UNIT));
    assertThat(pool.index.exists(key("k"), pool.now)).isTrue();
  }

  @Test
  void versionsAndReplicaIdsAreUniqueAndNameTheirShard() {
    long first = pool.start("k");
    long replica = pool.started.replicaId(0);
    assertThat(pool.index.revoke(key("k"), WRITER, first, pool.now)).isEqualTo(ErrorCode.OK);
    long second = pool.start("k");
    assertThat(second).isGreaterThan(first);
    assertThat(pool.started.replicaId(0)).isNotEqualTo(replica);
    assertThat(second % ObjectIndex.SHARDS).isEqualTo(key("k").shard());
    assertThat(replica % ObjectIndex.SHARDS).isEqualTo(key("k").shard());
  }

  @Test
  void aWriterWithoutVersionsEndsWhatItHasInProgress() {
    long any = ObjectIndex.ANY_VERSION;
    long version = pool.start("k");
    assertThat(pool.index.end(key("k"), OTHER, any, Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(pool.index.revoke(key("k"), OTHER, any, pool.now))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(pool.index.end(key("k"), WRITER, any, Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").version).isEqualTo(version);
    assertThat(pool.index.end(key("k"), WRITER, any, Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.OK);
    assertThat(pool.index.end(key("k"), OTHER, any, Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(pool.index.revoke(key("k"), WRITER, any, pool.now))
        .isEqualTo(ErrorCode.INVALID_WRITE);
    assertThat(pool.index.end(key("none"), WRITER, any, Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void putOfExistingOrUnfinishedObjectIsRefused() {
    long version = pool.start("k");
    assertThat(pool.putStart(key("k"), SIZE, terms(), 0))
        .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);
    pool.end(key("k"), version);
    assertThat(pool.index.checkPutStart(key("k"), SIZE, pool.now))
        .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);
    assertThat(pool.locate("k").version).isEqualTo(version);
  }

  @Test
  void unfinishedPutIsDisplacedAfterItsGrantAndItsSpaceReturnsAfterTheSkew() {
    pool.start("k");
    int node = pool.lastNode();
    pool.now += GRANT;
    assertThat(pool.putStart(key("k"), SIZE, terms(), 0))
        .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);
    pool.now++;
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    long version = pool.start("k");
    assertThat(pool.freed).isEmpty();
    pool.now += SKEW;
    pool.index.releaseQuarantine(pool.now, () -> true);
    assertThat(pool.freed).containsExactly(node);
    assertThat(pool.end(key("k"), version)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void endOfAnotherWriterIsIllegal() {
    long version = pool.start("k");
    assertThat(pool.index.end(key("k"), OTHER, version, Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(pool.index.revoke(key("k"), OTHER, version, pool.now))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(pool.end(key("k"), version)).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.end(key("k"), OTHER, version, Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
  }

  @Test
  void endIsIdempotentForItsVersionOnly() {
    long version = pool.put("k");
    assertThat(pool.end(key("k"), version)).isEqualTo(ErrorCode.OK);
    assertThat(pool.end(key("k"), version + 1)).isEqualTo(ErrorCode.INVALID_WRITE);
    assertThat(pool.end(key("other"), version)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void repeatedEndChangesNothing() {
    long version = pool.start("k");
    Checksum checksum = Checksum.crc32c(5);
    pool.index.end(key("k"), WRITER, version, checksum, pool.now);
    pool.index.end(key("k"), WRITER, version, Checksum.NONE, pool.now + 5);
    assertThat(pool.locate("k").checksum).isEqualTo(checksum);
  }

  @Test
  void revokeOfPutRemovesItAndSpaceReturnsAfterTheGrant() {
    long version = pool.start("k");
    assertThat(pool.index.revoke(key("k"), WRITER, version, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.index.revoke(key("k"), WRITER, version, pool.now))
        .isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    pool.index.releaseQuarantine(pool.now + GRANT + SKEW - 1, () -> true);
    assertThat(pool.freed).isEmpty();
    pool.index.releaseQuarantine(pool.now + GRANT + SKEW, () -> true);
    assertThat(pool.held).isEmpty();
  }

  @Test
  void revokeOfCompletedWriteIsInvalid() {
    long version = pool.put("k");
    assertThat(pool.index.revoke(key("k"), WRITER, version, pool.now))
        .isEqualTo(ErrorCode.INVALID_WRITE);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OK);
  }

  @Test
  void upsertOfMissingKeyIsLikePut() {
    long version = pool.startUpsert("k");
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(pool.end(key("k"), version)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").version).isEqualTo(version);
  }

  @Test
  void upsertShowsTheOldValueUntilItsEndAndThenTheNewOne() {
    long old = pool.put("k");
    int oldNode = pool.lastNode();
    assertThat(pool.upsertStart(key("k"), SIZE + 1, terms(OTHER), 0)).isEqualTo(ErrorCode.OK);
    long version = pool.started.version();
    assertThat(pool.locate("k").version).isEqualTo(old);
    assertThat(pool.index.end(key("k"), OTHER, version, Checksum.crc32c(9), pool.now))
        .isEqualTo(ErrorCode.OK);

    TestPool.Location location = pool.locate("k");
    assertThat(location.version).isEqualTo(version);
    assertThat(location.size).isEqualTo(SIZE + 1);
    assertThat(location.checksum).isEqualTo(Checksum.crc32c(9));
    assertThat(location.replicas).hasSize(1);
    assertThat(pool.freed).as("the old value was leased").isEmpty();
    pool.index.releaseQuarantine(pool.now + LEASE + SKEW, () -> true);
    assertThat(pool.freed).containsExactly(oldNode);
    assertThat(pool.end(key("k"), old)).isEqualTo(ErrorCode.ILLEGAL_CLIENT);
  }

  @Test
  void revokeOfUpsertKeepsTheOldValue() {
    long old = pool.put("k");
    long version = pool.startUpsert("k");
    assertThat(pool.index.revoke(key("k"), WRITER, version, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").version).isEqualTo(old);
    assertThat(pool.end(key("k"), version)).isEqualTo(ErrorCode.INVALID_WRITE);
    pool.index.releaseQuarantine(pool.now + GRANT + SKEW, () -> true);
    assertThat(pool.held).hasSize(1);
  }

  @Test
  void secondUpsertDisplacesTheFirst() {
    pool.put("k");
    long first = pool.startUpsert("k");
    assertThat(pool.upsertStart(key("k"), SIZE, terms(OTHER), 0)).isEqualTo(ErrorCode.OK);
    long second = pool.started.version();
    assertThat(pool.end(key("k"), first)).isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    long third = pool.startUpsert("k");
    assertThat(pool.end(key("k"), first)).isEqualTo(ErrorCode.INVALID_WRITE);
    assertThat(pool.index.end(key("k"), OTHER, second, Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(pool.end(key("k"), third)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").version).isEqualTo(third);
    assertThat(pool.index.stats().writesInProgress()).isZero();
  }

  @Test
  void upsertDisplacesAnUnfinishedPut() {
    long put = pool.start("k");
    assertThat(pool.upsertStart(key("k"), SIZE, terms(OTHER), 0)).isEqualTo(ErrorCode.OK);
    assertThat(pool.end(key("k"), put)).isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(pool.index.end(key("k"), OTHER, pool.started.version(), Checksum.NONE, pool.now))
        .isEqualTo(ErrorCode.OK);
  }

  @Test
  void putWhileAnUpsertIsInProgressIsRefused() {
    pool.put("k");
    pool.startUpsert("k");
    assertThat(pool.putStart(key("k"), SIZE, terms(), 0))
        .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);
  }

  @Test
  void upsertThatEndsUnderALeaseKeepsTheLease() {
    pool.put("k");
    pool.locate("k");
    pool.end(key("k"), pool.startUpsert("k"));
    assertThat(pool.index.remove(key("k"), false, pool.now + LEASE - 1))
        .isEqualTo(ErrorCode.OBJECT_HAS_LEASE);
    assertThat(pool.index.remove(key("k"), false, pool.now + LEASE)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void badParametersAreRefused() {
    assertThat(pool.putStart(key(""), SIZE, terms(), 0)).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(pool.putStart(key("k"), 0, terms(), 0)).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(pool.putStart(key("k"), 1L << 36, terms(), 0)).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(pool.putStart(key("k"), SIZE, terms())).isEqualTo(ErrorCode.INVALID_PARAMS);
    String longKey = "k".repeat(KeyBatch.MAX_KEY_BYTES + 1);
    assertThat(pool.upsertStart(key(longKey), SIZE, terms(), 0)).isEqualTo(ErrorCode.INVALID_KEY);
    assertThat(pool.index.stats().memoryReplicas()).isZero();
  }

  @Test
  void longestKeyIsAccepted() {
    String longKey = "k".repeat(KeyBatch.MAX_KEY_BYTES);
    long version = pool.put(longKey);
    assertThat(pool.locate(longKey).version).isEqualTo(version);
    assertThat(pool.index.remove(key(longKey), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate(longKey).code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void startOnASegmentThatIsGoneIsRefusedAndTheExtentsStayTheCallers() {
    ExtentList extents = pool.extents(SIZE, 0);
    pool.status(0, SegmentStatus.UNMOUNTING);
    assertThat(pool.index.putStart(key("k"), SIZE, terms(), null, extents, pool.now, pool.started))
        .isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void putTakesThePlaceOfAnObjectWhoseSegmentsAreGone() {
    pool.put("k");
    pool.mount(1);
    pool.status(0, SegmentStatus.UNMOUNTING);
    assertThat(pool.locate("k").code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.putStart(key("k"), SIZE, terms(), 1)).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.replicasInSlot(0)).isZero();
    assertThat(pool.end(key("k"), pool.started.version())).isEqualTo(ErrorCode.OK);
  }

  @Test
  void endKeepsTheReplicasWhoseSegmentsAreLeft() {
    pool.mount(1);
    pool.putStart(key("k"), SIZE, terms(), 0, 1);
    pool.status(0, SegmentStatus.UNMOUNTING);
    assertThat(pool.end(key("k"), pool.started.version())).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").replicas).hasSize(1);
  }

  @Test
  void endOfAWriteWhoseSegmentsAreGoneFails() {
    pool.mount(1);
    pool.put("old", terms(), 1);
    pool.upsertStart(key("old"), SIZE, terms(), 0);
    long upsert = pool.started.version();
    long put = pool.start("new");
    pool.status(0, SegmentStatus.UNMOUNTING);
    assertThat(pool.end(key("new"), put)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.end(key("old"), upsert)).isEqualTo(ErrorCode.INVALID_WRITE);
    assertThat(pool.locate("old").code).isEqualTo(ErrorCode.OK);
  }

  @Test
  void lateEndSucceedsWhileNothingTookThePlaceOfTheWrite() {
    long version = pool.start("k");
    pool.now += GRANT + 1;
    assertThat(pool.end(key("k"), version)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate("k").version).isEqualTo(version);
  }

  @Test
  void sameKeyOfTwoTenantsIsTwoObjects() {
    pool.putStart(key("k", 1), SIZE, terms(), 0);
    long version = pool.started.version();
    pool.end(key("k", 1), version);
    assertThat(pool.locate(key("k", 0)).code).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    pool.putStart(key("k", 300), SIZE, terms(), 0);
    pool.end(key("k", 300), pool.started.version());
    assertThat(pool.locate(key("k", 1)).version).isEqualTo(version);
    assertThat(pool.index.remove(key("k", 1), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.locate(key("k", 300)).code).isEqualTo(ErrorCode.OK);
  }

  @Test
  void keyOfAnotherLoopIsABug() {
    ObjectIndex part = new ObjectIndex(0, 1, TestPool.config(), pool.segments, pool);
    assertThatThrownBy(() -> part.exists(key("some key"), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another loop");
  }
}
