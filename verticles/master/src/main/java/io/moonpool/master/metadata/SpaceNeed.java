package io.moonpool.master.metadata;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells all metadata loops that a write of one of them found no space: the evictable objects may be
 * another loop's. Any thread.
 */
final class SpaceNeed {
  private final AtomicLong signals = new AtomicLong();

  void signal() {
    signals.incrementAndGet();
  }

  /** Changes with each signal. */
  long signals() {
    return signals.get();
  }
}
