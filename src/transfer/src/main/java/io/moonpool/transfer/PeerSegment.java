package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import java.util.List;
import java.util.UUID;

/**
 * A segment of some process and all the ways to reach it.
 *
 * @param generation the mount generation; the owner refuses any other
 * @param size bytes; transfers outside are refused before anything is sent
 * @param endpoints one a transport, as the owner announced them
 */
public record PeerSegment(
    UUID segmentId, long generation, long size, List<SegmentEndpoint> endpoints) {
  /** Copies the list. */
  public PeerSegment {
    endpoints = List.copyOf(endpoints);
  }

  /** The segment as the master describes it. */
  public static PeerSegment of(SegmentInfo info) {
    return new PeerSegment(
        info.spec().id(), info.generation(), info.spec().size(), info.spec().endpoints());
  }

  /** The segment through one of its endpoints. */
  RemoteSegment through(SegmentEndpoint endpoint) {
    return new RemoteSegment(segmentId, generation, size, endpoint);
  }
}
