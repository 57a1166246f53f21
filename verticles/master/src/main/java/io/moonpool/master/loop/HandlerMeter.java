package io.moonpool.master.loop;

import io.moonpool.protocol.frame.LogGate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how much thread CPU time the handlers of one event loop use, cheaply enough to measure
 * all of them.
 *
 * <p>The loop calls {@link #mark} between any two handlers and says which one begins; a long one is
 * logged by its name, one line a second at most. Reading the thread's CPU time is a system call, so
 * it is read only when half a millisecond of wall time has passed since it was read last; a shorter
 * stretch cannot hold a long handler. A handler is therefore charged at most half a millisecond
 * that others before it used, never less than it used itself.
 *
 * <p>Belongs to the loop's thread; the getters may be called by any thread and lag a little.
 */
public final class HandlerMeter {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerMeter.class);

  /** Handlers that use more than this are counted as long, in nanoseconds. */
  public static final long LONG_HANDLER_NANOS = 10_000_000;

  private static final long RESOLUTION_NANOS = 500_000;

  private final String loop;
  private final LongSupplier wallNanos;
  private final LongSupplier cpuNanos;
  private long sampledWallNanos;
  private long sampledCpuNanos;
  private final LogGate logGate = new LogGate();

  /** What runs now: its name, or an object whose class is its name. */
  private @Nullable Object running;

  // Written by the loop alone. Volatile so that other threads see them in time; a loop writes one
  // of them at most every half millisecond.
  private volatile long longestNanos;
  private volatile long longHandlers;
  private volatile String longestName = "";
  private volatile boolean logs;

  HandlerMeter(String loop, LongSupplier wallNanos, LongSupplier cpuNanos) {
    this.loop = loop;
    this.wallNanos = wallNanos;
    this.cpuNanos = cpuNanos;
  }

  /** Starts to count; called once, on the loop. */
  void begin() {
    sampledWallNanos = wallNanos.getAsLong();
    sampledCpuNanos = cpuNanos.getAsLong();
  }

  /**
   * One handler has ended, and the next one begins. Call on the loop.
   *
   * @param next its name, or the object that it is; null when none begins
   */
  public void mark(@Nullable Object next) {
    Object ended = running;
    running = next;
    long wall = wallNanos.getAsLong();
    if (wall - sampledWallNanos >= RESOLUTION_NANOS) {
      sample(ended, wall);
    }
  }

  /** The handler that runs has come to a part with a name of its own. Call on the loop. */
  void name(Object part) {
    running = part;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void sample(@Nullable Object ended, long wall) {
    long cpu = cpuNanos.getAsLong();
    long used = cpu - sampledCpuNanos;
    sampledWallNanos = wall;
    sampledCpuNanos = cpu;
    if (used > longestNanos) {
      longestNanos = used;
      longestName = nameOf(ended);
    }
    if (used > LONG_HANDLER_NANOS) {
      longHandlers = longHandlers + 1;
      warn(ended, used, wall);
    }
  }

  private void warn(@Nullable Object ended, long usedNanos, long nowNanos) {
    long suppressed = logGate.tryPass(nowNanos);
    if (suppressed >= 0 && logs) {
      LOG.warn(
          "loop {} was held for {} ms of CPU time by {} ({} similar lines left out)",
          loop,
          usedNanos / 1_000_000,
          nameOf(ended),
          suppressed);
    }
  }

  private static String nameOf(@Nullable Object handler) {
    return switch (handler) {
      case null -> "the loop itself";
      case String name -> name;
      case NamedTask named -> named.name();
      default -> handler.getClass().getName();
    };
  }

  /** Most thread CPU time that one handler used so far. */
  public long longestNanos() {
    return longestNanos;
  }

  /** The name of the handler that used most; empty when there was none. */
  public String longestName() {
    return longestName;
  }

  /** How many handlers used more than {@link #LONG_HANDLER_NANOS}. */
  public long longHandlers() {
    return longHandlers;
  }

  /**
   * Forgets what was measured, and logs long handlers from now on: starting takes what it takes.
   * Called when the master has started, from any thread.
   */
  public void reset() {
    logs(true);
    longestNanos = 0;
    longestName = "";
    longHandlers = 0;
  }

  /** Whether long handlers are logged from now on; they are counted in any case. Any thread. */
  public void logs(boolean now) {
    logs = now;
  }
}
