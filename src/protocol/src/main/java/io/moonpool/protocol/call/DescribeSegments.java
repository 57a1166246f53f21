package io.moonpool.protocol.call;

/**
 * Asks what is behind the generations in locations.
 *
 * @param generations empty for all segments
 */
public record DescribeSegments(long[] generations) {}
