package io.moonpool.core.index;

import java.util.function.IntToLongFunction;

/**
 * The orders that rows are kept in: writes in progress by the end of their grant, objects that may
 * be evicted by the end of their lease, those with a soft pin apart. Within each shard the order is
 * a {@link LeaseOrder}; a {@link HeadHeap} for each kind finds the shard that is first.
 *
 * <p>Which order a row belongs in follows from its flags and replicas. So it is taken out before
 * these change, and put back after.
 */
final class Orders {
  private final Shard[] shards;
  private final IndexStats stats;
  private final HeadHeap writeHeads;
  private final HeadHeap unpinnedHeads;
  private final HeadHeap softPinnedHeads;
  private final IntToLongFunction writeKeys;
  private final IntToLongFunction unpinnedKeys;
  private final IntToLongFunction softPinnedKeys;

  Orders(Shard[] shards, IndexStats stats) {
    this.shards = shards;
    this.stats = stats;
    writeHeads = new HeadHeap(shards.length);
    unpinnedHeads = new HeadHeap(shards.length);
    softPinnedHeads = new HeadHeap(shards.length);
    writeKeys = index -> shards[index].writes.firstKey();
    unpinnedKeys = index -> shards[index].unpinned.firstKey();
    softPinnedKeys = index -> shards[index].softPinned.firstKey();
  }

  /** When the first write's grant ends; {@link LeaseOrder#EMPTY} when there is none. */
  long firstGrantEnd() {
    return writeHeads.settle(writeKeys);
  }

  /** The shard whose write's grant ends first, as {@link #firstGrantEnd} has found it. */
  Shard firstWriteShard() {
    return shards[writeHeads.top()];
  }

  /** When the first lease of the objects that may be evicted ends. */
  long firstLeaseEnd(EvictionTier tier) {
    return tier == EvictionTier.UNPINNED
        ? unpinnedHeads.settle(unpinnedKeys)
        : softPinnedHeads.settle(softPinnedKeys);
  }

  /** The shard of the object whose lease ends first, as {@link #firstLeaseEnd} has found it. */
  Shard firstShard(EvictionTier tier) {
    return shards[(tier == EvictionTier.UNPINNED ? unpinnedHeads : softPinnedHeads).top()];
  }

  /** The row in that shard whose lease ends first. */
  int firstRow(Shard shard, EvictionTier tier) {
    return (tier == EvictionTier.UNPINNED ? shard.unpinned : shard.softPinned).first();
  }

  /** Puts a row that is in no order where it belongs, if anywhere. */
  void add(Shard shard, int row) {
    if (!belongs(shard, row)) {
      return;
    }
    long key = shard.objects.protectionEnd(row);
    int flags = shard.objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      shard.writes.add(row);
      writeHeads.lower(shard.index, key);
    } else if ((flags & ObjectRows.SOFT_PINNED) == 0) {
      shard.unpinned.add(row);
      unpinnedHeads.lower(shard.index, key);
      stats.unpinned++;
    } else {
      shard.softPinned.add(row);
      softPinnedHeads.lower(shard.index, key);
      stats.softPinnedEvictable++;
    }
  }

  /** Takes a row out of its order, if it is in one. */
  void remove(Shard shard, int row) {
    if (shard.objects.place(row) == LeaseOrder.NOWHERE) {
      return;
    }
    int flags = shard.objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      shard.writes.remove(row);
    } else if ((flags & ObjectRows.SOFT_PINNED) == 0) {
      shard.unpinned.remove(row);
      stats.unpinned--;
    } else {
      shard.softPinned.remove(row);
      stats.softPinnedEvictable--;
    }
  }

  /** After a replica came, went or changed: puts the row in its order or takes it out. */
  void update(Shard shard, int row) {
    boolean ordered = shard.objects.place(row) != LeaseOrder.NOWHERE;
    if (ordered == belongs(shard, row)) {
      return;
    }
    if (ordered) {
      remove(shard, row);
    } else {
      add(shard, row);
    }
  }

  /** Sets the protection end of an object, which must not be before the one that it has. */
  void extend(Shard shard, int row, long endMillis) {
    ObjectRows objects = shard.objects;
    if (objects.place(row) == LeaseOrder.NOWHERE) {
      objects.protectionEnd(row, endMillis);
      return;
    }
    LeaseOrder order = objects.has(row, ObjectRows.SOFT_PINNED) ? shard.softPinned : shard.unpinned;
    order.remove(row);
    objects.protectionEnd(row, endMillis);
    order.add(row);
  }

  /** Puts an object that may be evicted at another place than its lease would. */
  void putOff(Shard shard, int row, long untilMillis) {
    ObjectRows objects = shard.objects;
    if (objects.place(row) == LeaseOrder.NOWHERE) {
      return;
    }
    boolean softPinned = objects.has(row, ObjectRows.SOFT_PINNED);
    LeaseOrder order = softPinned ? shard.softPinned : shard.unpinned;
    order.remove(row);
    long key = Math.max(untilMillis, objects.protectionEnd(row));
    order.addAt(row, key);
    (softPinned ? softPinnedHeads : unpinnedHeads).lower(shard.index, key);
  }

  /** Writes in progress belong in an order, objects only while they have something to evict. */
  private boolean belongs(Shard shard, int row) {
    int flags = shard.objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      return true;
    }
    if ((flags & ObjectRows.HARD_PINNED) != 0) {
      return false;
    }
    for (int r = shard.objects.firstReplica(row); r != 0; r = shard.replicas.nextOfObject(r)) {
      if (shard.replicas.isEvictable(r)) {
        return true;
      }
    }
    return false;
  }
}
