package io.moonpool.master.health;

/**
 * Tells whether a clock advances, from samples taken at equal intervals. It counts samples, not
 * time: after a stop of the whole process, its own timers and the clock resume together, and
 * nothing is reported that was nobody's fault. Used by one thread.
 */
final class ClockWatch {
  private final int tolerated;
  private long last = Long.MIN_VALUE;
  private int standing;

  /**
   * A watch.
   *
   * @param tolerated so many samples in a row may show no advance
   */
  ClockWatch(int tolerated) {
    this.tolerated = tolerated;
  }

  /** Takes a sample. */
  void sample(long clockMillis) {
    standing = clockMillis == last ? standing + 1 : 0;
    last = clockMillis;
  }

  boolean advances() {
    return standing <= tolerated;
  }
}
