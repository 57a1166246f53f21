package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.GRANT;
import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.SKEW;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Reach;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.TaskType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies and moves by hand. */
class TransfersTest {
  private static final UUID TASK = new UUID(5, 5);
  private static final int SOURCE = 0;
  private static final int TARGET = 1;
  private static final int THIRD = 2;
  private static final int LENT = 3;

  private record Begun(
      UUID task,
      String key,
      long version,
      TransferSink.Source source,
      List<TransferTarget> targets) {}

  private final TestPool pool = new TestPool();
  private final List<UUID> expired = new ArrayList<>();
  private Begun begun = new Begun(TASK, "", 0, null, List.of());
  private ExtentList extents = new ExtentList();

  @BeforeEach
  void mount() {
    pool.mount(TARGET);
    pool.mount(THIRD);
    pool.index.transferEffects(
        new TransferEffects() {
          @Override
          public void expired(UUID task) {
            expired.add(task);
          }

          @Override
          public void laneChanged(UUID job) {
            throw new AssertionError("there is no job");
          }
        });
  }

  private SegmentMount at(int slot) {
    return new SegmentMount(slot, pool.segments.generation(slot));
  }

  /** Of what was started last. */
  private TaskType type = TaskType.REPLICA_COPY;

  private TransferWish move(int source, int target) {
    return new TransferWish(
        TaskType.REPLICA_MOVE, TASK, Optional.of(at(source)), List.of(at(target)), GRANT);
  }

  private TransferWish copy(int... targets) {
    return new TransferWish(
        TaskType.REPLICA_COPY,
        TASK,
        Optional.empty(),
        IntStream.of(targets).mapToObj(this::at).toList(),
        GRANT);
  }

  private ErrorCode start(String key, TransferWish wish) {
    TransferCheck check = pool.index.transfers().check(key(key), wish, pool.now);
    if (check.code() != ErrorCode.OK) {
      return check.code();
    }
    extents =
        pool.extents(check.size(), check.missing().stream().mapToInt(SegmentMount::slot).toArray());
    type = wish.type();
    ErrorCode code =
        pool.index
            .transfers()
            .start(
                key(key),
                wish,
                extents,
                pool.now,
                (task, object, source, targets) ->
                    begun = new Begun(task, object.key(), object.version(), source, targets));
    assertThat(code).isEqualTo(ErrorCode.OK);
    pool.hold(extents);
    return code;
  }

  private EndedTransfer end(TaskType type, String key) {
    return pool.index.transfers().end(key(key), type, TASK, begun.version, pool.now);
  }

  private ErrorCode endMove(String key) {
    return end(TaskType.REPLICA_MOVE, key).code();
  }

  private ErrorCode endCopy(String key) {
    return end(TaskType.REPLICA_COPY, key).code();
  }

  private ErrorCode revoke(String key) {
    return pool.index.transfers().revoke(key(key), type, TASK, begun.version, pool.now);
  }

  private List<Integer> slots(String key) {
    return pool.describe(key).replicas().stream()
        .map(ReplicaDescriptor::generation)
        .map(
            generation ->
                IntStream.range(0, pool.segments.slots())
                    .filter(slot -> pool.segments.generation(slot) == generation)
                    .findFirst()
                    .orElseThrow())
        .toList();
  }

  private void audit() {
    IndexAudit.check(pool.index, pool.segments.slots());
  }

  private void releaseAll() {
    assertThat(pool.index.releaseQuarantine(pool.now, () -> true)).isTrue();
  }

