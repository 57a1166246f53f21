package io.moonpool.model;

import java.util.List;
import java.util.OptionalLong;

/**
 * How a put or upsert wants its object stored.
 *
 * @param replicaNum memory replicas wanted, at least 1; fewer are accepted when fewer distinct
 *     segments have room (best effort, never none)
 * @param softPinAction what happens to the soft pin when the write completes
 * @param softPinTtlMillis TTL for {@link SoftPinAction#ENABLE}; empty takes the master's default; 0
 *     un-pins
 * @param hardPin never evict the object
 * @param preferredSegments segment names tried in this order before the allocation strategy
 * @param preferAllocInSameNode in a batch, the first key's segment becomes the preferred one of the
 *     rest
 * @param dataType a classification, used by no policy
 * @param hostId the writer's physical host, for local-first placement; empty when unknown
 * @param groupIds empty for no groups, else one group id per key of the batch, an empty string
 *     meaning none
 */
public record ReplicateConfig(
    int replicaNum,
    SoftPinAction softPinAction,
    OptionalLong softPinTtlMillis,
    boolean hardPin,
    List<String> preferredSegments,
    boolean preferAllocInSameNode,
    ObjectDataType dataType,
    String hostId,
    List<String> groupIds) {

  /** One replica, no pin, no preference, no group. */
  public static final ReplicateConfig DEFAULT =
      new ReplicateConfig(
          1,
          SoftPinAction.PRESERVE,
          OptionalLong.empty(),
          false,
          List.of(),
          false,
          ObjectDataType.UNKNOWN,
          "",
          List.of());

  /** Copies the lists. */
  public ReplicateConfig {
    preferredSegments = List.copyOf(preferredSegments);
    groupIds = List.copyOf(groupIds);
  }

  /** This configuration with another number of replicas. */
  public ReplicateConfig withReplicaNum(int replicas) {
    return new ReplicateConfig(
        replicas,
        softPinAction,
        softPinTtlMillis,
        hardPin,
        preferredSegments,
        preferAllocInSameNode,
        dataType,
        hostId,
        groupIds);
  }

  /** This configuration with other preferred segments. */
  public ReplicateConfig withPreferredSegments(List<String> segments) {
    return new ReplicateConfig(
        replicaNum,
        softPinAction,
        softPinTtlMillis,
        hardPin,
        segments,
        preferAllocInSameNode,
        dataType,
        hostId,
        groupIds);
  }
}
