package io.moonpool.core.allocation;

/**
 * A mounted memory segment, as the segment owner lists it for {@link Placement}.
 *
 * @param allocator its space
 * @param name segments with the same name never hold two replicas of one object
 * @param hostId the physical host; empty when unknown
 * @param allocatable whether new objects may go there; extents come back either way
 * @param weight how willingly it takes new objects, above 0 and at most 1: a segment of weight 1/4
 *     gets a quarter of what it would get with 1, as long as others have room
 */
public record PlacementSegment(
    SegmentAllocator allocator, String name, String hostId, boolean allocatable, double weight) {
  /** Checks the weight. */
  public PlacementSegment {
    if (!(weight > 0 && weight <= 1)) {
      throw new IllegalArgumentException("a weight is above 0 and at most 1, not " + weight);
    }
  }

  /** A segment that takes its whole share. */
  public PlacementSegment(
      SegmentAllocator allocator, String name, String hostId, boolean allocatable) {
    this(allocator, name, hostId, allocatable, 1);
  }
}
