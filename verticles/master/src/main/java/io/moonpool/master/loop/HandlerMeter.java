package io.moonpool.master.loop;

import io.moonpool.protocol.frame.LogGate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** So many names are remembered with the longest handler of each. */
  private static final int NAMES = 6;

  private final String loop;
  private final LongSupplier wallNanos;
  private final LongSupplier cpuNanos;
  private long sampledWallNanos;
  private long sampledCpuNanos;
  private final LogGate logGate = new LogGate();

  /** What runs now: its name, or an object whose class is its name. */
  private @Nullable Object running;

  // Written by the loop alone. Volatile so that other threads see it in time; a loop writes it at
  // most every half millisecond.
  private volatile Measured measured = new Measured(0, List.of(), 0);

  /** How often was reset: what was measured before the last time does not count. */
  private final AtomicInteger resets = new AtomicInteger();

  private volatile boolean logs;

  private record Measured(int resets, List<Longest> longest, long longHandlers) {}

  /**
   * The longest of the handlers of one name.
   *
   * @param nanos thread CPU time
   */
  public record Longest(String name, long nanos) {}

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

  private void sample(@Nullable Object ended, long wall) {
    long cpu = cpuNanos.getAsLong();
    long used = cpu - sampledCpuNanos;
    sampledWallNanos = wall;
    sampledCpuNanos = cpu;
    Measured before = measured();
    List<Longest> longest = before.longest();
    boolean isLong = used > LONG_HANDLER_NANOS;
    String name = nameOf(ended);
    // Nothing is allocated for what is neither: this goes on every half millisecond.
    if (isLong || belongs(longest, name, used)) {
      measured =
          new Measured(
              before.resets(), with(longest, name, used), before.longHandlers() + (isLong ? 1 : 0));
    }
    if (isLong) {
      warn(ended, used, wall);
    }
  }

  private Measured measured() {
    Measured last = measured;
    int now = resets.get();
    return last.resets() == now ? last : new Measured(now, List.of(), 0);
  }

  /** Whether it is the longest of its name so far, and longer than others that are kept. */
  private static boolean belongs(List<Longest> longest, String name, long used) {
    for (int i = 0; i < longest.size(); i++) {
      if (longest.get(i).name().equals(name)) {
        return used > longest.get(i).nanos();
      }
    }
    return longest.size() < NAMES || used > longest.getLast().nanos();
  }

  private static List<Longest> with(List<Longest> before, String name, long used) {
    List<Longest> after = new ArrayList<>(before);
    for (Longest each : before) {
      if (each.name().equals(name)) {
        if (each.nanos() >= used) {
          return before;
        }
        after.remove(each);
      }
    }
    int place = 0;
    while (place < after.size() && after.get(place).nanos() >= used) {
      place++;
    }
    after.add(place, new Longest(name, used));
    return List.copyOf(after.subList(0, Math.min(NAMES, after.size())));
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
      case NamedHandler named -> named.name();
      default -> handler.getClass().getName();
    };
  }

  /** Most thread CPU time that one handler used so far. */
  public long longestNanos() {
    List<Longest> now = longest();
    return now.isEmpty() ? 0 : now.getFirst().nanos();
  }

  /** The name of the handler that used most; empty when there was none. */
  public String longestName() {
    List<Longest> now = longest();
    return now.isEmpty() ? "" : now.getFirst().name();
  }

  /** Those that used most so far, one of each name, the longest first; a few of them. */
  public List<Longest> longest() {
    return measured().longest();
  }

  /** How many handlers used more than {@link #LONG_HANDLER_NANOS}. */
  public long longHandlers() {
    return measured().longHandlers();
  }

  /**
   * Forgets what was measured, and logs long handlers from now on: starting takes what it takes.
   * Called when the master has started, from any thread.
   */
  public void reset() {
    logs(true);
    resets.incrementAndGet();
  }

  /** Whether long handlers are logged from now on; they are counted in any case. Any thread. */
  public void logs(boolean now) {
    logs = now;
  }
}
