package io.moonpool.bench.disk;

/**
 * What one way of reading did in one turn.
 *
 * @param bytes read
 * @param nanos how long it took
 * @param cpuNanos processor time that its process used meanwhile, in user and kernel mode
 */
record ReadTurn(long bytes, long nanos, long cpuNanos) {
  /** Bytes a second, in GB (10^9). */
  double gigabytesPerSecond() {
    return (double) bytes / nanos;
  }

  /** Seconds of processor time for a GB (10^9). */
  double cpuSecondsPerGigabyte() {
    return (double) cpuNanos / bytes;
  }
}
