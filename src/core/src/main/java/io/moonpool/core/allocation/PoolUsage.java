package io.moonpool.core.allocation;

import java.util.concurrent.atomic.LongAdder;

/**
 * How full the segments are that new objects can go to, all together: the input of the eviction
 * watermark.
 *
 * <p>Segments that are being drained or unmounted, or whose node is not ACTIVE, do not count: room
 * there helps no put, and what is stored there presses on nobody. Any thread may read it at the
 * price of a few memory reads, however many segments there are; while allocations go on, the answer
 * is off by those in flight.
 */
public final class PoolUsage {
  private final LongAdder used = new LongAdder();
  private final LongAdder capacity = new LongAdder();

  /** Bytes reserved, quarantined extents included. */
  public long usedBytes() {
    return Math.max(0, used.sum());
  }

  /** Bytes that there are. */
  public long capacityBytes() {
    return Math.max(0, capacity.sum());
  }

  /** Used by capacity: 0 to 1; 0 when there is no capacity. */
  public double usedRatio() {
    long capacityNow = capacityBytes();
    return capacityNow == 0 ? 0 : Math.min(1.0, (double) usedBytes() / capacityNow);
  }

  void addUsed(long bytes) {
    used.add(bytes);
  }

  void addCapacity(long bytes) {
    capacity.add(bytes);
  }
}
