package io.moonpool.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatStatsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Not 0: readings of the clock may be anything. */
  private static final long START = Long.MAX_VALUE - 90 * SECOND;

  private final HeartbeatStats stats = new HeartbeatStats(START);

  private void answersEachSecond(long fromSecond, long toSecond) {
    for (long second = fromSecond; second <= toSecond; second++) {
      stats.answer(START + second * SECOND, START + second * SECOND);
    }
  }

  private long recentSeconds(long atSecond) {
    return stats.recentGapNanos(START + atSecond * SECOND) / SECOND;
  }

  @Test
  void aGapIsShownForAMinuteAfterItIsOverAndForTwoAtMost() {
    assertThat(recentSeconds(0)).isZero();
    for (long begin : new long[] {10, 59, 60, 61, 100}) {
      HeartbeatStatsTest each = new HeartbeatStatsTest();
      each.answersEachSecond(1, begin);
      long end = begin + 5;
      each.answersEachSecond(end, end);
      for (long second = end; second < end + 130; second++) {
        if (second > end) {
          each.answersEachSecond(second, second);
        }
        if (second < end + 60) {
          assertThat(each.recentSeconds(second)).as("%s, %s", begin, second).isEqualTo(5);
        } else if (second > end + 120) {
          assertThat(each.recentSeconds(second)).as("%s, %s", begin, second).isEqualTo(1);
        }
      }
      assertThat(each.stats.longestGapNanos()).isEqualTo(5 * SECOND);
    }
  }

  @Test
  void whatIsLongAgoIsNotShownThoughNoAnswerCame() {
    answersEachSecond(1, 3);
    assertThat(recentSeconds(3)).isEqualTo(1);
    assertThat(recentSeconds(119)).isEqualTo(1);
    assertThat(recentSeconds(121)).isZero();
    answersEachSecond(300, 300);
    assertThat(recentSeconds(300)).isEqualTo(297);
  }
}
