package io.moonpool.master.metadata;

import io.moonpool.core.segment.SegmentMount;

/** Hears that there is something for the node of a disk to take, after there was nothing. */
@FunctionalInterface
public interface DiskWorkListener {
  /** Called on a metadata loop: hand it on, and return at once. */
  void workFor(SegmentMount disk);
}
