package io.moonpool.node.disk;

import io.vertx.core.Future;

/** What is on this node's disk, for the node itself. Any context; futures complete on it. */
@FunctionalInterface
public interface DiskValues {
  /**
   * Reads a value into staging memory and hands it on: as a whole when it has at most 16 MiB, else
   * in pieces. A whole value is checked against the store's checksum before it is handed on, one in
   * pieces after its last one: nothing that was handed on may be used before this completes.
   *
   * @param generation of the disk's mount
   * @param version of the object
   * @param size of the value in bytes, at least 1
   * @param giveUpNanos {@link System#nanoTime()} until which to wait for staging memory
   * @return fails as the sink does, or with REPLICA_IS_GONE when the disk is not mounted under that
   *     generation; OBJECT_NOT_FOUND when it does not hold that version;
   *     UNAVAILABLE_IN_CURRENT_STATUS when there was no staging memory in time; FILE_NOT_FOUND,
   *     FILE_OPEN_FAIL, FILE_READ_FAIL or CHECKSUM_MISMATCH when the value cannot be read as it was
   *     written
   */
  Future<Void> read(long generation, long version, long size, long giveUpNanos, PieceSink sink);
}
