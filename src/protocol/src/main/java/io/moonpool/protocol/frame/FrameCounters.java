package io.moonpool.protocol.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters of one server or client. One thread, its event loop, counts; any thread may read, and
 * sees values that are never torn and lag by moments at most.
 */
@SuppressWarnings("EnumOrdinal") // an index in memory, never stored or sent
public final class FrameCounters {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Empty cache lines before and after, so that neighbours on the heap are not slowed down. */
  private static final int PADDING = 16;

  private final long[] values = new long[FrameCounter.values().length + 2 * PADDING];

  /** Counters that are all zero. */
  public FrameCounters() {}

  /** The value now; any thread. */
  public long get(FrameCounter counter) {
    // Opaque pairs with the store of add: no tearing, no ordering, eventually visible.
    return (long) LONGS.getOpaque(values, PADDING + counter.ordinal());
  }

  /** Adds; only the owning event loop. */
  void add(FrameCounter counter, long amount) {
    int at = PADDING + counter.ordinal();
    // A plain read is enough: this thread is the only writer.
    LONGS.setOpaque(values, at, values[at] + amount);
  }
}
