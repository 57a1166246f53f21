package io.moonpool.transfer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Warnings that peers can cause as often as they like: one in ten seconds is written, the others
 * are counted. Any thread.
 */
final class SparseWarnings {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Logger log;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong silenced = new AtomicLong();

  SparseWarnings(Logger log) {
    this.log = log;
  }

  /** Warns, unless that was done a moment ago. */
  void warn(String what, Object peer, String why) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
      log.warn("{} of {}: {} ({} such events not logged)", what, peer, why, silenced.getAndSet(0));
    } else {
      silenced.incrementAndGet();
    }
  }
}
