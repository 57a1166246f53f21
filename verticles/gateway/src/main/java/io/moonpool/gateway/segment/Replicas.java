package io.moonpool.gateway.segment;

import io.moonpool.master.segment.SegmentDirectory;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.protocol.mooncake.Place;
import io.moonpool.protocol.mooncake.Replica;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells Mooncake's clients where replicas are. Replicas that they cannot reach are left out: those
 * in memory without an address of theirs, and those on disks of Moonpool's nodes. Any loop.
 */
public final class Replicas {
  private final SegmentAddresses addresses;
  private final DiskEndpoints disks;

  /** Tells what these addresses say. */
  public Replicas(SegmentDirectory directory, DiskEndpoints disks) {
    this.addresses = new SegmentAddresses(directory);
    this.disks = disks;
  }

  /** Those replicas that Mooncake's clients can reach, in their order. */
  public List<Replica> reachable(List<ReplicaDescriptor> replicas) {
    if (replicas.size() == 1) {
      Replica only = of(replicas.getFirst());
      return only == null ? List.of() : List.of(only);
    }
    List<Replica> reachable = new ArrayList<>(replicas.size());
    for (ReplicaDescriptor replica : replicas) {
      Replica told = of(replica);
      if (told != null) {
        reachable.add(told);
      }
    }
    return reachable;
  }

  private @Nullable Replica of(ReplicaDescriptor replica) {
    return switch (replica.type()) {
      case MEMORY ->
          memory(
              replica.id(),
              replica.generation(),
              replica.offset(),
              replica.size(),
              replica.status());
      case LOCAL_DISK -> onDisk(replica);
      default -> null;
    };
  }

  /** A replica in memory, or null when it cannot be reached. */
  public @Nullable Replica memory(
      long id, long generation, long offset, long size, ReplicaStatus status) {
    MooncakeEndpoint endpoint = addresses.find(generation);
    return endpoint == null
        ? null
        : new Replica(
            id,
            new Place.Memory(
                size, endpoint.base() + offset, endpoint.protocol(), endpoint.endpoint()),
            status.number());
  }

  private @Nullable Replica onDisk(ReplicaDescriptor replica) {
    DiskEndpoints.Disk disk = disks.find(replica.generation());
    return disk == null
        ? null
        : new Replica(
            replica.id(),
            new Place.LocalDisk(disk.client(), replica.size(), disk.endpoint()),
            replica.status().number());
  }
}
