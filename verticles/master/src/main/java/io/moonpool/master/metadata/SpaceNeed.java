package io.moonpool.master.metadata;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the metadata loops tell one another about space, since the evictable objects may be another
 * loop's: that a write found none, and that the pool has passed the high watermark. Any thread.
 */
final class SpaceNeed {
  /** No other round begins until every loop has had the time to see the last one. */
  private static final long ROUND_MILLIS = 25;

  /**
   * An eviction of all loops.
   *
   * @param number grows by one from round to round
   * @param share of its objects' memory that each loop gives up
   * @param target what the pool may hold then, as a share of its capacity
   * @param startMillis when it began
   */
  record Round(long number, double share, double target, long startMillis) {}

  private final AtomicLong signals = new AtomicLong();
  private final AtomicReference<Round> round =
      new AtomicReference<>(new Round(0, 0, 0, -ROUND_MILLIS));

  /** A write found no space. */
  void signal() {
    signals.incrementAndGet();
  }

  /** Changes with each signal. */
  long signals() {
    return signals.get();
  }

  /** The last round. */
  Round round() {
    return round.get();
  }

  /** Begins a round, unless one has just begun. */
  void begin(double share, double target, long nowMillis) {
    Round last = round.get();
    if (nowMillis - last.startMillis() >= ROUND_MILLIS) {
      // When another loop has just begun one, that one is as good.
      round.compareAndSet(last, new Round(last.number() + 1, share, target, nowMillis));
    }
  }
}
