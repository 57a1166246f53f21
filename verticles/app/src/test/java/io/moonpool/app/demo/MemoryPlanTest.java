package io.moonpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  @Test
  void theDataOverfillsTheMemory() {
    for (long mib : List.of(1_000L, 4_000L)) {
      assertThat(MemoryPlan.bytesPerNode(options(mib * MIB, 1), 64 * GIB) * 3)
          .as(mib + " MiB")
          .isBetween(mib * MIB / 2, mib * MIB * 4 / 5);
    }
  }

  @Test
  void replicasCount() {
    assertThat(MemoryPlan.bytesPerNode(options(GIB, 2), 64 * GIB) * 3)
        .isBetween(GIB, 2 * GIB * 4 / 5);
  }

  @Test
  void whatIsUnderWayFitsHoweverSmallTheData() {
    // Two lanes of parts of 64 MiB over three nodes, beside as much that can give way.
    long perNode = MemoryPlan.bytesPerNode(options(64 * MIB, 1), 64 * GIB);
    assertThat(perNode).isGreaterThanOrEqualTo(2 * 64 * MIB);
    assertThat(MemoryPlan.bytesPerNode(options(MIB, 1), 64 * GIB)).isEqualTo(16 * MIB);
  }

  @Test
  void staysWithinWhatTheMachineHas() {
    long perNode = MemoryPlan.bytesPerNode(options(40 * GIB, 1), 8 * GIB);
    assertThat(perNode * 3).isBetween(5 * GIB, 6 * GIB);
  }

  @Test
  void aMachineWithoutRoomForWhatIsUnderWayIsToldTheFigures() {
    DemoOptions options = options(8 * GIB, 1);
    assertThatThrownBy(() -> MemoryPlan.bytesPerNode(options, 256 * MIB))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContaining("256MiB that are available")
        .hasMessageContaining("--parallel");
  }

  @Test
  void everyDiskTakesAllOfTheDataBelowItsWatermark() {
    assertThat(MemoryPlan.diskBytesPerNode(options(GIB, 2), 64 * GIB) * 0.9)
        .isGreaterThan(2.0 * GIB);
    DemoOptions options = options(8 * GIB, 1);
    assertThatThrownBy(() -> MemoryPlan.diskBytesPerNode(options, 8 * GIB))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContaining("8GiB are available")
        .hasMessageContaining("--disk-dir");
  }

  private static DemoOptions options(long bytes, int replicas) {
    return new DemoOptions(
        List.of(new DemoObject.GeneratedBytes("k", bytes, 1)), 3, replicas, 2, "");
  }
}
