package io.moonpool.master.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SpaceNeedTest {
  private final SpaceNeed need = new SpaceNeed();

  private SpaceNeed.Round round(double share, long nowMillis) {
    need.begin(share, 0, nowMillis);
    return need.round();
  }

  @Test
  void loopsTogetherEvictWhatOneWouldThatHadAllObjects() {
    SplittableRandom random = new SplittableRandom(7);
    for (int run = 0; run < 1_000; run++) {
      double share = random.nextDouble(0.01, 1);
      SpaceNeed.Round round = round(share, run * 100L);
      int loops = random.nextInt(1, 16);
      long objects = 0;
      long evicted = 0;
      for (int loop = 0; loop < loops; loop++) {
        long own = random.nextInt(20);
        long claimed = round.claim(own);
        assertThat(claimed).isBetween((long) (share * own), (long) Math.ceil(share * own));
        objects += own;
        evicted += claimed;
      }
      double wanted = share * objects;
      assertThat((double) evicted)
          .as("%d loops, %d objects, share %.3f", loops, objects, share)
          .isBetween(wanted - 0.001, Math.ceil(wanted));
    }
  }

  @Test
  void allIsEvictedWhenAllIsWanted() {
    SpaceNeed.Round round = round(1.2, 100);
    assertThat(round.claim(3) + round.claim(0) + round.claim(5)).isEqualTo(8);
  }

  @Test
  void aRoundBeginsWithNothingLeftOfTheLast() {
    assertThat(round(0.5, 100).claim(1)).isEqualTo(1);
    assertThat(round(0.5, 200).claim(1)).isEqualTo(1);
  }
}
