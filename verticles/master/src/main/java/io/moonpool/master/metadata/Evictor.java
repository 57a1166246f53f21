package io.moonpool.master.metadata;

import io.moonpool.core.allocation.PoolUsage;
import io.moonpool.core.index.Evicted;
import io.moonpool.core.index.EvictionTier;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.loop.StepBudget;
import java.util.function.LongSupplier;

/**
 * Evicts objects of one loop from memory when the pool passes the high watermark, or when a write
 * found no space. Every loop takes its share: the same fraction of what its objects hold on
 * segments that take new objects, since room elsewhere helps nobody. So the loop that sees first
 * that the pool is too full calls the others.
 *
 * <p>Space of evicted objects may have to wait until nobody can touch it, or until a node has
 * copied it to its disk. It counts as freed for the decision to evict more, or each look would
 * evict again for space that is on its way.
 *
 * <p>One eviction at a time, as a sweep: soft-pinned objects go only when unpinned ones do not make
 * half of the goal. An eviction that misses its goal while nodes copy objects to their disks goes
 * on at each look with those that have got there, until the goal is met, space came otherwise, or
 * no copy is under way any more. Soft-pinned objects are spared that long, but not for more than
 * {@value #SPARE_MILLIS} ms.
 */
final class Evictor {
  private static final long SPARE_MILLIS = 200;

  private final MasterConfig config;
  private final MetadataShards shards;
  private final PoolUsage usage;
  private final SpaceNeed need;

  /** Bytes of all loops that are about to be free. */
  private final LongSupplier comingBytes;

  private final StepBudget budget = new StepBudget();
  private boolean running;
  private long seenNeeds;
  private long seenRound;

  /** Bytes of this loop that nodes copy to their disks before they go; read by other loops. */
  private long deferredBytes;

  private EvictionTier tier = EvictionTier.UNPINNED;
  private long goalBytes;
  private long softGoalBytes;
  private long evictedBytes;

  /** The goal is missed, and copies are under way that may help. */
  private boolean unfinished;

  private long spareUntilMillis;

  /** What the pool may hold when the eviction has done its part, as a share of its capacity. */
  private double target;

  Evictor(
      MasterConfig config,
      MetadataShards shards,
      PoolUsage usage,
      SpaceNeed need,
      LongSupplier comingBytes) {
    this.config = config;
    this.shards = shards;
    this.usage = usage;
    this.need = need;
    this.comingBytes = comingBytes;
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

  /** Bytes of this loop that are about to be free. Other loops read a value of a moment ago. */
  long comingBytes() {
    return shards.index().stats().quarantinedBytes() + deferredBytes;
  }

  /** Looks whether there is something to evict; called every few milliseconds, and when needed. */
  void look() {
    if (running) {
      return;
    }
    if (config.evictionRatio() > 0 && shards.index().lanes().needSpace()) {
      need.signal(); // units of a drain wait for space as writes do
    }
    long needs = need.signals();
    boolean needed = needs != seenNeeds;
    seenNeeds = needs;
    deferredBytes = shards.index().deferredBytes();
    long capacity = usage.capacityBytes();
    if (capacity == 0) {
      return;
    }
    double held = held(capacity);
    double excess = held - config.evictionHighWatermark();
    SpaceNeed.Round round = need.round();
    boolean called = round.number() != seenRound;
    seenRound = round.number();
    if (unfinished && held > target) {
      run();
      return;
    }
    unfinished = false;
    if (excess > 0 && !called) {
      double share = excess + config.evictionRatio();
      need.begin(share, held - share, shards.nowMillis());
      round = need.round();
      called = round.number() != seenRound;
      seenRound = round.number();
    }
    if (called) {
      target = round.target();
      startRound(round);
    } else if (needed) {
      evictForWrites(held);
    }
  }

  private double held(long capacity) {
    return (double) (usage.usedBytes() - comingBytes.getAsLong()) / capacity;
  }

  /** Whether the pool is filled below the watermark from which on it is evicted from. */
  boolean hasRoom() {
    long capacity = usage.capacityBytes();
    return capacity > 0 && held(capacity) < config.evictionHighWatermark();
  }

  private void evictForWrites(double held) {
    long goal = goal(config.evictionRatio());
    if (comingBytes() < goal) { // else what the last eviction freed for them is on its way
      target = held - config.evictionRatio();
      start(goal);
    }
  }

  private long goal(double share) {
    return (long) Math.ceil(Math.min(1, share) * shards.index().allocatableBytes());
  }

  private void startRound(SpaceNeed.Round round) {
    long replicas = shards.index().allocatableReplicas();
    long objects = round.claim(replicas);
    if (objects > 0) {
      start((long) ((double) shards.index().allocatableBytes() / replicas * objects));
    }
  }

  private void start(long goal) {
    tier = EvictionTier.UNPINNED;
    goalBytes = Math.max(1, goal);
    softGoalBytes = config.allowEvictSoftPinned() ? (goalBytes + 1) / 2 : 0;
    evictedBytes = 0;
    spareUntilMillis = shards.nowMillis() + SPARE_MILLIS;
    shards.index().beginEviction();
    run();
  }

  private void run() {
    running = true;
    tier = EvictionTier.UNPINNED;
    shards
        .loop()
        .sweeps()
        .start(this::step)
        .onComplete(
            done -> {
              running = false;
              unfinished = evictedBytes < goalBytes && shards.index().offloadsUnderWay() > 0;
              deferredBytes = shards.index().deferredBytes();
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
    if (tier == EvictionTier.UNPINNED && evictedBytes < softGoalBytes && !spared()) {
      tier = EvictionTier.SOFT_PINNED;
      return true;
    }
    return false;
  }

  /** Whether soft-pinned objects stay for the moment, since copies that are under way may do. */
  private boolean spared() {
    return shards.index().offloadsUnderWay() > 0 && shards.nowMillis() < spareUntilMillis;
  }
}
