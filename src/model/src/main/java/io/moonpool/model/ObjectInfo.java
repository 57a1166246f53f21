package io.moonpool.model;

import java.util.List;

/**
 * An object as an administrator sees it; looking does not lease it.
 *
 * @param size bytes
 * @param version unique per write of the key
 * @param leaseRemainingMillis 0 when no lease is live
 * @param softPinRemainingMillis 0 when no soft pin is live
 * @param group the group id, or empty
 */
public record ObjectInfo(
    String tenant,
    String key,
    long size,
    long version,
    Checksum checksum,
    long leaseRemainingMillis,
    long softPinRemainingMillis,
    boolean hardPinned,
    ObjectDataType dataType,
    String group,
    List<ReplicaDescriptor> replicas) {
  /** Copies the list. */
  public ObjectInfo {
    replicas = List.copyOf(replicas);
  }
}
