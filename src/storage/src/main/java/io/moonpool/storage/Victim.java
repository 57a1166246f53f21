package io.moonpool.storage;

import java.util.List;

/**
 * A bucket that may go.
 *
 * @param bucketId for the calls that evict it
 * @param bytes what its files take
 * @param live its objects that are not dead: the master is told of them before they go
 */
public record Victim(long bucketId, long bytes, List<ObjectRecord> live) {}
