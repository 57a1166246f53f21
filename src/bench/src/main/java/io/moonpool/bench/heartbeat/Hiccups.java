package io.moonpool.bench.heartbeat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Bare timer threads: how late the machine, and the pauses of this process, make threads that do
 * nothing but wake up. What gaps of the same run are read against. One wakes up each millisecond;
 * the others once a second, as clients do, one for each client.
 */
public final class Hiccups implements AutoCloseable {
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong worstNanos = new AtomicLong();
  private volatile boolean stopped;

  /**
   * Threads that do not run yet.
   *
   * @param clients how many of them wake up once a second; may be 0
   */
  public Hiccups(int clients) {
    add(SHORT_NANOS, 0);
    for (int i = 0; i < clients; i++) {
      add(LONG_NANOS, LONG_NANOS * i / clients);
    }
  }

  private void add(long periodNanos, long phaseNanos) {
    threads.add(
        Thread.ofPlatform()
            .daemon()
            .name("hiccups-" + threads.size())
            .unstarted(() -> run(periodNanos, phaseNanos)));
  }

  /** Starts them. */
  public void start() {
    threads.forEach(Thread::start);
  }

  private void run(long periodNanos, long phaseNanos) {
    long due = System.nanoTime() + phaseNanos;
    while (!stopped) {
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      long now = System.nanoTime();
      worstNanos.accumulateAndGet(now - due, Math::max);
      due = now + periodNanos;
    }
  }

  /** Forgets what was measured so far. */
  public void reset() {
    worstNanos.set(0);
  }

  /** The worst so far, in nanoseconds. */
  public long worstNanos() {
    return worstNanos.get();
  }

  @Override
  public void close() {
    stopped = true;
  }
}
