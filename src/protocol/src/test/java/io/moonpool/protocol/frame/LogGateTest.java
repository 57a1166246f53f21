package io.moonpool.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One line a second, and how many were left out. */
class LogGateTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void oneLineASecond() {
    LogGate gate = new LogGate();
    long now = Long.MAX_VALUE - SECOND / 2; // nanoTime may wrap around

    assertThat(gate.tryPass(now)).isZero();
    assertThat(gate.tryPass(now)).isEqualTo(-1);
    assertThat(gate.tryPass(now + SECOND - 1)).isEqualTo(-1);
    assertThat(gate.tryPass(now + SECOND)).isEqualTo(2);
    assertThat(gate.tryPass(now + SECOND + 1)).isEqualTo(-1);
    assertThat(gate.tryPass(now + 5 * SECOND)).isEqualTo(1);
  }
}
