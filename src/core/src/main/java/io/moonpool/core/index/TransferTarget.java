package io.moonpool.core.index;

/**
 * A replica that a transfer writes.
 *
 * @param replicaId of the replica
 * @param generation of the memory segment's mount
 * @param offset bytes from the start of the memory segment
 */
public record TransferTarget(long replicaId, long generation, long offset) {}
