package io.moonpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TimingsTest {
  private static final long MILLI = 1_000_000;

  @Test
  void ratesAndPercentiles() {
    Timings timings = new Timings();
    for (int i = 0; i < 99; i++) {
      timings.add(1_000_000, 10 * MILLI);
    }
    timings.add(1_000_000, 1_000 * MILLI);

    assertThat(timings.objects()).isEqualTo(100);
    assertThat(timings.bytes()).isEqualTo(100_000_000);
    // 1.99 s in calls, two lanes: 0.995 s.
    assertThat(timings.megabytesPerSecond(2)).isCloseTo(100.5, within(0.1));
    assertThat(timings.percentileMillis(50)).isCloseTo(10, within(0.1));
    assertThat(timings.percentileMillis(99)).isCloseTo(10, within(0.1));
    assertThat(timings.percentileMillis(100)).isCloseTo(1_000, within(1.0));
  }

  @Test
  void nothingYet() {
    assertThat(new Timings().megabytesPerSecond(2)).isZero();
    assertThat(new Timings().percentileMillis(99)).isZero();
  }
}
