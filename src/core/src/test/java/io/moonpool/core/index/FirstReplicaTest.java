package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import org.junit.jupiter.api.Test;

/** An object's only replica takes no row of its own, whatever happened to the object before. */
class FirstReplicaTest {
  private static final int MEMORY_SLOT = 1;
  private static final int DISK_SLOT = 2;
  private static final int OTHER_SLOT = 3;

  private final TestPool pool = new TestPool();

  private void mountAll() {
    pool.mount(MEMORY_SLOT);
    pool.mount(DISK_SLOT, SegmentKind.LOCAL_DISK);
    pool.mount(OTHER_SLOT);
  }

  private int outside() {
    return pool.index.core.replicas.usedOutside();
  }

  private void audit() {
    IndexAudit.check(pool.index, 8);
  }

  @Test
  void theReplicaOfPutIsInside() {
    mountAll();
    pool.put("k", terms(), MEMORY_SLOT);
    assertThat(outside()).isZero();
    audit();
  }

  @Test
  void theReplicaOfUpsertMovesInWhenItEnds() {
    mountAll();
    pool.put("k", terms(), MEMORY_SLOT);
    pool.put("other", terms(), OTHER_SLOT);
    assertThat(pool.upsertStart(key("k"), TestPool.SIZE, terms(), OTHER_SLOT))
        .isEqualTo(ErrorCode.OK);
    long replica = pool.started.replicaId(0);
    assertThat(outside()).isEqualTo(1);
    assertThat(pool.end(key("k"), pool.started.version())).isEqualTo(ErrorCode.OK);
    assertThat(outside()).isZero();
    assertThat(pool.locate("k").replicas).extracting(TestPool.Replica::id).containsExactly(replica);
    audit();
  }

  @Test
  void theDiskReplicaMovesInWhenTheMemoryIsEvicted() {
    mountAll();
    pool.put("k", terms(), MEMORY_SLOT);
    pool.addDiskReplica("k", DISK_SLOT);
    assertThat(outside()).isEqualTo(1);
    audit();
    pool.now += TestPool.LEASE + 1;
    assertThat(pool.evict(EvictionTier.UNPINNED, 1)).isEqualTo(1);
    assertThat(outside()).isZero();
    assertThat(pool.locate("k").replicas)
        .extracting(TestPool.Replica::type)
        .containsExactly(ReplicaType.LOCAL_DISK);
    audit();
  }

  @Test
  void whatWalksSegmentVisitsReplicaThatMovedIn() {
    mountAll();
    pool.put("k", terms(), MEMORY_SLOT);
    pool.addDiskReplica("k", DISK_SLOT);
    Slots.Walk walk = pool.index.core.slots.walk(DISK_SLOT, pool.segments.generation(DISK_SLOT));
    pool.now += TestPool.LEASE + 1;
    pool.evict(EvictionTier.UNPINNED, 1);
    int[] visited = {0};
    walk.step(() -> true, replica -> visited[0] += pool.index.core.replicas.type(replica));
    walk.end();
    assertThat(visited[0]).isEqualTo(IndexCore.LOCAL_DISK);
  }

  @Test
  void rowThatIsNotThereIsAnError() {
    mountAll();
    pool.put("k", terms(), MEMORY_SLOT);
    ObjectRows objects = pool.index.core.objects;
    assertThatThrownBy(() -> objects.version(objects.limit()))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> objects.version(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> pool.index.core.replicas.type(Rows.ROW_MASK))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
