package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;

/**
 * Eviction for a lane whose targets are named: only from these, and only what a disk has anyway, so
 * that nothing is lost and nobody else gives anything up. It looks at what is on the targets in
 * turn, what came last first: that is what the drain itself has brought and offloaded since.
 *
 * <p>One call looks at a bounded number of objects, and the next one goes on behind them. When it
 * has not freed enough, {@link #againAtMillis} tells when another one may: at once as long as not
 * all that is there has been looked at, then when the first protection ends, of a lease say, that
 * was in the way.
 */
final class TargetEviction {
  /** Objects that are looked at for one unit. */
  private static final int MAX_LOOKS = 256;

  private final IndexCore core;
  private final ObjectRows objects;
  private final Int2ObjectOpenHashMap<Slots.Walk> walks = new Int2ObjectOpenHashMap<>();
  private int looks;
  private long freed;

  /** Objects that were looked at since enough was freed last, or since all had been. */
  private long lookedInVain;

  /** The first end of a protection among these. */
  private long firstEndMillis = Long.MAX_VALUE;

  private long againAtMillis = Long.MAX_VALUE;

  TargetEviction(IndexCore core) {
    this.core = core;
    objects = core.objects;
  }

  /** Frees at least so many bytes on one of these slots if it can; answers whether it did. */
  boolean free(int[] slots, long bytes) {
    looks = 0;
    againAtMillis = Long.MAX_VALUE;
    long there = 0;
    for (int slot : slots) {
      freed = 0;
      if (!core.rehoming.hasStayingDisk(slot)) {
        continue;
      }
      there += core.slots.replicas(slot, core.segments.generation(slot));
      if (free(slot, bytes)) {
        forget();
        return true;
      }
    }
    lookedInVain += looks;
    if (looks > 0 && lookedInVain < there) {
      againAtMillis = core.now();
    } else {
      againAtMillis = firstEndMillis;
      forget();
    }
    return false;
  }

  private void forget() {
    lookedInVain = 0;
    firstEndMillis = Long.MAX_VALUE;
  }

  /** When to try again after a call that did not free enough; {@link Long#MAX_VALUE}: no time. */
  long againAtMillis() {
    return againAtMillis;
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
        && core.replicas.isEvictable(replica)
        && core.rehoming.isOnStayingDisk(row)) {
      if (objects.protectionEnd(row) > core.now()) {
        firstEndMillis = Math.min(firstEndMillis, objects.protectionEnd(row));
        return;
      }
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
