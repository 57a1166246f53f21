package io.moonpool.core.index;

import static io.moonpool.core.index.DrainPool.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.index.DrainPool.Move;
import io.moonpool.core.index.DrainPool.Node;
import io.moonpool.core.segment.SegmentMount;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What taking units costs, in units that are looked at. */
class DrainCostTest {
  private static final long SIZE = 64;
  private static final int UNITS = 1000;
  private static final int BATCH = 10;
  private static final UUID OTHER = new UUID(9, 10);

  private final DrainPool pool = new DrainPool(OffloadPolicy.OFF);
  private final Node source = pool.node(1 << 20);
  private final Node target = pool.node(1 << 20);

  private void fill() {
    for (int i = 0; i < UNITS; i++) {
      pool.put("unit" + i, SIZE, source.memory.getFirst());
    }
  }

  /** Drains all; each batch looks at the units that it takes and no others. */
  private void drain() {
    pool.open(JOB, source.segments());
    for (int taken = 0; taken < UNITS; taken += BATCH) {
      long before = pool.looked;
      List<Move> moves = pool.take(JOB, BATCH);
      assertThat(moves).hasSize(BATCH);
      assertThat(pool.looked - before).isEqualTo(BATCH);
      pool.endAll(moves);
      before = pool.looked;
      assertThat(pool.figures(JOB).replicas()).isEqualTo(UNITS - taken - BATCH);
      assertThat(pool.looked).isEqualTo(before);
    }
    assertThat(pool.figures(JOB).exhausted()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {10_000, 1_000_000})
  void isTheUnitsTakenWhateverElseIsStored(int others) {
    Node node = pool.node((long) others * 2 * SIZE);
    SegmentMount memory = node.memory.getFirst();
    for (int i = 0; i < others; i++) {
      pool.put("other" + i, SIZE, memory);
    }
    pool.drain(memory); // so that nothing is moved there
    fill();
    drain();
  }

  @Test
  void isTheUnitsTakenWhateverWaitsInAnotherJob() {
    int blocked = 100_000;
    Node node = pool.node(blocked * 2L * SIZE);
    for (int i = 0; i < blocked; i++) {
      pool.start("blocked" + i, SIZE, TestPool.terms(), node.memory.getFirst());
    }
    pool.open(OTHER, node.segments());
    assertThat(pool.take(OTHER, BATCH)).isEmpty();
    assertThat(pool.figures(OTHER).waitingForObject()).isEqualTo(blocked);
    assertThat(pool.looked).isEqualTo(blocked + 1L);
    fill();
    pool.changed.clear();
    drain();
    assertThat(pool.changed).doesNotContain(OTHER);
    long before = pool.looked;
    assertThat(pool.take(OTHER, BATCH)).isEmpty();
    assertThat(pool.looked - before).as("what waits is not looked at again").isOne();
    assertThat(target.memory).hasSize(1);
  }

  @Test
  void ofUnitsThatAreWokenIsTheirNumber() {
    fill();
    int blocked = 1000;
    long[] versions = new long[blocked];
    for (int i = 0; i < blocked; i++) {
      versions[i] = pool.start("blocked" + i, SIZE, TestPool.terms(), source.memory.getFirst());
    }
    pool.open(JOB, source.segments());
    pool.endAll(pool.take(JOB, UNITS));
    pool.changed.clear();
    pool.end("blocked7", versions[7]);
    pool.end("blocked9", versions[9]);
    assertThat(pool.changed).as("told once").containsExactly(JOB);
    long before = pool.looked;
    assertThat(DrainPool.keys(pool.take(JOB, BATCH))).containsExactly("blocked7", "blocked9");
    assertThat(pool.looked - before).isLessThanOrEqualTo(3);
  }
}
