package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Quantiles of durations that were counted by size. */
class CallTimesTest {
  @Test
  void quantilesAreCloseToTheTrueOnes() {
    Random random = new Random(7);
    CallTimer timer = new CallTimer();
    double[] micros = new double[20_000];
    for (int i = 0; i < micros.length; i++) {
      micros[i] = Math.exp(1 + 12 * random.nextDouble());
      timer.add((long) (micros[i] * 1_000));
    }
    Arrays.sort(micros);
    for (double share : new double[] {0.1, 0.5, 0.9, 0.99, 1}) {
      double exact = micros[(int) Math.ceil(share * micros.length) - 1];
      assertThat(timer.read().quantileMicros(share).orElseThrow())
          .as("quantile %s", share)
          .isCloseTo(exact, Percentage.withPercentage(25));
    }
  }

  @Test
  void everyDurationHasABucketThatItIsIn() {
    for (long micros = 1; micros < 3_600_000_000L; micros += 1 + micros / 7) {
      CallTimer timer = new CallTimer();
      timer.add(TimeUnit.MICROSECONDS.toNanos(micros));
      assertThat(timer.read().quantileMicros(1).orElseThrow())
          .isBetween((double) micros, micros * 1.25 + 1);
    }
    CallTimer extremes = new CallTimer();
    extremes.add(-1);
    extremes.add(0);
    extremes.add(Long.MAX_VALUE);
    assertThat(extremes.read().count()).isEqualTo(3);
  }

  @Test
  void onlyWhatCameSinceCounts() {
    CallTimer timer = new CallTimer();
    timer.add(TimeUnit.SECONDS.toNanos(1));
    CallTimes before = timer.read();
    timer.add(TimeUnit.MICROSECONDS.toNanos(100));
    CallTimes since = timer.read().since(before);
    assertThat(since.count()).isEqualTo(1);
    assertThat(since.quantileMicros(0.99).orElseThrow()).isCloseTo(100, within(25.0));
    assertThat(before.plus(since).count()).isEqualTo(2);
    assertThat(CallTimes.NONE.quantileMicros(0.5)).isEmpty();
  }
}
