package io.moonpool.protocol.call;

import io.moonpool.model.Checksum;
import io.moonpool.model.ReplicaDescriptor;
import java.util.List;

/**
 * Where a reader finds an object, under a lease.
 *
 * @param leaseMillis how long the locations are valid, counted by the reader from before its
 *     request
 * @param replicas readable ones, in stored order; at least one
 */
public record LocatedObject(
    long version,
    long size,
    long leaseMillis,
    Checksum checksum,
    List<ReplicaDescriptor> replicas) {}
