package io.moonpool.master;

import io.moonpool.core.allocation.ExtentMemory;
import io.moonpool.libc.Mapping;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The memory of all allocators' tables: blocks of one huge page, from which each takes its chunks.
 * A block goes when no table that has a chunk of it is left.
 *
 * <p>Any thread calls it, without waiting for another one.
 */
final class ExtentBlocks implements ExtentMemory {
  private static final long BLOCK_BYTES = 2L << 20;

  private record Block(MemorySegment memory, AtomicLong used) {}

  private final AtomicReference<@Nullable Block> current = new AtomicReference<>();

  @Override
  public MemorySegment chunk(long bytes) {
    long whole = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    if (whole > BLOCK_BYTES) {
      return Mapping.collected(bytes);
    }
    while (true) {
      Block block = current.get();
      long from = block == null ? BLOCK_BYTES : block.used.getAndAdd(whole);
      if (block != null && from + whole <= BLOCK_BYTES) {
        return block.memory.asSlice(from, bytes);
      }
      // Of several threads that find it used up one makes the next block; it costs no pages yet.
      Block next = new Block(Mapping.collected(BLOCK_BYTES), new AtomicLong());
      current.compareAndSet(block, next);
    }
  }
}
