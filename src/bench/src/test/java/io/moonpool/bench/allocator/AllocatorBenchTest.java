package io.moonpool.bench.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The figures are those of a segment, and it is used well before anything finds no space. */
class AllocatorBenchTest {
  private static final long SEGMENT = 2L << 30;

  @ParameterizedTest
  @EnumSource(SizeMix.class)
  void segmentIsUsedWell(SizeMix mix) {
    AllocatorFigure figure = new AllocatorBench(SEGMENT, 3).run(mix);
    assertThat(figure.firstFailure()).isBetween(0.95, 1.0);
    assertThat(figure.churned()).isBetween(0.8, 1.0);
    assertThat(figure.allocateNanos()).isPositive();
    assertThat(figure.freeNanos()).isPositive();
    assertThat(figure.toJson().getDouble("first_failure")).isEqualTo(figure.firstFailure());
  }

  @Test
  void sameSeedUsesSame() {
    AllocatorBench bench = new AllocatorBench(64L << 20, 5);
    assertThat(bench.run(SizeMix.UNIFORM).churned())
        .isEqualTo(bench.run(SizeMix.UNIFORM).churned());
  }

  @Test
  void smallSizesAreMostOfPowerLaw() {
    SplittableRandom random = new SplittableRandom(1);
    int small = 0;
    for (int i = 0; i < 10_000; i++) {
      long size = SizeMix.POWER_LAW.next(random);
      assertThat(size).isBetween(4L << 10, 16L << 20);
      small += size < 8 << 10 ? 1 : 0;
    }
    assertThat(small).isBetween(4_700, 5_300);
  }

  @Test
  void smallSegmentIsRefused() {
    assertThatThrownBy(() -> new AllocatorBench(1 << 20, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("64 MiB");
  }
}
