package io.moonpool.master.metadata;

import io.moonpool.core.index.ShardMail;
import io.moonpool.core.segment.SegmentMount;

/** What one metadata loop needs of all of them. Any metadata loop may call. */
interface MetadataNeighbours {
  /** Takes mail to the loop that owns its shard. */
  void deliver(ShardMail letter);

  /** Hands on that there is something for the node of a disk to take. */
  void workFor(SegmentMount disk);

  /** Hands on that space became free on a segment that takes new objects. */
  void spaceCame();

  /** The calling loop has lanes of drain jobs from now on, or has none any more. */
  void lanesConcern(boolean concerned);

  /**
   * Bytes of all loops that are about to be free: somebody may still touch them, or a node is
   * copying them to its disk; a moment old.
   */
  long comingBytes();
}
