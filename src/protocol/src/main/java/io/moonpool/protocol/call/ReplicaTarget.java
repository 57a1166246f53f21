package io.moonpool.protocol.call;

/**
 * A replica that a {@link ReplicaTask} writes.
 *
 * @param replicaId of the replica in memory that the master reserved
 * @param generation of the memory segment's mount
 * @param offset bytes from the start of the memory segment
 */
public record ReplicaTarget(long replicaId, long generation, long offset) {}
