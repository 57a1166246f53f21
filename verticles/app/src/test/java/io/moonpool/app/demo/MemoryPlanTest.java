package io.moonpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  @Test
  void thePoolIsLargerThanTheDataByMoreThanTheEvictionWatermark() {
    for (long mib : List.of(1L, 100L, 500L, 4_000L)) {
      long perNode = MemoryPlan.bytesPerNode(options(mib * MIB, 1), 64 * GIB);
      assertThat(perNode * 3 * 0.9).as(mib + " MiB").isGreaterThan(mib * MIB);
      assertThat(perNode).isGreaterThanOrEqualTo(128 * MIB);
    }
  }

  @Test
  void replicasCount() {
    assertThat(MemoryPlan.bytesPerNode(options(GIB, 2), 64 * GIB) * 3 * 0.9).isGreaterThan(2 * GIB);
  }

  @Test
  void staysWithinWhatTheMachineHas() {
    long perNode = MemoryPlan.bytesPerNode(options(4 * GIB, 1), 8 * GIB);
    assertThat(perNode * 3).isLessThanOrEqualTo(6 * GIB);
    assertThat(perNode * 3 * 0.9).isGreaterThan(4 * GIB);
  }

  @Test
  void dataThatDoesNotFitIsRefusedWithTheFigures() {
    assertThatThrownBy(() -> MemoryPlan.bytesPerNode(options(8 * GIB, 1), 8 * GIB))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContaining("8GiB that are available");
  }

  private static DemoOptions options(long bytes, int replicas) {
    return new DemoOptions(List.of(new DemoObject.GeneratedBytes("k", bytes, 1)), 3, replicas, 2);
  }
}
