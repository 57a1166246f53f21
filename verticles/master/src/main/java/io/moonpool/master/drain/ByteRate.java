package io.moonpool.master.drain;

/**
 * A limit in bytes per second: a bucket of tokens, one a byte, that holds those of one second at
 * most. An object is let through as soon as there is any token, and takes as many as it has bytes,
 * so that the bucket may owe some; hence one that is larger than the bucket passes, too, and the
 * rate holds all the same.
 *
 * <p>Belongs to one thread. Time is monotonic, in milliseconds.
 */
final class ByteRate {
  private static final double MILLIS = 1_000;

  private final long bytesPerSecond;
  private double tokens;
  private long filledAtMillis;

  /**
   * A full bucket.
   *
   * @param bytesPerSecond 0: no limit
   */
  ByteRate(long bytesPerSecond, long nowMillis) {
    this.bytesPerSecond = bytesPerSecond;
    this.tokens = bytesPerSecond;
    this.filledAtMillis = nowMillis;
  }

  /** Bytes that may be started now; 0 or less: none. */
  long available(long nowMillis) {
    if (bytesPerSecond == 0) {
      return Long.MAX_VALUE;
    }
    tokens =
        Math.min(
            (double) bytesPerSecond,
            tokens + (nowMillis - filledAtMillis) * (bytesPerSecond / MILLIS));
    filledAtMillis = nowMillis;
    return (long) Math.floor(tokens);
  }

  /** Bytes were started. */
  void take(long bytes) {
    if (bytesPerSecond > 0) {
      tokens -= bytes;
    }
  }

  /** When something may be started again, from now on; 0 when it may now. */
  long waitMillis(long nowMillis) {
    if (available(nowMillis) > 0) {
      return 0;
    }
    return (long) Math.ceil((1 - tokens) * MILLIS / bytesPerSecond);
  }
}
