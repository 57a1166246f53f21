package io.moonpool.protocol.frame;

import java.util.concurrent.TimeUnit;

/**
 * Lets one log line a second through, so that what happens often cannot flood the log. One thread.
 */
public final class LogGate {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private boolean used;
  private long lastNanos;
  private long suppressed;

  /** A gate that lets the first line through. */
  public LogGate() {}

  /**
   * Asks for a line.
   *
   * @param nowNanos {@link System#nanoTime()}
   * @return how many lines were suppressed before this one, or -1 when this one is
   */
  public long tryPass(long nowNanos) {
    if (used && nowNanos - lastNanos < INTERVAL_NANOS) {
      suppressed++;
      return -1;
    }
    used = true;
    lastNanos = nowNanos;
    long count = suppressed;
    suppressed = 0;
    return count;
  }
}
