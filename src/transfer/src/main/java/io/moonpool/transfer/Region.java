package io.moonpool.transfer;

import java.lang.foreign.MemorySegment;

/** A piece of memory outside the heap that transports may read and write. */
public interface Region extends AutoCloseable {
  /** The memory. Access after {@link #close()} throws. Any thread may use it. */
  MemorySegment memory();

  /** The page size that the kernel really uses for it, in bytes, as far as it tells. */
  long pageBytes();

  /**
   * Gives the memory back, in pieces. Blocks for up to a second per few GiB: never on an event
   * loop.
   */
  @Override
  void close();
}
