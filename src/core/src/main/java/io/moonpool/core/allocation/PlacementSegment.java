package io.moonpool.core.allocation;

/**
 * A mounted memory segment, as the segment owner lists it for {@link Placement}.
 *
 * @param allocator its space
 * @param name segments with the same name never hold two replicas of one object
 * @param hostId the physical host; empty when unknown
 * @param allocatable whether new objects may go there; extents come back either way
 */
public record PlacementSegment(
    SegmentAllocator allocator, String name, String hostId, boolean allocatable) {}
