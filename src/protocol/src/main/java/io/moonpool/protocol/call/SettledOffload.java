package io.moonpool.protocol.call;

/**
 * How an {@link OffloadTask} ended.
 *
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 * @param replicaId of the replica in memory that was read
 * @param stored the object is on disk, and stays there through a power cut
 */
public record SettledOffload(
    String tenant, byte[] key, long version, long replicaId, boolean stored) {}
