package io.moonpool.master.segment;

import io.moonpool.model.SegmentInfo;
import java.util.UUID;

/**
 * Who empties segments, and so wants to know what becomes of them: the drains. On the control loop;
 * each call returns at once.
 */
public interface SegmentHolder {
  /** Whether a segment that is being mounted takes no new objects, but is to be emptied. */
  boolean holds(UUID segmentId);

  /** A segment is mounted; the metadata loops are being told. */
  void mounted(SegmentInfo segment);

  /**
   * A segment is about to go, with what is on it. The metadata loops are told afterwards, so what
   * they are asked for now still sees it.
   */
  void leaving(SegmentInfo segment);

  /** A node became SUSPECTED, or is ACTIVE again. */
  void nodeHeard(UUID node, boolean isHeard);

  /** An incarnation of a node is gone, and its segments with it. */
  void nodeGone(UUID node);

  /** All that was on a disk is known to the metadata loops. */
  void scanned(SegmentInfo disk);
}
