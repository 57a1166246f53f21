package io.moonpool.protocol.mooncake;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a put or upsert wants its object stored.
 *
 * @param memoryReplicas wanted
 * @param nofReplicas wanted on remote NVMe namespaces
 * @param dfsReplicas wanted on a distributed file system
 * @param softPinAction the number of a {@link io.moonpool.model.SoftPinAction}
 * @param softPinTtlMillis goes with ENABLE only
 * @param preferredSegments names, tried in this order
 * @param preferredSegment an older way to name one; replaces the others when it is not empty
 * @param sameNode whether all objects of a batch should be on one node
 * @param dataType the number of a {@link io.moonpool.model.ObjectDataType}, or of a later one
 * @param hostId the writer's physical host; empty when unknown
 * @param groupIds one per key
 */
public record WriteConfig(
    long memoryReplicas,
    long nofReplicas,
    long dfsReplicas,
    int softPinAction,
    OptionalLong softPinTtlMillis,
    boolean hardPin,
    List<String> preferredSegments,
    String preferredSegment,
    List<String> preferredNofSegments,
    boolean sameNode,
    int dataType,
    String hostId,
    Optional<List<String>> groupIds) {
  /** Copies the lists. */
  public WriteConfig {
    preferredSegments = List.copyOf(preferredSegments);
    preferredNofSegments = List.copyOf(preferredNofSegments);
  }
}
