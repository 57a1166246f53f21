package io.moonpool.node;

import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentSpec;
import io.moonpool.transfer.Region;
import java.util.ArrayList;
import java.util.List;

/**
 * A segment that this node lends.
 *
 * @param spec as it is announced to clients of Moonpool
 * @param region its memory
 */
record LentSegment(SegmentSpec spec, Region region) {

  /** As it is announced when there is another way to reach it. */
  SegmentSpec with(SegmentEndpoint another) {
    List<SegmentEndpoint> endpoints = new ArrayList<>(spec.endpoints());
    endpoints.add(another);
    return SegmentSpec.memory(spec.id(), spec.name(), spec.size(), spec.hostId(), endpoints);
  }
}
