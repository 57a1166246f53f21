package io.moonpool.client;

import io.moonpool.model.Checksum;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;

/**
 * One version of one object, opened for reading piece by piece. Every read is checked against the
 * writer's checksum; when the lease has run out between two reads it is renewed. Any thread may
 * read, and several reads may be under way at once. There is nothing to close.
 */
public interface ObjectReader {
  /** The object's key. */
  String key();

  /** The object's size in bytes. */
  long size();

  /** The version that is read; unique per write of the key. */
  long version();

  /** What the writer said about the bytes. */
  Checksum checksum();

  /**
   * Reads {@code target.byteSize()} bytes from an offset. Pieces that start and end at multiples of
   * {@link Checksum#BLOCK_BYTES} (or at the end of the object) cost nothing extra; of others the
   * whole blocks around them are read to check them.
   *
   * <p>The target must stay untouched until the future completes, and its content is undefined
   * after a failure. Fails with INVALID_PARAMS when the range is not inside the object,
   * INVALID_VERSION when the object was replaced since it was opened and its lease has run out,
   * OBJECT_NOT_FOUND when it was removed since, or the last replica's failure.
   */
  Future<Void> read(long offset, MemorySegment target);
}