  @Test
  void aMoveTakesTheReplicaElsewhere() {
    long version = pool.put("k");
    assertThat(start("k", move(SOURCE, TARGET))).isEqualTo(ErrorCode.OK);
    assertThat(begun.task).isEqualTo(TASK);
    assertThat(begun.key).isEqualTo("k");
    assertThat(begun.version).isEqualTo(version);
    assertThat(begun.source.type()).isEqualTo(ReplicaType.MEMORY);
    assertThat(begun.source.slot()).isEqualTo(SOURCE);
    assertThat(begun.source.generation()).isEqualTo(pool.segments.generation(SOURCE));
    assertThat(begun.targets).hasSize(1);
    assertThat(begun.targets.getFirst().generation()).isEqualTo(pool.segments.generation(TARGET));
    assertThat(begun.targets.getFirst().offset()).isEqualTo(extents.get(0).offset());
    assertThat(pool.describe("k").replicas())
        .extracting(ReplicaDescriptor::status)
        .containsExactly(ReplicaStatus.COMPLETE, ReplicaStatus.PROCESSING);
    assertThat(pool.locate("k").replicas)
        .as("readers see the source alone")
        .extracting(TestPool.Replica::id)
        .containsExactly(begun.source.replicaId());
    audit();
    assertThat(end(TaskType.REPLICA_MOVE, "k")).isEqualTo(new EndedTransfer(ErrorCode.OK, SIZE));
    assertThat(slots("k")).containsExactly(TARGET);
    assertThat(pool.describe("k").version()).isEqualTo(version);
    assertThat(pool.locate("k").replicas)
        .extracting(TestPool.Replica::id)
        .containsExactly(begun.targets.getFirst().replicaId());
    audit();
  }

  @Test
  void theSourceOfAMoveWaitsForItsLastReader() {
    pool.put("k");
    int node = pool.lastNode();
    pool.locate("k");
    start("k", move(SOURCE, TARGET));
    assertThat(endMove("k")).isEqualTo(ErrorCode.OK);
    assertThat(pool.freed).isEmpty();
    pool.now += TestPool.LEASE + SKEW;
    releaseAll();
    assertThat(pool.freed).containsExactly(node);
  }

  @Test
  void theSourceOfAMoveIsFreeAtOnceWhenNobodyReadsIt() {
    pool.put("k");
    int node = pool.lastNode();
    start("k", move(SOURCE, TARGET));
    assertThat(endMove("k")).isEqualTo(ErrorCode.OK);
    assertThat(pool.freed).containsExactly(node);
  }

  @Test
  void aCopyAddsReplicas() {
    pool.put("k");
    assertThat(start("k", copy(TARGET, THIRD))).isEqualTo(ErrorCode.OK);
    assertThat(begun.targets).hasSize(2);
    assertThat(endCopy("k")).isEqualTo(ErrorCode.OK);
    assertThat(slots("k")).containsExactly(SOURCE, TARGET, THIRD);
    assertThat(pool.index.stats().replicasCopied()).isEqualTo(2);
    assertThat(pool.evict(EvictionTier.UNPINNED, 1)).as("the source is free again").isOne();
    audit();
  }

  @Test
  void targetsThatHaveAReplicaAreNotWritten() {
    pool.put("k", terms(), SOURCE, TARGET);
    assertThat(start("k", move(SOURCE, TARGET))).isEqualTo(ErrorCode.OK);
    assertThat(begun.targets).isEmpty();
    assertThat(endMove("k")).isEqualTo(ErrorCode.OK);
    assertThat(slots("k")).containsExactly(TARGET);
    audit();
  }

  @Test
  void aMoveNeverTakesTheLastReplica() {
    pool.put("k", terms(), SOURCE, TARGET);
    start("k", move(SOURCE, TARGET));
    unmount(TARGET);
    assertThat(endMove("k")).isEqualTo(ErrorCode.REPLICA_IS_GONE);
    assertThat(slots("k")).containsExactly(SOURCE);
    pool.put("l");
    pool.mount(TARGET);
    start("l", move(SOURCE, TARGET));
    unmount(TARGET);
    assertThat(endMove("l")).isEqualTo(ErrorCode.REPLICA_IS_GONE);
    assertThat(slots("l")).containsExactly(SOURCE);
    assertThat(pool.evict(EvictionTier.UNPINNED, 9)).isEqualTo(2);
    audit();
  }

  private void unmount(int slot) {
    long generation = pool.segments.generation(slot);
    pool.status(slot, SegmentStatus.UNMOUNTING);
    assertThat(pool.index.sweep(slot, generation, pool.now, () -> true)).isTrue();
    pool.segments.apply(new io.moonpool.core.segment.SegmentChange.Unmounted(slot, generation));
  }

