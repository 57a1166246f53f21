package io.moonpool.core.segment;

/**
 * One mount of a segment.
 *
 * @param slot the segment's place in the tables
 * @param generation never used again
 */
public record SegmentMount(int slot, long generation) {}
