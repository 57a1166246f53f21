package io.moonpool.core.index;

import java.util.function.BooleanSupplier;

/**
 * Evicting objects from memory, those first whose lease ended first. Takes them from the front of
 * the orders, so it visits what it evicts, and one member of each group that it asks.
 */
final class Evictions {
  private final IndexCore core;

  Evictions(IndexCore core) {
    this.core = core;
  }

  Evicted evict(EvictionTier tier, long maxObjects, long maxBytes, BooleanSupplier mayContinue) {
    IndexStats stats = core.stats;
    long objectsBefore = stats.objectsEvicted;
    long bytesBefore = stats.bytesEvicted;
    boolean more = !expireSoftPins(mayContinue);
    while (!more
        && stats.objectsEvicted - objectsBefore < maxObjects
        && stats.bytesEvicted - bytesBefore < maxBytes
        && core.orders.firstLeaseEnd(tier) <= core.now()) {
      more = !mayContinue.getAsBoolean();
      if (!more) {
        Shard shard = core.orders.firstShard(tier);
        evictOrAsk(shard, core.orders.firstRow(shard, tier), tier);
        more = !core.groups.deliver(mayContinue);
      }
    }
    return new Evicted(
        stats.objectsEvicted - objectsBefore, stats.bytesEvicted - bytesBefore, more);
  }

  private void evictOrAsk(Shard shard, int row, EvictionTier tier) {
    if (shard.objects.has(row, ObjectRows.GROUPED)) {
      // Out of the way until the group has decided.
      core.orders.putOff(shard, row, core.now() + core.config.leaseTtlMillis());
      core.groups.askEviction(shard, row, tier);
    } else {
      evict(shard, row);
    }
  }

  /** Its group has decided that an object goes, unless something of its own stands against it. */
  void evictMember(Shard shard, int row, EvictionTier tier) {
    int flags = shard.objects.flags(row);
    boolean pinned =
        (flags & ObjectRows.HARD_PINNED) != 0
            || ((flags & ObjectRows.SOFT_PINNED) != 0 && tier == EvictionTier.UNPINNED);
    if (!pinned && shard.objects.protectionEnd(row) <= core.now()) {
      evict(shard, row);
    }
  }

  private void evict(Shard shard, int row) {
    ReplicaRows replicas = shard.replicas;
    long evicted = 0;
    for (int r = shard.objects.firstReplica(row); r != 0; ) {
      int next = replicas.nextOfObject(r);
      if (replicas.isEvictable(r)) {
        core.dropReplica(shard, r);
        evicted++;
      }
      r = next;
    }
    if (evicted > 0) {
      core.stats.objectsEvicted++;
      core.stats.replicasEvicted += evicted;
      core.stats.bytesEvicted += evicted * shard.objects.size(row);
      core.settle(shard, row);
    }
  }

  /** Un-pins objects whose soft pin has run out. Answers whether none is left of them. */
  boolean expireSoftPins(BooleanSupplier mayContinue) {
    SoftPins pins = core.softPins;
    while (pins.nextMillis() <= core.now()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      Shard shard = pins.firstShard();
      int row = pins.firstRow();
      core.orders.remove(shard, row);
      core.clearSoftPin(shard, row);
      core.orders.add(shard, row);
    }
    return true;
  }
}
