package io.moonpool.storage.bucket;

import java.util.Arrays;

/** A growing array of longs. One thread. */
public final class LongArray {
  private long[] values = new long[8];
  private int size;

  /** Adds a value at the end. */
  public void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.multiplyExact(size, 2));
    }
    values[size++] = value;
  }

  /** The value at an index from 0 on. */
  public long get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return values[index];
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** Takes all out. */
  public void clear() {
    size = 0;
  }

  /** Sorts them, so that {@link #containsSorted} works. */
  public void sort() {
    Arrays.sort(values, 0, size);
  }

  /** True when the sorted values contain this one. */
  public boolean containsSorted(long value) {
    return Arrays.binarySearch(values, 0, size, value) >= 0;
  }
}
