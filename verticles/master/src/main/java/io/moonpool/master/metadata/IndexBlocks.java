package io.moonpool.master.metadata;

import io.moonpool.core.index.IndexMemory;
import io.moonpool.libc.Mapping;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one loop's index: blocks on huge pages. While an index grows, the next block is
 * mapped and given its pages by a thread of its own, since that takes the kernel milliseconds. The
 * first block gets its pages as they are touched, so that a small index takes little.
 *
 * <p>The loop calls it.
 */
final class IndexBlocks implements IndexMemory {
  /** A few huge pages: some ten thousand objects. */
  static final long BLOCK_BYTES = 8L << 20;

  private final AtomicReference<@Nullable MemorySegment> prepared = new AtomicReference<>();
  private boolean growing;

  @Override
  public MemorySegment block(long bytes) {
    if (bytes > BLOCK_BYTES) {
      return Mapping.collected(bytes);
    }
    MemorySegment block = prepared.getAndSet(null);
    if (growing) {
      Thread.ofPlatform().name("moonpool-index-memory").daemon().start(this::prepare);
    }
    growing = true;
    return block == null ? Mapping.collected(BLOCK_BYTES) : block;
  }

  private void prepare() {
    MemorySegment block = Mapping.collected(BLOCK_BYTES);
    Mapping.populate(block);
    prepared.set(block);
  }
}
