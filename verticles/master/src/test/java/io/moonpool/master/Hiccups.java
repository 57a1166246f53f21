package io.moonpool.master;

import java.util.ArrayList;
import java.util.List;

/**
 * How long a busy thread of this machine is kept from running, measured by one that spins: what a
 * latency figure of the same run has to be read against.
 */
final class Hiccups implements AutoCloseable {
  private static final long GAP_NANOS = 500_000;

  private final Thread spinner = new Thread(this::spin, "hiccups");
  private final List<Long> gaps = new ArrayList<>();
  private volatile boolean stopped;
  private long startedNanos;
  private long endedNanos;

  private Hiccups() {
    spinner.start();
  }

  static Hiccups measure() {
    return new Hiccups();
  }

  private void spin() {
    startedNanos = System.nanoTime();
    long last = startedNanos;
    while (!stopped) {
      long now = System.nanoTime();
      if (now - last > GAP_NANOS) {
        gaps.add(now - last);
      }
      last = now;
    }
    endedNanos = last;
  }

  @Override
  public void close() {
    stopped = true;
    try {
      spinner.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * How long something that arrives at a random moment waits for the CPU: all but one of that many
   * arrivals wait less. Call when closed.
   */
  long waitNanos(int oneOf) {
    // An arrival inside a gap waits for the rest of it. Longest waits first: all gaps together have
    // this much time of waits above w.
    long allowed = (endedNanos - startedNanos) / oneOf;
    long low = 0;
    long high = gaps.stream().mapToLong(Long::longValue).max().orElse(0);
    while (high - low > 10_000) {
      long wait = (low + high) / 2;
      long above = gaps.stream().mapToLong(gap -> Math.max(0, gap - wait)).sum();
      if (above > allowed) {
        low = wait;
      } else {
        high = wait;
      }
    }
    return high;
  }
}
