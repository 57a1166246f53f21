package io.moonpool.model;

import java.util.List;
import java.util.UUID;

/**
 * A segment as its node announces it.
 *
 * @param id chosen by the node, the key of the segment while it is mounted
 * @param name for people and for preferred placement; need not be unique
 * @param size bytes that the pool may use
 * @param hostId the physical host, for local-first placement; empty when unknown
 * @param endpoints how to reach its memory, best first; for a disk, how to ask its node to stage
 *     what is on it
 * @param kind what it is made of
 */
public record SegmentSpec(
    UUID id,
    String name,
    long size,
    String hostId,
    List<SegmentEndpoint> endpoints,
    SegmentKind kind) {
  /** Copies the list. */
  public SegmentSpec {
    endpoints = List.copyOf(endpoints);
  }

  /** Which clients can write and read it. One without endpoints is taken for Moonpool's own. */
  public Reach reach() {
    boolean mooncake = false;
    boolean moonpool = endpoints.isEmpty();
    boolean tcp = false;
    for (SegmentEndpoint endpoint : endpoints) {
      boolean foreign = endpoint.transport().equals(SegmentEndpoint.MOONCAKE);
      mooncake |= foreign;
      moonpool |= !foreign;
      MooncakeEndpoint read = MooncakeEndpoint.of(endpoint);
      tcp |= read != null && read.isTcp();
    }
    if (mooncake && moonpool) {
      return Reach.BOTH;
    }
    if (mooncake) {
      return tcp ? Reach.MOONCAKE_TCP : Reach.MOONCAKE;
    }
    return Reach.MOONPOOL;
  }

  /** A memory segment. */
  public static SegmentSpec memory(
      UUID id, String name, long size, String hostId, List<SegmentEndpoint> endpoints) {
    return new SegmentSpec(id, name, size, hostId, endpoints, SegmentKind.MEMORY);
  }
}
