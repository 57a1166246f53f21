package io.moonpool.core.index;

import io.moonpool.model.ReplicaType;
import java.util.List;
import java.util.UUID;

/** Takes what a start of a copy or move answers. Must not call the index back. */
@FunctionalInterface
public interface TransferSink {
  /**
   * A transfer was started.
   *
   * @param task whose it is
   * @param object key, version, size, checksum, pins and group; valid during the call
   * @param source the replica that is read
   * @param targets the replicas that are written; empty when every target has one already
   */
  void started(UUID task, ObjectView object, Source source, List<TransferTarget> targets);

  /**
   * The replica that a transfer reads.
   *
   * @param replicaId of the replica
   * @param type MEMORY or LOCAL_DISK
   * @param slot of its segment
   * @param generation of its segment's mount
   * @param offset bytes from the start of a memory segment; 0 on disk
   */
  record Source(long replicaId, ReplicaType type, int slot, long generation, long offset) {}
}
