package io.moonpool.master.loop;

import java.util.function.LongSupplier;

/**
 * The thread CPU time that divisible work may use in one pass of an event loop. There is one per
 * loop, shared by all of its sweeps and long batches: 24 of them together use no more than one
 * alone, and the sockets are polled in between.
 *
 * <p>Belongs to the loop's thread.
 */
public final class SliceBudget {
  /** The budget of a pass, in nanoseconds of thread CPU time. */
  public static final long SLICE_NANOS = 1_000_000;

  private final LongSupplier cpuNanos;
  private long pass = -1;
  private long usedNanos;
  private long startedNanos;
  private int depth;

  SliceBudget(LongSupplier cpuNanos) {
    this.cpuNanos = cpuNanos;
  }

  /**
   * A piece of divisible work begins. What earlier pieces of the same pass used counts; what other
   * handlers used in between does not. A piece that begins inside another one is part of it.
   *
   * @param currentPass the number of the loop's pass
   */
  void begin(long currentPass) {
    if (depth++ > 0) {
      return;
    }
    if (currentPass != pass) {
      pass = currentPass;
      usedNanos = 0;
    }
    startedNanos = cpuNanos.getAsLong();
  }

  /** The piece ends. */
  void end() {
    if (--depth > 0) {
      return;
    }
    usedNanos += cpuNanos.getAsLong() - startedNanos;
  }

  /**
   * True when the piece must stop and go on in the next pass. A system call: ask every 20 to 50
   * microseconds of work, not for each item.
   */
  public boolean exhausted() {
    return usedNanos + cpuNanos.getAsLong() - startedNanos >= SLICE_NANOS;
  }
}
