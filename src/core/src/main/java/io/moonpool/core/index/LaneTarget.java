package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;

/**
 * A segment that units of a drain may go to, and what it has room for at one moment.
 *
 * @param segment its mount
 * @param freeBytes that are not allocated in it
 * @param roomBytes of these, what a drain may use: all where the node has a disk, and what is below
 *     the high watermark where it has none
 * @param makesRoom whether eviction makes room there for what a drain brings
 */
public record LaneTarget(SegmentMount segment, long freeBytes, long roomBytes, boolean makesRoom) {}
