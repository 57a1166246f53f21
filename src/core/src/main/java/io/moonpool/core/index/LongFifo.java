package io.moonpool.core.index;

import java.util.ArrayDeque;

/**
 * A queue of longs in chunks: growth costs one chunk, and what was taken out is given back to the
 * heap chunk by chunk. Positions count all longs that were ever put in.
 */
final class LongFifo {
  private static final int CHUNK = 1024;

  private final ArrayDeque<long[]> chunks = new ArrayDeque<>();
  private long first;
  private long end;

  void add(long value) {
    int at = (int) (end % CHUNK);
    if (at == 0) {
      chunks.addLast(new long[CHUNK]);
    }
    chunks.getLast()[at] = value;
    end++;
  }

  /**
   * The value at an offset from the front. Values that are put in and taken out in records of a
   * fixed length, a power of two, are in the first chunk when the first of them is.
   */
  long peek(int offset) {
    return chunks.getFirst()[(int) (first % CHUNK) + offset];
  }

  /** Takes the first value; there must be one. */
  long poll() {
    long value = peek(0);
    first++;
    if (first % CHUNK == 0) {
      chunks.removeFirst();
    }
    return value;
  }

  boolean isEmpty() {
    return first == end;
  }

  long size() {
    return end - first;
  }

  /** The position of the next value that is taken. */
  long first() {
    return first;
  }

  /** The position that the next value gets. */
  long end() {
    return end;
  }
}
