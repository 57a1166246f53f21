package io.moonpool.core.index;

import java.util.function.BooleanSupplier;

/**
 * Evicting objects from memory, those first whose lease ended first. Takes them from the front of
 * their order, so it visits what it evicts, and one member of each group that it asks.
 */
final class Evictions {
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;

  Evictions(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
  }

  Evicted evict(EvictionTier tier, long maxObjects, long maxBytes, BooleanSupplier mayContinue) {
    IndexStats stats = core.stats;
    long objectsBefore = stats.objectsEvicted;
    long bytesBefore = stats.bytesEvicted;
    LeaseOrder order = core.orders.of(tier);
    boolean more = !expireSoftPins(mayContinue);
    while (!more
        && stats.objectsEvicted - objectsBefore < maxObjects
        && stats.bytesEvicted - bytesBefore < maxBytes
        && order.firstKey() <= core.now()) {
      more = !mayContinue.getAsBoolean();
      if (!more) {
        evictOrAsk(order.first(), tier);
        more = !core.groups.deliver(mayContinue);
      }
    }
    return new Evicted(
        stats.objectsEvicted - objectsBefore, stats.bytesEvicted - bytesBefore, more);
  }

  private void evictOrAsk(int row, EvictionTier tier) {
    if (objects.has(row, ObjectRows.GROUPED)) {
      // Out of the way until the group has decided.
      core.orders.putOff(row, core.now() + core.config.leaseTtlMillis());
      core.groups.askEviction(row, tier);
    } else {
      evict(row);
    }
  }

  /** Its group has decided that an object goes, unless something of its own stands against it. */
  void evictMember(int row, EvictionTier tier) {
    int flags = objects.flags(row);
    boolean pinned =
        (flags & ObjectRows.HARD_PINNED) != 0
            || ((flags & ObjectRows.SOFT_PINNED) != 0 && tier == EvictionTier.UNPINNED);
    if (!pinned && objects.protectionEnd(row) <= core.now()) {
      evict(row);
    }
  }

  private void evict(int row) {
    long evicted = 0;
    for (int r = objects.firstReplica(row); r != 0; ) {
      int next = replicas.nextOfObject(r);
      if (replicas.isEvictable(r)) {
        core.dropReplica(r);
        evicted++;
      }
      r = next;
    }
    if (evicted > 0) {
      core.stats.objectsEvicted++;
      core.stats.replicasEvicted += evicted;
      core.stats.bytesEvicted += evicted * objects.size(row);
      core.settle(row);
    }
  }

  /** Un-pins objects whose soft pin has run out. Answers whether none is left of them. */
  boolean expireSoftPins(BooleanSupplier mayContinue) {
    SoftPins pins = core.softPins;
    while (pins.nextMillis() <= core.now()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      int row = pins.first();
      core.orders.remove(row);
      core.clearSoftPin(row);
      core.orders.add(row);
    }
    return true;
  }
}
