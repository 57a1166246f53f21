package io.moonpool.master;

import java.util.concurrent.atomic.LongAdder;

/** Counts durations by size. Any thread; counting takes no lock and allocates nothing. */
final class CallTimer {
  private final LongAdder[] buckets = new LongAdder[CallTimes.BUCKETS];

  CallTimer() {
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** Counts a duration. */
  void add(long nanos) {
    buckets[CallTimes.bucket(nanos)].increment();
  }

  /** The counts as they are now. */
  CallTimes read() {
    long[] counts = new long[buckets.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets[i].sum();
    }
    return CallTimes.of(counts);
  }
}
