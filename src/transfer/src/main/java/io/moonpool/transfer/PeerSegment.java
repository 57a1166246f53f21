package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A segment of some process and all the ways to reach it. Immutable; whoever transfers often keeps
 * it, since it remembers what its endpoints say.
 */
public final class PeerSegment {
  private final UUID segmentId;
  private final long generation;
  private final long size;
  private final List<SegmentEndpoint> endpoints;
  private final List<RemoteSegment> ways;
  private final boolean foreign;

  /**
   * A segment.
   *
   * @param generation the mount generation; the owner refuses any other
   * @param size bytes; transfers outside are refused before anything is sent
   * @param endpoints one a transport, as the owner announced them
   */
  public PeerSegment(UUID segmentId, long generation, long size, List<SegmentEndpoint> endpoints) {
    this.segmentId = segmentId;
    this.generation = generation;
    this.size = size;
    this.endpoints = List.copyOf(endpoints);
    List<RemoteSegment> through = new ArrayList<>(endpoints.size());
    for (SegmentEndpoint endpoint : endpoints) {
      through.add(new RemoteSegment(segmentId, generation, size, endpoint));
    }
    this.ways = through;
    this.foreign =
        !endpoints.isEmpty()
            && endpoints.stream()
                .allMatch(each -> each.transport().equals(SegmentEndpoint.MOONCAKE));
  }

  /** The segment as the master describes it. */
  public static PeerSegment of(SegmentInfo info) {
    return new PeerSegment(
        info.spec().id(), info.generation(), info.spec().size(), info.spec().endpoints());
  }

  /** The segment's id. */
  public UUID segmentId() {
    return segmentId;
  }

  /** The mount generation. */
  public long generation() {
    return generation;
  }

  /** Its size in bytes. */
  public long size() {
    return size;
  }

  /** The ways to reach it, as the owner announced them. */
  public List<SegmentEndpoint> endpoints() {
    return endpoints;
  }

  /** True when a client of Mooncake lends it. */
  boolean foreign() {
    return foreign;
  }

  /** The segment through a transport; null when its owner does not offer that. */
  @Nullable RemoteSegment through(String transport) {
    for (RemoteSegment way : ways) {
      if (way.endpoint().transport().equals(transport)) {
        return way;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return "segment " + segmentId + " of generation " + generation;
  }
}
