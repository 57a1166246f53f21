package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;

/**
 * Eviction for a lane whose targets are named: only from these, and only what a disk has anyway, so
 * that nothing is lost and nobody else gives anything up. It looks at what is on the targets in
 * turn, what came last first: that is what the drain itself has brought and offloaded since.
 *
 * <p>One call looks at a bounded number of objects, and the next one goes on behind them.
 */
final class TargetEviction {
  /** Objects that are looked at for one unit. */
  private static final int MAX_LOOKS = 256;

  private final IndexCore core;
  private final ObjectRows objects;
  private final Int2ObjectOpenHashMap<Slots.Walk> walks = new Int2ObjectOpenHashMap<>();
  private int looks;
  private long freed;

  TargetEviction(IndexCore core) {
    this.core = core;
    objects = core.objects;
  }

  /** Frees at least so many bytes on one of these slots if it can; answers whether it did. */
  boolean free(int[] slots, long bytes) {
    looks = 0;
    for (int slot : slots) {
      freed = 0;
      if (core.rehoming.hasStayingDisk(slot) && free(slot, bytes)) {
        return true;
      }
    }
    return false;
  }

  private boolean free(int slot, long bytes) {
    Slots.Walk walk = walks.get(slot);
    if (walk == null || walk.replica() == 0) {
      end(slot);
      walk = core.slots.walk(slot, core.segments.generation(slot));
      walks.put(slot, walk);
    }
    walk.step(() -> freed < bytes && looks++ < MAX_LOOKS, this::evict);
    return freed >= bytes;
  }

  private void evict(int replica) {
    int row = core.replicas.object(replica);
    int kept =
        ObjectRows.HARD_PINNED | ObjectRows.SOFT_PINNED | ObjectRows.GROUPED | ObjectRows.UPSERTING;
    if ((objects.flags(row) & kept) == 0
        && objects.has(row, ObjectRows.COMPLETE)
        && objects.protectionEnd(row) <= core.now()
        && core.replicas.isEvictable(replica)
        && core.rehoming.isOnStayingDisk(row)) {
      freed += objects.size(row);
      core.stats.objectsEvicted++;
      core.stats.replicasEvicted++;
      core.stats.bytesEvicted += objects.size(row);
      core.dropReplica(replica);
      core.settle(row);
    }
  }

  private void end(int slot) {
    Slots.Walk walk = walks.remove(slot);
    if (walk != null) {
      walk.end();
    }
  }

  /** Must be called when it is not used any more. */
  void close() {
    walks.values().forEach(Slots.Walk::end);
    walks.clear();
  }
}
