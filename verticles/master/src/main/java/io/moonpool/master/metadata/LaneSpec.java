package io.moonpool.master.metadata;

import io.moonpool.core.segment.SegmentMount;
import java.util.List;
import java.util.UUID;

/**
 * What a drain job empties.
 *
 * @param sources the segments to be emptied, which take no new replicas: memory first, disks last
 * @param targets memory segments that may take what is on them; empty for all
 * @param grantMillis how long the target of a unit may be written, at least 1
 */
public record LaneSpec(
    UUID job, List<SegmentMount> sources, List<SegmentMount> targets, long grantMillis) {
  /** Copies the lists. */
  public LaneSpec {
    sources = List.copyOf(sources);
    targets = List.copyOf(targets);
  }
}
