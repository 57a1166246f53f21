package io.moonpool.core.floor;

import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * A queue of longs in chunks: growth costs one chunk, and what was taken out is given back to the
 * heap chunk by chunk. Positions count all longs that were ever put in.
 */
public final class LongFifo {
  private static final int CHUNK = 1024;

  private final ArrayDeque<long[]> chunks = new ArrayDeque<>();
  private long first;
  private long end;

  /** Puts a value at the end. */
  public void add(long value) {
    int at = (int) (end % CHUNK);
    if (at == 0) {
      chunks.addLast(new long[CHUNK]);
    }
    chunks.getLast()[at] = value;
    end++;
  }

  /** The value at an offset of less than a thousand from the front; there must be one. */
  public long peek(int offset) {
    int at = (int) (first % CHUNK) + offset;
    if (at < CHUNK) {
      return chunks.getFirst()[at];
    }
    Iterator<long[]> second = chunks.iterator();
    second.next();
    return second.next()[at - CHUNK];
  }

  /** Takes the first value; there must be one. */
  public long poll() {
    long value = peek(0);
    first++;
    if (first % CHUNK == 0) {
      chunks.removeFirst();
    }
    return value;
  }

  /** True when there is nothing to take. */
  public boolean isEmpty() {
    return first == end;
  }

  /** How many values there are. */
  public long size() {
    return end - first;
  }

  /** Visits all values, in pairs, in order. */
  public void forEachPair(FloorMap.Visitor visitor) {
    long at = first;
    for (long[] chunk : chunks) {
      long stop = Math.min(end, at - at % CHUNK + CHUNK);
      for (; at < stop; at += 2) {
        visitor.floor(chunk[(int) (at % CHUNK)], chunk[(int) (at % CHUNK) + 1]);
      }
    }
  }

  /** The position of the next value that is taken. */
  public long first() {
    return first;
  }

  /** The position that the next value gets. */
  public long end() {
    return end;
  }
}
