package io.moonpool.transfer;

import java.lang.foreign.MemorySegment;

/**
 * A piece of memory outside the heap that transports may read and write. Allocate it with {@link
 * Transports#allocate}, so that every configured transport can use it, or as an {@link
 * AnonymousRegion} when it is only a local buffer.
 */
public interface Region extends AutoCloseable {
  /** The memory. Access after {@link #close()} throws. Any thread may use it. */
  MemorySegment memory();

  /** The page size that the kernel really uses for it, in bytes, as far as it tells. */
  long pageBytes();

  /**
   * Gives the memory back, in pieces. Blocks for up to a second per few GiB: never on an event
   * loop. A second call does nothing.
   *
   * @throws IllegalStateException while it is registered as a segment
   */
  @Override
  void close();
}
