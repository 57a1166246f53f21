package io.moonpool.master.loop;

import java.util.function.LongSupplier;

/**
 * Measures how much thread CPU time the handlers of one event loop use, cheaply enough to measure
 * all of them.
 *
 * <p>The loop calls {@link #mark} between any two handlers. Reading the thread's CPU time is a
 * system call, so it is read only when half a millisecond of wall time has passed since it was read
 * last; a shorter stretch cannot hold a long handler. A handler is therefore charged at most half a
 * millisecond that others before it used, never less than it used itself.
 *
 * <p>Belongs to the loop's thread; the getters may be called by any thread and lag a little.
 */
public final class HandlerMeter {
  /** Handlers that use more than this are counted as long, in nanoseconds. */
  public static final long LONG_HANDLER_NANOS = 10_000_000;

  private static final long RESOLUTION_NANOS = 500_000;

  private final LongSupplier wallNanos;
  private final LongSupplier cpuNanos;
  private long sampledWallNanos;
  private long sampledCpuNanos;

  // Written by the loop alone. Volatile so that other threads see them in time; a loop writes one
  // of
  // them at most every half millisecond.
  private volatile long longestNanos;
  private volatile long longHandlers;

  HandlerMeter(LongSupplier wallNanos, LongSupplier cpuNanos) {
    this.wallNanos = wallNanos;
    this.cpuNanos = cpuNanos;
  }

  /** Starts to count; called once, on the loop. */
  void begin() {
    sampledWallNanos = wallNanos.getAsLong();
    sampledCpuNanos = cpuNanos.getAsLong();
  }

  /** One handler has ended, or the next one begins. Call on the loop. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void mark() {
    long wall = wallNanos.getAsLong();
    if (wall - sampledWallNanos < RESOLUTION_NANOS) {
      return;
    }
    long cpu = cpuNanos.getAsLong();
    long used = cpu - sampledCpuNanos;
    sampledWallNanos = wall;
    sampledCpuNanos = cpu;
    if (used > longestNanos) {
      longestNanos = used;
    }
    if (used > LONG_HANDLER_NANOS) {
      longHandlers = longHandlers + 1;
    }
  }

  /** Most thread CPU time that one handler used so far. */
  public long longestNanos() {
    return longestNanos;
  }

  /** How many handlers used more than {@link #LONG_HANDLER_NANOS}. */
  public long longHandlers() {
    return longHandlers;
  }

  /** Forgets what was measured; called when warm-up is over, from any thread. */
  public void reset() {
    longestNanos = 0;
    longHandlers = 0;
  }
}
