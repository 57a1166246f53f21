package io.moonpool.master.metadata;

/**
 * A unit of a drain job: the replica of an object on a source segment.
 *
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 * @param sourceGeneration of the segment's mount
 * @param replicaId of the replica
 */
public record UnitRef(String tenant, byte[] key, long sourceGeneration, long replicaId) {}
