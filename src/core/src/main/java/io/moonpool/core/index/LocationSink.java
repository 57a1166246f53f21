package io.moonpool.core.index;

import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ReplicaType;

/**
 * Takes where an object is: {@link #object} once, then {@link #replica} for each replica that can
 * be read, in stored order, at least one. Called in the middle of {@link ObjectIndex#locate}: take
 * the values, do not call the index back.
 */
public interface LocationSink {
  /**
   * The object.
   *
   * @param size bytes
   * @param checksum as {@link io.moonpool.model.Checksum#value()}
   * @param blockChecksums as {@link io.moonpool.model.Checksum#blocks()}; do not write to it
   */
  void object(
      long version, long size, ChecksumKind checksumKind, long checksum, int[] blockChecksums);

  /**
   * A replica that is complete and whose node is heard from.
   *
   * @param id unique within the master's life
   * @param generation the mount generation of its segment
   * @param offset bytes from the start of the segment; 0 unless it is in memory
   */
  void replica(long id, ReplicaType type, long generation, long offset);
}
