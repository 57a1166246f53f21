package io.moonpool.core.index;

import java.util.Arrays;

/**
 * Extents that nobody owns any more but somebody may still touch: a reader under a lease, a writer
 * under its grant. They wait here until the time at which that ends, and are then freed.
 *
 * <p>A binary heap by that time. Waiting extents are rows of four longs (offset, size, generation,
 * slot and node).
 */
final class Quarantine extends Rows {
  private static final int WORDS = 4;

  private int[] heapRows = new int[16];
  private long[] heapKeys = new long[16];
  private int heapSize;
  private long bytes;

  Quarantine(TableMemory memory) {
    super(memory, WORDS);
  }

  /** Keeps an extent until that time. */
  void add(long releaseMillis, int slot, long generation, long offsetUnits, long size, int node) {
    int row = allocate();
    long at = address(row);
    TableMemory.putLong(at, offsetUnits);
    TableMemory.putLong(at + 8, size);
    TableMemory.putLong(at + 16, generation);
    TableMemory.putInt(at + 24, slot);
    TableMemory.putInt(at + 28, node);
    bytes += size;
    if (heapSize == heapRows.length) {
      heapRows = Arrays.copyOf(heapRows, heapSize * 2);
      heapKeys = Arrays.copyOf(heapKeys, heapSize * 2);
    }
    int hole = heapSize++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (heapKeys[parent] <= releaseMillis) {
        break;
      }
      heapRows[hole] = heapRows[parent];
      heapKeys[hole] = heapKeys[parent];
      hole = parent;
    }
    heapRows[hole] = row;
    heapKeys[hole] = releaseMillis;
  }

  /** When the first extent may be freed, in milliseconds, or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    return heapSize == 0 ? Long.MAX_VALUE : heapKeys[0];
  }

  /** Takes an extent that may be freed; see {@link IndexEffects#free}. */
  @FunctionalInterface
  interface Release {
    void free(int slot, long generation, long offsetUnits, long size, int node);
  }

  /** Frees the first extent. There must be one. */
  void releaseFirst(Release to) {
    int row = heapRows[0];
    int last = heapRows[--heapSize];
    long key = heapKeys[heapSize];
    int hole = 0;
    for (int child = 1; child < heapSize; child = 2 * hole + 1) {
      if (child + 1 < heapSize && heapKeys[child + 1] < heapKeys[child]) {
        child++;
      }
      if (heapKeys[child] >= key) {
        break;
      }
      heapRows[hole] = heapRows[child];
      heapKeys[hole] = heapKeys[child];
      hole = child;
    }
    heapRows[hole] = last;
    heapKeys[hole] = key;
    long at = address(row);
    long offsetUnits = TableMemory.getLong(at);
    long size = TableMemory.getLong(at + 8);
    long generation = TableMemory.getLong(at + 16);
    int slot = TableMemory.getInt(at + 24);
    int node = TableMemory.getInt(at + 28);
    release(row);
    bytes -= size;
    to.free(slot, generation, offsetUnits, size, node);
  }

  /** How many extents wait. */
  int count() {
    return heapSize;
  }

  /** How many bytes wait. */
  long waitingBytes() {
    return bytes;
  }
}
