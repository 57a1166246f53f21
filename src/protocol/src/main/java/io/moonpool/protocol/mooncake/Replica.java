package io.moonpool.protocol.mooncake;

/**
 * One replica of an object.
 *
 * @param status the number of a {@link io.moonpool.model.ReplicaStatus}
 */
public record Replica(long id, Place place, int status) {}
