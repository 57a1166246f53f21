package io.moonpool.master.segment;

import io.moonpool.core.segment.SegmentEvent;
import java.util.List;
import java.util.UUID;

/** How drains change segments. On the control loop. */
@FunctionalInterface
public interface SegmentFlips {
  /**
   * Has an event of a drain happen to segments, and tells the metadata loops. Segments in whose
   * status it cannot happen stay as they are.
   *
   * @param event DRAIN, EMPTIED or RESUME
   */
  void flip(List<UUID> segmentIds, SegmentEvent event);
}
