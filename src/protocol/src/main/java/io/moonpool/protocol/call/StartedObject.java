package io.moonpool.protocol.call;

import io.moonpool.model.ReplicaDescriptor;
import java.util.List;

/**
 * A write that may go on.
 *
 * @param version names this write; the end or revoke call gives it back
 * @param replicas where the bytes go; at least one
 */
public record StartedObject(long version, List<ReplicaDescriptor> replicas) {}
