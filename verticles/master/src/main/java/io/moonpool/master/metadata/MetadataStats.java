package io.moonpool.master.metadata;

import io.moonpool.master.MasterStats;

/**
 * What the metadata loops hold and did, added up.
 *
 * @param objects stored, unfinished writes included
 * @param quarantinedBytes freed extents that somebody may still touch
 * @param evictedObjects objects that eviction took memory from
 * @param evictedBytes bytes that eviction freed
 * @param reapedWrites unfinished writes that timed out
 * @param offloads objects that are copied to disks
 * @param promotions objects that came back into memory, or did not
 */
public record MetadataStats(
    long objects,
    long quarantinedBytes,
    long evictedObjects,
    long evictedBytes,
    long reapedWrites,
    MasterStats.OffloadFigures offloads,
    MasterStats.PromotionFigures promotions) {}
