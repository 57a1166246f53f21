package io.moonpool.master.metadata;

import io.moonpool.core.index.IndexStats;
import io.moonpool.master.MasterStats;
import java.util.List;

/**
 * What the metadata loops hold and did, added up.
 *
 * @param objects stored, unfinished writes included
 * @param index memory that the tables take outside of the heap
 * @param quarantinedBytes freed extents that somebody may still touch
 * @param evictedObjects objects that eviction took memory from
 * @param evictedBytes bytes that eviction freed
 * @param reapedWrites unfinished writes that timed out
 * @param offloads objects that are copied to disks
 * @param promotions objects that came back into memory, or did not
 */
public record MetadataStats(
    long objects,
    MasterStats.IndexFigures index,
    long quarantinedBytes,
    long evictedObjects,
    long evictedBytes,
    long reapedWrites,
    MasterStats.OffloadFigures offloads,
    MasterStats.PromotionFigures promotions) {
  /** The sum over all loops; from any thread. */
  static MetadataStats of(List<MetadataShards> owners) {
    long objects = 0;
    MasterStats.IndexFigures index = MasterStats.IndexFigures.NONE;
    long quarantined = 0;
    long evicted = 0;
    long evictedBytes = 0;
    long reaped = 0;
    MasterStats.OffloadFigures offloads = MasterStats.OffloadFigures.NONE;
    MasterStats.PromotionFigures promotions = MasterStats.PromotionFigures.NONE;
    for (MetadataShards owner : owners) {
      IndexStats stats = owner.index().stats();
      objects += stats.objects() + stats.writesInProgress();
      index =
          index.plus(
              new MasterStats.IndexFigures(
                  owner.index().tableBytes(), owner.index().usedTableBytes()));
      quarantined += stats.quarantinedBytes();
      evicted += stats.objectsEvicted();
      evictedBytes += stats.bytesEvicted();
      reaped += stats.writesReaped();
      offloads = offloads.plus(offloadsOf(stats));
      promotions = promotions.plus(promotionsOf(stats));
    }
    return new MetadataStats(
        objects, index, quarantined, evicted, evictedBytes, reaped, offloads, promotions);
  }

  private static MasterStats.OffloadFigures offloadsOf(IndexStats stats) {
    return new MasterStats.OffloadFigures(
        stats.offloadsWaiting(),
        stats.offloadsOpen(),
        stats.offloadsToRetry(),
        stats.offloadsRetried(),
        stats.offloadsStored(),
        stats.offloadsFailed());
  }

  private static MasterStats.PromotionFigures promotionsOf(IndexStats stats) {
    return new MasterStats.PromotionFigures(
        stats.promotionsWaiting(),
        stats.promotionsOpen(),
        stats.promotionCandidates(),
        stats.promotionsAdmitted(),
        stats.promotionsRare(),
        stats.promotionsMemoryFull(),
        stats.promotionsQueueFull(),
        stats.promotionsCompleted(),
        stats.promotedBytes(),
        stats.promotionsFailed(),
        stats.promotionsExpired(),
        stats.promotionsCancelled());
  }
}
