package io.moonpool.protocol.call;

/**
 * An object that its node is to write to disk from its own memory.
 *
 * @param replicaId of the replica in memory that is read
 * @param sourceGeneration of the memory segment's mount
 * @param sourceOffset bytes from the start of the memory segment
 * @param holdMillis how long the bytes stay where they are, whatever happens, since it was handed
 *     out, see {@link DiskWork#waitedMillis}
 */
public record OffloadTask(
    DiskObject object, long replicaId, long sourceGeneration, long sourceOffset, long holdMillis) {}
