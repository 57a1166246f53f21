package io.moonpool.node.disk;

import io.moonpool.model.Outcome;
import java.lang.foreign.MemorySegment;

/** Where staged values come from: the disk. */
interface ValueSource {
  /** Answered by {@link #size} when the value is not there. */
  long ABSENT = -1;

  /** The bytes of the value of a version, or {@link #ABSENT}. Never blocks; any thread. */
  long size(long version);

  /**
   * The bytes of memory that reading a part of a value needs, at most. Never blocks; any thread.
   *
   * @param offset bytes from the start of the value
   * @param length bytes to be read
   */
  long blockBytes(long offset, long length);

  /**
   * Reads a part of a value. Blocks: for a worker, any number at a time.
   *
   * @param block aligned memory of {@link #blockBytes}
   * @return where in the block the part begins, in bytes; FILE_READ_FAIL, FILE_NOT_FOUND,
   *     CHECKSUM_MISMATCH
   */
  Outcome<Long> read(long version, long offset, long length, MemorySegment block);

  /** Like {@link #read}, but damage that is found is told to nobody else. */
  Outcome<Long> readUnreported(long version, long offset, long length, MemorySegment block);

  /**
   * Whether a value that was read in parts is the one that was written. Never blocks; any thread.
   *
   * @param crc of the whole value, by {@link io.moonpool.storage.PiecewiseCrc}
   */
  boolean matches(long version, int crc);
}
