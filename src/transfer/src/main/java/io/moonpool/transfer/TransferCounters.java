package io.moonpool.transfer;

import java.util.concurrent.atomic.LongAdder;

/**
 * What one transport of this process has done since it started, as the side that asked. Striped
 * counters: cheap to add to from any thread, read by metrics.
 */
public final class TransferCounters {
  private final LongAdder puts = new LongAdder();
  private final LongAdder putBytes = new LongAdder();
  private final LongAdder gets = new LongAdder();
  private final LongAdder getBytes = new LongAdder();
  private final LongAdder failures = new LongAdder();

  TransferCounters() {}

  void count(boolean put, long bytes, boolean succeeded) {
    if (!succeeded) {
      failures.increment();
    } else if (put) {
      puts.increment();
      putBytes.add(bytes);
    } else {
      gets.increment();
      getBytes.add(bytes);
    }
  }

  /** Puts that succeeded. */
  public long puts() {
    return puts.sum();
  }

  /** Bytes of the puts that succeeded. */
  public long putBytes() {
    return putBytes.sum();
  }

  /** Gets that succeeded. */
  public long gets() {
    return gets.sum();
  }

  /** Bytes of the gets that succeeded. */
  public long getBytes() {
    return getBytes.sum();
  }

  /** Puts and gets that failed, for whatever reason. */
  public long failures() {
    return failures.sum();
  }
}
