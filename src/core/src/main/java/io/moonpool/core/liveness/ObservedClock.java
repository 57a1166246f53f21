package io.moonpool.core.liveness;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The clock of all liveness decisions: it counts the time in which the heartbeat loop could have
 * heard.
 *
 * <p>The heartbeat loop advances it about every {@link #STEP_MILLIS}, after a pass that has read
 * its sockets, by the time that went by but at most {@link #MAX_STEP_MILLIS}. A master that was
 * stopped, swapped out or starved for a minute thus counts 200 ms, finds the pings that waited in
 * its sockets, and calls nobody dead for its own absence. It can be late to call a client dead,
 * never wrong.
 *
 * <p>One thread advances; any thread reads. Starts at 0.
 */
public final class ObservedClock {
  /** How often the heartbeat loop should advance the clock, in milliseconds. */
  public static final long STEP_MILLIS = 100;

  /** The most that one step counts, in milliseconds. */
  public static final long MAX_STEP_MILLIS = 200;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long MAX_STEP_NANOS = MAX_STEP_MILLIS * NANOS_PER_MILLI;

  private static final VarHandle MILLIS;

  static {
    try {
      MILLIS = MethodHandles.lookup().findVarHandle(ObservedClock.class, "millis", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long lastNanos;
  private long observedNanos;

  /** Written by {@link #advance} with release, read by {@link #millis} with acquire. */
  @SuppressWarnings("UnusedVariable") // accessed through MILLIS
  private long millis;

  /**
   * A clock at 0.
   *
   * @param nowNanos the monotonic time of the machine ({@link System#nanoTime})
   */
  public ObservedClock(long nowNanos) {
    this.lastNanos = nowNanos;
  }

  /**
   * Counts the time since the last call, at most {@link #MAX_STEP_MILLIS} of it. Only the heartbeat
   * loop may call it, after it has read what its sockets held.
   *
   * @param nowNanos the monotonic time of the machine ({@link System#nanoTime})
   * @return the new reading in milliseconds
   */
  public long advance(long nowNanos) {
    long elapsedNanos = Math.max(0, nowNanos - lastNanos);
    lastNanos = nowNanos;
    observedNanos += Math.min(elapsedNanos, MAX_STEP_NANOS);
    long reading = observedNanos / NANOS_PER_MILLI;
    // Release: pairs with the acquire in millis(). Who reads this step also sees the timestamps
    // that the heartbeat loop wrote before it.
    MILLIS.setRelease(this, reading);
    return reading;
  }

  /** The reading in milliseconds. Any thread may call it. */
  public long millis() {
    // Acquire: pairs with the release in advance().
    return (long) MILLIS.getAcquire(this);
  }
}
