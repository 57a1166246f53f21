package io.moonpool.protocol.mooncake;

import java.util.List;
import java.util.OptionalLong;

/**
 * Where an object can be read.
 *
 * @param leaseMillis how long the replicas stay where they are
 * @param checksum the writer's own, if it gave one
 */
public record ReplicaList(List<Replica> replicas, long leaseMillis, OptionalLong checksum) {
  /** Copies the list. */
  public ReplicaList {
    replicas = List.copyOf(replicas);
  }
}
