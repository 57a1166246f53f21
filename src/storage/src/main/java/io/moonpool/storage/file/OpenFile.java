package io.moonpool.storage.file;

import java.lang.foreign.MemorySegment;

/**
 * An open file. Reads and writes take a position, so that several threads may read at once; a
 * direct file wants memory, positions and lengths in multiples of 4,096 bytes.
 */
public interface OpenFile extends AutoCloseable {
  /**
   * Reads until the segment is full or the file ends.
   *
   * @return bytes read; fewer than the segment has only at the end of the file
   */
  long read(MemorySegment into, long position) throws FileException;

  /** Writes the whole segment. */
  void write(MemorySegment from, long position) throws FileException;

  /** Reserves space, so that writing it does not fail for want of space later. */
  void reserve(long position, long length) throws FileException;

  /** Makes what was written durable. After a failure nothing is known about any of it. */
  void sync() throws FileException;

  /** Lets the page cache forget what is on disk already. */
  void dropCache();

  /** The size in bytes. */
  long size() throws FileException;

  /** True when reads and writes bypass the page cache. */
  boolean direct();

  /** Closes; never fails, since nothing can be done about it. */
  @Override
  void close();
}
