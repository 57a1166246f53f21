package io.moonpool.core.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObservedClockTest {
  private static final long MILLI = 1_000_000;
  private static final long START = -5_000 * MILLI;

  private final ObservedClock clock = new ObservedClock(START);

  @Test
  void countsTheElapsedTime() {
    assertThat(clock.millis()).isZero();
    assertThat(clock.advance(START + 100 * MILLI)).isEqualTo(100);
    assertThat(clock.advance(START + 217 * MILLI)).isEqualTo(217);
    assertThat(clock.millis()).isEqualTo(217);
  }

  @Test
  void aStoppedMasterCountsOneStepOnly() {
    clock.advance(START + 100 * MILLI);
    assertThat(clock.advance(START + 60_100 * MILLI)).isEqualTo(300);
    assertThat(clock.advance(START + 60_200 * MILLI)).isEqualTo(400);
  }

  @Test
  void losesNoPartsOfAMillisecond() {
    for (int i = 1; i <= 3000; i++) {
      clock.advance(START + i * MILLI / 3);
    }
    assertThat(clock.millis()).isEqualTo(1000);
  }

  @Test
  void neverGoesBack() {
    clock.advance(START + 100 * MILLI);
    assertThat(clock.advance(START)).isEqualTo(100);
    assertThat(clock.advance(START + 50 * MILLI)).isEqualTo(150);
  }
}
