package io.moonpool.core.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrequencySketchTest {
  private final FrequencySketch sketch = new FrequencySketch();

  @Test
  void itNeverCountsTooLittleBetweenHalvings() {
    SplittableRandom random = new SplittableRandom(1);
    long[] hashes = random.longs(500).toArray();
    int[] reads = new int[hashes.length];
    for (int i = 0; i < 16_000; i++) {
      int key = Math.min(random.nextInt(500), random.nextInt(500));
      reads[key]++;
      assertThat(sketch.increment(hashes[key])).isGreaterThanOrEqualTo(Math.min(255, reads[key]));
    }
    int exact = 0;
    for (int i = 0; i < hashes.length; i++) {
      int estimate = sketch.estimate(hashes[i]);
      assertThat(estimate).isGreaterThanOrEqualTo(reads[i]);
      exact += estimate == reads[i] ? 1 : 0;
    }
    assertThat(exact).as("four rows rarely err together").isGreaterThan(490);
  }

  @Test
  void countersEndAndFade() {
    for (int i = 0; i < 400; i++) {
      sketch.increment(7);
    }
    assertThat(sketch.estimate(7)).isEqualTo(255);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 2 * 16_384; i++) {
      sketch.increment(random.nextLong());
    }
    assertThat(sketch.estimate(7)).isBetween(63, 80);
  }

  @Test
  void aKeyThatWasNeverReadIsNotThere() {
    assertThat(sketch.estimate(42)).isZero();
    assertThat(sketch.increment(42)).isEqualTo(1);
    assertThat(sketch.increment(42)).isEqualTo(2);
  }
}
