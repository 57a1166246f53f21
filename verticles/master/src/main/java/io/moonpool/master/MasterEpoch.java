package io.moonpool.master;

import java.time.Instant;

/**
 * The number of a start of the master: greater than that of any earlier start, as long as the wall
 * clock does not go back between them. Part of every generation, incarnation and version, so that
 * nothing of an earlier life is taken for something of this one.
 */
final class MasterEpoch {
  private static final long BEGIN_MILLIS = Instant.parse("2025-01-01T00:00:00Z").toEpochMilli();
  private static final long UNIT_MILLIS = 250;

  /** Numbers of a shard's sequence that an epoch leaves room for: 16 million writes a second. */
  static final int SEQUENCES_AN_EPOCH = 4_096;

  private MasterEpoch() {}

  /** The epoch of a start at that time: 1 to 2^31-1 until the year 2042. */
  static long at(long wallMillis) {
    long epoch = Math.max(0, wallMillis - BEGIN_MILLIS) / UNIT_MILLIS + 1;
    if (epoch > Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "the wall clock is set to " + Instant.ofEpochMilli(wallMillis));
    }
    return epoch;
  }

  /** Where the sequences of the shards begin in that epoch. */
  static long firstSequence(long epoch) {
    return epoch * SEQUENCES_AN_EPOCH;
  }
}
