package io.moonpool.master.metadata;

import io.moonpool.core.allocation.PoolUsage;
import io.moonpool.core.index.Evicted;
import io.moonpool.core.index.EvictionTier;
import io.moonpool.core.index.IndexStats;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.loop.StepBudget;
import java.util.function.LongSupplier;

/**
 * Evicts objects of one loop from memory when the pool passes the high watermark, or when a write
 * found no space. Every loop takes its share: the same fraction of what its objects hold.
 *
 * <p>Space of evicted objects may have to wait until nobody can touch it. It counts as freed for
 * the decision to evict more, or each look would evict again for space that is on its way.
 *
 * <p>One eviction at a time, as a sweep: soft-pinned objects go only when unpinned ones do not make
 * half of the goal.
 */
final class Evictor {
  private final MasterConfig config;
  private final MetadataShards shards;
  private final PoolUsage usage;
  private final SpaceNeed need;

  /** Bytes of all loops that come back: evicted and in quarantine, or being offloaded for that. */
  private final LongSupplier returningBytes;

  private final StepBudget budget = new StepBudget();
  private boolean running;
  private long seenNeeds;

  private EvictionTier tier = EvictionTier.UNPINNED;
  private long goalBytes;
  private long softGoalBytes;
  private long evictedBytes;

  Evictor(
      MasterConfig config,
      MetadataShards shards,
      PoolUsage usage,
      SpaceNeed need,
      LongSupplier returningBytes) {
    this.config = config;
    this.shards = shards;
    this.usage = usage;
    this.need = need;
    this.returningBytes = returningBytes;
  }

  /**
   * A write of this loop found no space although eviction could make some.
   *
   * @return false when nothing is evicted for writes
   */
  boolean spaceNeeded() {
    if (config.evictionRatio() == 0) {
      return false;
    }
    need.signal();
    look();
    return true;
  }

  /** Looks whether there is something to evict; called every few milliseconds, and when needed. */
  void look() {
    if (running) {
      return;
    }
    long needs = need.signals();
    boolean needed = needs != seenNeeds;
    seenNeeds = needs;
    long capacity = usage.capacityBytes();
    if (capacity == 0) {
      return;
    }
    double held = (double) (usage.usedBytes() - returningBytes.getAsLong()) / capacity;
    double excess = held - config.evictionHighWatermark();
    if (excess <= 0 && !needed) {
      return;
    }
    long own = shards.index().stats().memoryReplicaBytes();
    double share = Math.max(0, excess) + config.evictionRatio();
    long goal = (long) Math.ceil(Math.min(1, share) * own);
    IndexStats stats = shards.index().stats();
    if (excess <= 0 && stats.quarantinedBytes() + stats.offloadDeferredBytes() >= goal) {
      // What the last eviction freed for these writes is on its way.
      return;
    }
    start(goal);
  }

  private void start(long goal) {
    running = true;
    tier = EvictionTier.UNPINNED;
    goalBytes = Math.max(1, goal);
    softGoalBytes = config.allowEvictSoftPinned() ? (goalBytes + 1) / 2 : 0;
    evictedBytes = 0;
    shards.index().beginEviction();
    shards
        .loop()
        .sweeps()
        .start(this::step)
        .onComplete(
            done -> {
              running = false;
              shards.space().tryAgain();
            });
  }

  private boolean step() {
    ObjectIndex index = shards.index();
    long goal = tier == EvictionTier.UNPINNED ? goalBytes : softGoalBytes;
    Evicted evicted =
        index.evict(
            tier,
            Long.MAX_VALUE,
            Math.max(1, goal - evictedBytes),
            shards.nowMillis(),
            budget.start());
    evictedBytes += evicted.bytes() + evicted.deferredBytes();
    if (evicted.more()) {
      return true;
    }
    if (tier == EvictionTier.UNPINNED && evictedBytes < softGoalBytes) {
      tier = EvictionTier.SOFT_PINNED;
      return true;
    }
    return false;
  }
}
