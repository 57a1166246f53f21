package io.moonpool.core.index;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;

/**
 * Gives the writers of stored objects small numbers, so that an object remembers its writer in 16
 * bits. A number is free again when no object names the writer any more.
 *
 * <p>Number 0 means that the writer is not known: that happens only while more than 65,535 writers
 * have objects in one loop. Then any client that knows a write's version may end or revoke it.
 */
final class Writers {
  /** The writer is not known. */
  static final int UNKNOWN = 0;

  private static final int MAX_NUMBER = 0xffff;

  /** The first number of the writers whose ids hash alike; {@link #next} links the others. */
  private final Long2IntOpenHashMap firstByHash = new Long2IntOpenHashMap();

  private long[] high = new long[16];
  private long[] low = new long[16];
  private int[] next = new int[16];
  private int[] uses = new int[16];
  private int limit = 1;
  private int free;

  private static long hash(long high, long low) {
    return high * 0x9E37_79B9_7F4A_7C15L ^ low;
  }

  /** The number of a writer, counting one more use of it. */
  int acquire(long writerHigh, long writerLow) {
    int number = find(writerHigh, writerLow);
    if (number == UNKNOWN) {
      number = add(writerHigh, writerLow);
    }
    if (number != UNKNOWN) {
      uses[number]++;
    }
    return number;
  }

  private int find(long writerHigh, long writerLow) {
    int number = firstByHash.get(hash(writerHigh, writerLow));
    while (number != UNKNOWN && (high[number] != writerHigh || low[number] != writerLow)) {
      number = next[number];
    }
    return number;
  }

  private int add(long writerHigh, long writerLow) {
    int number = free;
    if (number != UNKNOWN) {
      free = next[number];
    } else if (limit <= MAX_NUMBER) {
      number = limit++;
      if (number == high.length) {
        high = Arrays.copyOf(high, number * 2);
        low = Arrays.copyOf(low, number * 2);
        next = Arrays.copyOf(next, number * 2);
        uses = Arrays.copyOf(uses, number * 2);
      }
    } else {
      return UNKNOWN;
    }
    high[number] = writerHigh;
    low[number] = writerLow;
    next[number] = firstByHash.put(hash(writerHigh, writerLow), number);
    return number;
  }

  /** Counts one use less. */
  void release(int number) {
    if (number == UNKNOWN || --uses[number] > 0) {
      return;
    }
    long hash = hash(high[number], low[number]);
    int at = firstByHash.get(hash);
    if (at == number) {
      if (next[number] == UNKNOWN) {
        firstByHash.remove(hash);
      } else {
        firstByHash.put(hash, next[number]);
      }
    } else {
      while (next[at] != number) {
        at = next[at];
      }
      next[at] = next[number];
    }
    next[number] = free;
    free = number;
  }

  /** True when the number is that writer's, or not known. */
  boolean is(int number, long writerHigh, long writerLow) {
    return number == UNKNOWN || (high[number] == writerHigh && low[number] == writerLow);
  }
}
