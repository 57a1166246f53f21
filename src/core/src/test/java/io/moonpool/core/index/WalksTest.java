package io.moonpool.core.index;

import static io.moonpool.core.index.TestPool.LEASE;
import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SoftPinAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WalksTest {
  private final TestPool pool = new TestPool();

  @Test
  void objectsThatAreThereThroughoutAreShownOnceWhateverHappensMeanwhile() {
    for (int i = 0; i < 3000; i++) {
      pool.put("stays" + i);
      pool.put("goes" + i);
    }
    List<String> seen = new ArrayList<>();
    long cursor = 0;
    int step = 0;
    do {
      int[] room = {100};
      cursor =
          pool.index.walk(
              cursor,
              pool.now,
              () -> true,
              object -> {
                seen.add(object.key());
                return --room[0] > 0;
              });
      // Grows and shrinks tables and keys under the walk.
      for (int i = 0; i < 30; i++) {
        pool.put("new" + step + "-" + i);
        pool.index.remove(key("goes" + (step * 30 + i)), true, pool.now);
        pool.end(key("stays" + i), pool.startUpsert("stays" + i));
      }
      step++;
    } while (cursor != 0);
    assertThat(seen).doesNotHaveDuplicates();
    assertThat(seen).containsAll(IntStream.range(0, 3000).mapToObj(i -> "stays" + i).toList());
    assertThat(step).isGreaterThan(30);
  }

  @Test
  void walkStopsAtItsBudgetAndGoesOn() {
    for (int i = 0; i < 500; i++) {
      pool.put("k" + i);
    }
    List<String> seen = new ArrayList<>();
    long cursor = 0;
    do {
      int[] asked = {0};
      cursor = pool.index.walk(cursor, pool.now, () -> asked[0]++ < 7, o -> seen.add(o.key()));
    } while (cursor != 0);
    assertThat(seen).doesNotHaveDuplicates().hasSize(500);
  }

  @Test
  void walkOfOneLoopStopsAtTheShardsOfTheNext() {
    ObjectIndex first = new ObjectIndex(0, 512, TestPool.config(), pool.segments, pool);
    long cursor = first.walk(0, pool.now, () -> true, object -> true);
    assertThat(ObjectIndex.shardOfCursor(cursor)).isEqualTo(512);
    ObjectIndex second = new ObjectIndex(512, 1024, TestPool.config(), pool.segments, pool);
    assertThat(second.walk(cursor, pool.now, () -> true, object -> true)).isZero();
    assertThat(ObjectIndex.cursorOfShard(512)).isEqualTo(cursor);
  }

  @Test
  void unfinishedPutsAreNotListedButDescribed() {
    pool.start("k");
    assertThat(pool.index.walk(0, pool.now, () -> true, object -> fail())).isZero();
    ObjectInfo info = pool.describe("k");
    assertThat(info.replicas())
        .extracting(ReplicaDescriptor::status)
        .containsExactly(ReplicaStatus.PROCESSING);
    pool.now += TestPool.GRANT + 1;
    assertThat(pool.has("k")).isFalse();
  }

  private static boolean fail() {
    throw new AssertionError("not listed");
  }

  @Test
  void descriptionTellsEverythingAndLeasesNothing() {
    WriteTerms terms =
        new WriteTerms(TestPool.WRITER, 1, SoftPinAction.ENABLE, 5000, true, ObjectDataType.TENSOR);
    pool.index.putStart(
        key("ключ"), SIZE, terms, "g", pool.extents(SIZE, 0), pool.now, pool.started);
    long version = pool.started.version();
    Checksum checksum = Checksum.crc32c(77);
    pool.index.end(key("ключ"), TestPool.WRITER, version, checksum, pool.now);
    pool.locate("ключ");
    pool.now += 10;
    assertThat(pool.describe("ключ"))
        .isEqualTo(
            new ObjectInfo(
                "default",
                "ключ",
                SIZE,
                version,
                checksum,
                LEASE - 10,
                4990,
                true,
                ObjectDataType.TENSOR,
                "g",
                List.of(
                    new ReplicaDescriptor(
                        pool.started.replicaId(0),
                        ReplicaType.MEMORY,
                        ReplicaStatus.COMPLETE,
                        pool.segments.generation(0),
                        64_000,
                        SIZE))));
    assertThat(pool.describe("ключ").leaseRemainingMillis()).isEqualTo(LEASE - 10);
  }

  @Test
  void removeMatchingRemovesWhatMatchesAndMayBeRemoved() {
    for (int i = 0; i < 100; i++) {
      pool.put("a" + i);
      pool.put("b" + i);
    }
    pool.putStart(key("a", 1), SIZE, terms(), 0);
    pool.end(key("a", 1), pool.started.version());
    pool.locate("a7");
    pool.start("a-unfinished");
    KeyPredicate startsWithA =
        (tenant, bytes, offset, length) ->
            tenant == 0
                && new String(bytes, offset, length, StandardCharsets.UTF_8).startsWith("a");
    MatchingRemoval removal = pool.index.removeMatching(startsWithA, false, pool.now);
    boolean done;
    do {
      int[] asked = {0};
      done = removal.step(pool.now, () -> asked[0]++ < 50);
    } while (!done);
    assertThat(removal.end(pool.now)).as("no disk needs a floor").isEmpty();
    assertThat(removal.removed()).isEqualTo(99);
    assertThat(pool.has("a7")).isTrue();
    assertThat(pool.has("a-unfinished")).isTrue();
    assertThat(pool.has("b7")).isTrue();
    assertThat(pool.index.stats().objectsOfTenant(1)).isEqualTo(1);
    MatchingRemoval forced = pool.index.removeMatching(startsWithA, true, pool.now);
    assertThat(forced.step(pool.now, () -> true)).isTrue();
    assertThat(forced.removed()).isEqualTo(1);
    assertThat(pool.index.stats().objectsOfTenant(0)).isEqualTo(100);
  }

  @Test
  void unfinishedPutsAreReapedAfterTheirGrant() {
    for (int i = 0; i < 10; i++) {
      pool.start("k" + i);
      pool.now++;
    }
    pool.now = pool.index.nextDeadlineMillis() - 1;
    assertThat(pool.index.reapWrites(pool.now, () -> true)).isTrue();
    assertThat(pool.index.stats().writesInProgress()).isEqualTo(10);
    pool.now += 5;
    int[] asked = {0};
    assertThat(pool.index.reapWrites(pool.now, () -> asked[0]++ < 3)).isFalse();
    assertThat(pool.index.reapWrites(pool.now, () -> true)).isTrue();
    assertThat(pool.index.stats().writesInProgress()).isEqualTo(5);
    assertThat(pool.end(key("k0"), 0)).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }
}
