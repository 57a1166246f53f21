package io.moonpool.master.metadata;

import io.moonpool.core.segment.SegmentChange;
import io.vertx.core.Future;
import java.util.List;

/** Who has to follow every change of every segment: all metadata loops together. */
public interface SegmentSubscriber {
  /**
   * Hands changes over. Call in the order in which they were made, always from the same loop.
   *
   * @return completes on the caller's context when every loop has applied them
   */
  Future<Void> apply(List<SegmentChange> changes);

  /**
   * Removes what is on a segment that a change before this call made UNMOUNTING.
   *
   * @return completes on the caller's context when nothing of it is left on any loop
   */
  Future<Void> sweep(int slot, long generation);
}
