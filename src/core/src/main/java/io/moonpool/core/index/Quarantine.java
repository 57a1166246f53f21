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
  private static final int OFFSET = 0;
  private static final int SIZE = 1;
  private static final int GENERATION = 2;
  private static final int SLOT_AND_NODE = 3;

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
    word(row, OFFSET, offsetUnits);
    word(row, SIZE, size);
    word(row, GENERATION, generation);
    word(row, SLOT_AND_NODE, ((long) slot << 32) | (node & 0xffff_ffffL));
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
    long offsetUnits = word(row, OFFSET);
    long size = word(row, SIZE);
    long generation = word(row, GENERATION);
    int slot = (int) (word(row, SLOT_AND_NODE) >>> 32);
    int node = (int) word(row, SLOT_AND_NODE);
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
