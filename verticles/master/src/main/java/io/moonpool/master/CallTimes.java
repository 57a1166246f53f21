package io.moonpool.master;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * How often durations of each size occurred. Buckets grow by a quarter of a power of two, from 1
 * microsecond to more than an hour, so a quantile is at most 12 % above or below the true one.
 * Immutable.
 */
public final class CallTimes {
  /** Buckets of one power of two. */
  private static final int PARTS = 4;

  /** 32 powers of two, from 1 microsecond. */
  static final int BUCKETS = 32 * PARTS;

  /** No durations. */
  public static final CallTimes NONE = new CallTimes(new long[BUCKETS]);

  private final long[] counts;

  private CallTimes(long[] counts) {
    this.counts = counts;
  }

  /** Counts by bucket, which are taken over. */
  static CallTimes of(long[] counts) {
    if (counts.length != BUCKETS) {
      throw new IllegalArgumentException(counts.length + " buckets, not " + BUCKETS);
    }
    return new CallTimes(counts);
  }

  /** The bucket of a duration. */
  static int bucket(long nanos) {
    long micros = nanos / 1_000;
    if (micros < 1) {
      return 0;
    }
    int power = 63 - Long.numberOfLeadingZeros(micros);
    int part = (int) (((micros - (1L << power)) * PARTS) >> power);
    return Math.min(power * PARTS + part, BUCKETS - 1);
  }

  /** Where a bucket begins, in microseconds. */
  private static double start(int bucket) {
    return Math.scalb(1.0 + (bucket % PARTS) / (double) PARTS, bucket / PARTS);
  }

  /** Those that are counted here and not yet in an earlier reading. */
  public CallTimes since(CallTimes earlier) {
    long[] difference = new long[BUCKETS];
    Arrays.setAll(difference, i -> counts[i] - earlier.counts[i]);
    return new CallTimes(difference);
  }

  /** Both together. */
  public CallTimes plus(CallTimes other) {
    long[] sum = new long[BUCKETS];
    Arrays.setAll(sum, i -> counts[i] + other.counts[i]);
    return new CallTimes(sum);
  }

  /** How many durations there are. */
  public long count() {
    return Arrays.stream(counts).sum();
  }

  /**
   * The duration that a share of all stays below, in microseconds; empty when there are none.
   *
   * @param share above 0, at most 1
   */
  public OptionalDouble quantileMicros(double share) {
    double wanted = share * count();
    double seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
      if (counts[i] > 0 && seen + counts[i] >= wanted) {
        double within = Math.max(0, wanted - seen) / counts[i];
        return OptionalDouble.of(start(i) + within * (start(i + 1) - start(i)));
      }
      seen += counts[i];
    }
    return OptionalDouble.empty();
  }
}
