package io.moonpool.core.index;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where an index gets the memory of its tables, outside of the heap: there the collector has no
 * work with it and needs no room beside it, and whoever runs the index can put it on huge pages.
 *
 * <p>Called by the thread of the index.
 */
@FunctionalInterface
public interface IndexMemory {
  /** The alignment of blocks, in bytes: a cache line. */
  int ALIGNMENT = 64;

  /** How much {@link #ofProcess} gives at least, in bytes. */
  long SMALL_BLOCK = 1L << 20;

  /**
   * A block of zeros, aligned to {@link #ALIGNMENT}. It must stay for as long as the segment is
   * reachable, and no longer: the index keeps it until it is itself forgotten.
   *
   * @param bytes at least so many
   */
  MemorySegment block(long bytes);

  /** The process's ordinary memory, in small blocks: for tests, and for small indexes. */
  static IndexMemory ofProcess() {
    return bytes -> Arena.ofAuto().allocate(Math.max(bytes, SMALL_BLOCK), ALIGNMENT);
  }
}