  @Test
  void theSurvivingTargetsOfACopyAreKept() {
    pool.put("k");
    start("k", copy(TARGET, THIRD));
    unmount(TARGET);
    assertThat(endCopy("k")).isEqualTo(ErrorCode.REPLICA_IS_GONE);
    assertThat(slots("k")).containsExactly(SOURCE, THIRD);
    audit();
  }

  @Test
  void aSourceThatGoesTakesTheTargetsAlong() {
    pool.put("k");
    start("k", move(SOURCE, TARGET));
    int node = extents.node(0);
    unmount(SOURCE);
    assertThat(pool.has("k")).isFalse();
    assertThat(endMove("k")).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(pool.index.transfers().underWay()).isZero();
    assertThat(pool.freed).as("its writer may still write").isEmpty();
    pool.now += GRANT + SKEW;
    releaseAll();
    assertThat(pool.freed).containsExactly(node);
    audit();
  }

  @Test
  void aSourceThatGoesLeavesTheOtherReplicas() {
    pool.put("k", terms(), SOURCE, THIRD);
    start("k", move(SOURCE, TARGET));
    unmount(SOURCE);
    assertThat(endMove("k")).isEqualTo(ErrorCode.REPLICA_IS_GONE);
    assertThat(slots("k")).containsExactly(THIRD);
    assertThat(endMove("k")).isEqualTo(ErrorCode.OBJECT_NO_REPLICATION_TASK);
    audit();
  }

  @Test
  void aRevokedMoveLeavesTheObjectAsItWas() {
    pool.put("k");
    start("k", move(SOURCE, TARGET));
    int node = extents.node(0);
    assertThat(revoke("k")).isEqualTo(ErrorCode.OK);
    assertThat(slots("k")).containsExactly(SOURCE);
    assertThat(pool.freed).as("its writer may still write").isEmpty();
    pool.now += GRANT + SKEW;
    releaseAll();
    assertThat(pool.freed).containsExactly(node);
    assertThat(revoke("k")).isEqualTo(ErrorCode.OBJECT_NO_REPLICATION_TASK);
    assertThat(endMove("k")).isEqualTo(ErrorCode.OBJECT_NO_REPLICATION_TASK);
    assertThat(start("k", move(SOURCE, TARGET))).isEqualTo(ErrorCode.OK);
    audit();
  }

  /** The ways in which what a transfer writes does not come to be a replica. */
  enum GivenUp {
    REVOKED,
    OVERDUE,
    SOURCE_GONE
  }

  /** Its owner knows no deadlines: what it had received it may write when all is over. */
  @ParameterizedTest
  @EnumSource
  void memoryOfAClientOfMooncakeIsKeptForLateWrites(GivenUp way) {
    pool.mount(LENT, Reach.MOONCAKE_TCP);
    pool.put("k");
    start("k", move(SOURCE, LENT));
    int node = extents.node(0);
    pool.now += GRANT - 1;
    switch (way) {
      case REVOKED -> assertThat(revoke("k")).isEqualTo(ErrorCode.OK);
      case OVERDUE -> {
        pool.now += 2;
        assertThat(pool.index.reapWrites(pool.now, () -> true)).isTrue();
      }
      case SOURCE_GONE -> unmount(SOURCE);
    }
    pool.now += TestPool.MOONCAKE_GRANT + SKEW - 1;
    releaseAll();
    assertThat(pool.freed).doesNotContain(node);
    pool.now++;
    releaseAll();
    assertThat(pool.freed).contains(node);
    audit();
  }

