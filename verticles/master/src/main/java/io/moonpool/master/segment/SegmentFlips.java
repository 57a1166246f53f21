package io.moonpool.master.segment;

import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.model.SegmentInfo;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The segments as drains see and change them. On the control loop. */
public interface SegmentFlips {
  /** All segments, in order of mounting. */
  List<SegmentInfo> list();

  /** The mounted segment of that id. */
  Optional<SegmentInfo> find(UUID segmentId);

  /** The mounted segment of that generation. */
  Optional<SegmentInfo> find(long generation);

  /**
   * The slot of a mount.
   *
   * @throws IllegalArgumentException when there is none of that generation
   */
  int slot(long generation);

  /**
   * Whether all that is on a segment is known: true for memory, for disks once they are scanned.
   */
  boolean scanned(long generation);

  /**
   * Has an event of a drain happen to segments, and tells the metadata loops. Segments in whose
   * status it cannot happen stay as they are.
   *
   * @param event DRAIN, EMPTIED or RESUME
   */
  void flip(List<UUID> segmentIds, SegmentEvent event);
}
