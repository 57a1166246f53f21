package io.moonpool.core.allocation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where allocators get the memory of their tables of extents, outside of the heap.
 *
 * <p>Any thread calls it, under the lock of an allocator: it must not wait.
 */
@FunctionalInterface
public interface ExtentMemory {
  /** The alignment of chunks, in bytes: a cache line. */
  int ALIGNMENT = 64;

  /**
   * A chunk of zeros, aligned to {@link #ALIGNMENT}. It must stay for as long as the segment is
   * reachable.
   *
   * @param bytes some ten thousand
   */
  MemorySegment chunk(long bytes);

  /**
   * The process's ordinary memory, for tests and small pools: the JVM counts it as that of direct
   * buffers, which may take as much as the largest heap.
   */
  static ExtentMemory ofProcess() {
    return bytes -> Arena.ofAuto().allocate(bytes, ALIGNMENT);
  }
}