  @Test
  void oneThatRunsOutOfItsGrantIsGivenUp() {
    pool.put("k");
    start("k", move(SOURCE, TARGET));
    assertThat(pool.index.nextDeadlineMillis()).isEqualTo(pool.now + GRANT + 1);
    pool.now += GRANT;
    assertThat(pool.index.reapWrites(pool.now, () -> true)).isTrue();
    assertThat(expired).isEmpty();
    pool.now++;
    assertThat(pool.index.reapWrites(pool.now, () -> false)).isFalse();
    assertThat(expired).isEmpty();
    assertThat(pool.index.reapWrites(pool.now, () -> true)).isTrue();
    assertThat(expired).containsExactly(TASK);
    assertThat(slots("k")).containsExactly(SOURCE);
    assertThat(endMove("k")).isEqualTo(ErrorCode.OBJECT_NO_REPLICATION_TASK);
    assertThat(pool.index.stats().transfersOverdue()).isOne();
    pool.now += SKEW;
    releaseAll();
    assertThat(pool.freed).containsExactly(extents.node(0));
    audit();
  }

  @Test
  void itsSourceIsNotEvicted() {
    pool.put("k");
    start("k", move(SOURCE, TARGET));
    assertThat(pool.evict(EvictionTier.UNPINNED, 1)).isZero();
    revoke("k");
    assertThat(pool.evict(EvictionTier.UNPINNED, 1)).isOne();
  }

  @Test
  void anObjectHasOneAtATimeAndWritersWait() {
    pool.put("k");
    start("k", move(SOURCE, TARGET));
    assertThat(start("k", copy(THIRD))).isEqualTo(ErrorCode.OBJECT_HAS_REPLICATION_TASK);
    assertThat(pool.index.remove(key("k"), true, pool.now))
        .isEqualTo(ErrorCode.OBJECT_HAS_REPLICATION_TASK);
    assertThat(pool.upsertStart(key("k"), SIZE, terms(), THIRD))
        .isEqualTo(ErrorCode.OBJECT_HAS_REPLICATION_TASK);
    assertThat(endMove("k")).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.remove(key("k"), true, pool.now)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void onlyItsOwnerEndsIt() {
    long version = pool.put("k");
    start("k", move(SOURCE, TARGET));
    Transfers transfers = pool.index.transfers();
    UUID other = new UUID(6, 6);
    TaskType move = TaskType.REPLICA_MOVE;
    assertThat(transfers.end(key("k"), move, other, version, pool.now).code())
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(transfers.revoke(key("k"), move, other, version, pool.now))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(transfers.revoke(key("k"), TaskType.REPLICA_COPY, TASK, version, pool.now))
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(endCopy("k")).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(transfers.end(key("k"), move, TASK, version + 1, pool.now).code())
        .isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(transfers.end(key("none"), move, TASK, version, pool.now).code())
        .isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(endMove("k")).isEqualTo(ErrorCode.OK);
  }

  @Test
  void whatCannotBeIsRefused() {
    pool.put("k");
    assertThat(start("none", move(SOURCE, TARGET))).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(start("k", move(SOURCE, SOURCE))).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(start("k", move(TARGET, THIRD))).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(start("k", copy())).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(start("k", copy(TARGET, TARGET))).isEqualTo(ErrorCode.INVALID_PARAMS);
    SegmentMount gone = new SegmentMount(TARGET, 77);
    assertThat(
            start(
                "k",
                new TransferWish(
                    TaskType.REPLICA_COPY, TASK, Optional.empty(), List.of(gone), GRANT)))
        .isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
    pool.status(TARGET, SegmentStatus.DRAINING);
    assertThat(start("k", move(SOURCE, TARGET))).isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    pool.mount(3, SegmentKind.LOCAL_DISK);
    assertThat(start("k", move(SOURCE, 3))).isEqualTo(ErrorCode.INVALID_PARAMS);
    pool.serving(SOURCE, false);
    assertThat(start("k", move(SOURCE, THIRD))).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    pool.serving(SOURCE, true);
    pool.start("write");
    assertThat(start("write", move(SOURCE, THIRD))).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    pool.startUpsert("k");
    assertThat(start("k", move(SOURCE, THIRD))).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    audit();
  }

  @Test
  void aCopyReadsWhatCanBeRead() {
    pool.put("k", terms(), SOURCE, TARGET);
    pool.serving(SOURCE, false);
    assertThat(start("k", copy(THIRD))).isEqualTo(ErrorCode.OK);
    assertThat(begun.source.slot()).isEqualTo(TARGET);
  }
}
