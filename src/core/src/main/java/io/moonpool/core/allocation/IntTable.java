package io.moonpool.core.allocation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Rows of ints outside of the heap, where the collector neither looks at them nor needs room beside
 * them. Rows live in chunks of {@value #CHUNK_ROWS}, chunks in leaves, leaves in a root: growing by
 * one chunk touches at most one chunk and one leaf, however many rows there are, and nothing is
 * ever copied. The memory goes with the table, when the collector finds it unreachable.
 *
 * <p>Access is checked: a row that is not there is an exception. Not thread-safe but for what its
 * users say.
 */
final class IntTable {
  static final int CHUNK_ROWS = 1024;

  /** The most rows that a table may have. */
  static final int MAX_ROWS = 1 << 28;

  private static final int CHUNK_BITS = 10;
  private static final int LEAF_BITS = 9;
  private static final int LEAF_CHUNKS = 1 << LEAF_BITS;
  private static final int ROOT_LEAVES = MAX_ROWS >>> (CHUNK_BITS + LEAF_BITS);

  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private final MemorySegment[] @Nullable [] root = new MemorySegment[ROOT_LEAVES][];
  private final ExtentMemory memory;
  private final int rowBytes;
  private int chunks;

  /**
   * An empty table.
   *
   * @param columns ints of a row
   */
  IntTable(ExtentMemory memory, int columns) {
    this.memory = memory;
    rowBytes = columns * Integer.BYTES;
  }

  /** Adds a chunk of rows whose ints are all 0. */
  void addChunk() {
    int leaf = chunks >>> LEAF_BITS;
    MemorySegment[] segments = root[leaf];
    if (segments == null) {
      segments = new MemorySegment[LEAF_CHUNKS];
      root[leaf] = segments;
    }
    segments[chunks & (LEAF_CHUNKS - 1)] = memory.chunk((long) CHUNK_ROWS * rowBytes);
    chunks++;
  }

  /** How many rows there are. */
  int rows() {
    return chunks << CHUNK_BITS;
  }

  /** What the rows take, in bytes. */
  long bytes() {
    return (long) rows() * rowBytes;
  }

  /** Whether there is such a row, as far as the calling thread can see. */
  boolean has(int row) {
    if (row < 0 || row >= MAX_ROWS) {
      return false;
    }
    MemorySegment[] segments = root[row >>> (CHUNK_BITS + LEAF_BITS)];
    return segments != null && segments[(row >>> CHUNK_BITS) & (LEAF_CHUNKS - 1)] != null;
  }

  @SuppressWarnings("NullAway") // A row that is not there is a bug, and an exception.
  private MemorySegment chunk(int row) {
    return root[row >>> (CHUNK_BITS + LEAF_BITS)][(row >>> CHUNK_BITS) & (LEAF_CHUNKS - 1)];
  }

  private long at(int row, int column) {
    return (long) (row & (CHUNK_ROWS - 1)) * rowBytes + (long) column * Integer.BYTES;
  }

  int get(int row, int column) {
    return chunk(row).get(ValueLayout.JAVA_INT, at(row, column));
  }

  void set(int row, int column, int value) {
    chunk(row).set(ValueLayout.JAVA_INT, at(row, column), value);
  }

  /** Sets an int if it is as expected: of several threads that try, one succeeds. */
  boolean compareAndSet(int row, int column, int expected, int value) {
    return INT.compareAndSet(chunk(row), at(row, column), expected, value);
  }
}
