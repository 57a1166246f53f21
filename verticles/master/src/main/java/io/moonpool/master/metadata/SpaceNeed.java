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
   * @param parts of objects that loops have asked for and could not evict, in {@link #PART}s
   */
  record Round(long number, double share, double target, long startMillis, AtomicLong parts) {
    private static final long PART = 1 << 20;

    /**
     * How many objects a loop evicts in this round. Objects go as a whole, so what is left of each
     * loop's share is put together, or every loop would evict one object more than its share:
     * together they evict as many as one loop would that had them all.
     *
     * @param objects that the loop has on segments that take new ones
     */
    long claim(long objects) {
      double wanted = Math.min(1, share) * objects;
      long whole = (long) wanted;
      long part = (long) ((wanted - whole) * PART);
      long before = parts.getAndAdd(part);
      return whole + Math.ceilDiv(before + part, PART) - Math.ceilDiv(before, PART);
    }
  }

  private final AtomicLong signals = new AtomicLong();
  private final AtomicReference<Round> round =
      new AtomicReference<>(new Round(0, 0, 0, -ROUND_MILLIS, new AtomicLong()));

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
      round.compareAndSet(
          last, new Round(last.number() + 1, share, target, nowMillis, new AtomicLong()));
    }
  }
}
