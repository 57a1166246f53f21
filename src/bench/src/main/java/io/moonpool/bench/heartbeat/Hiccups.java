package io.moonpool.bench.heartbeat;

import java.util.concurrent.locks.LockSupport;

/**
 * A bare timer thread: how late the machine, and the pauses of this process, make a thread that
 * does nothing but wake up. What gaps of the same run are read against.
 */
final class Hiccups implements AutoCloseable {
  private static final long PERIOD_NANOS = 1_000_000;

  private final Thread thread = Thread.ofPlatform().daemon().name("hiccups").unstarted(this::run);
  private volatile boolean stopped;
  private volatile long worstNanos;

  void start() {
    thread.start();
  }

  private void run() {
    long last = System.nanoTime();
    while (!stopped) {
      LockSupport.parkNanos(PERIOD_NANOS);
      long now = System.nanoTime();
      long late = now - last - PERIOD_NANOS;
      last = now;
      if (late > worstNanos) {
        worstNanos = late;
      }
    }
  }

  /** Forgets what was measured so far. */
  void reset() {
    worstNanos = 0;
  }

  /** The worst so far, in nanoseconds. */
  long worstNanos() {
    return worstNanos;
  }

  @Override
  public void close() {
    stopped = true;
  }
}
