package io.moonpool.master.metadata;

/**
 * What the metadata loops hold and did, added up.
 *
 * @param objects stored, unfinished writes included
 * @param quarantinedBytes freed extents that somebody may still touch
 * @param evictedObjects objects that eviction took memory from
 * @param evictedBytes bytes that eviction freed
 * @param reapedWrites unfinished writes that timed out
 */
public record MetadataStats(
    long objects,
    long quarantinedBytes,
    long evictedObjects,
    long evictedBytes,
    long reapedWrites) {}
