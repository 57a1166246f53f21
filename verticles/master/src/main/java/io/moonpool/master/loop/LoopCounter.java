package io.moonpool.master.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A counter that one event loop counts and any thread reads: no lock, no contended write. */
public final class LoopCounter {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(LoopCounter.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long value;

  /** Adds; only on the loop that owns the counter. */
  public void add(long amount) {
    // Opaque pairs with the opaque read in get(): whole values, seen in time; nothing else is
    // ordered by it. The plain read is of the only writer's own value.
    VALUE.setOpaque(this, value + amount);
  }

  /** Adds one; only on the loop that owns the counter. */
  public void increment() {
    add(1);
  }

  /** What was counted; from any thread, maybe a moment old. */
  public long get() {
    return (long) VALUE.getOpaque(this);
  }
}
