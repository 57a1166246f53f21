package io.moonpool.core.index;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Evicting objects from memory, those first whose lease ended first. Takes them from the front of
 * their order, so it visits what it evicts, and one member of each group that it asks.
 */
final class Evictions {
  /**
   * So many objects are read ahead: as many reads as a processor has under way at once, and a small
   * part of a step.
   */
  private static final int READ_AHEAD = 16;

  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final OffloadPolicy policy;
  private final Preload preload;

  /** The objects that are evicted next, most likely. */
  private final int[] upcoming = new int[READ_AHEAD];

  /** How many of these have not had their turn, and the order that they are of. */
  private int ahead;

  private @Nullable EvictionTier aheadIn;

  /** Objects that were queued for offload, and their bytes. */
  private long deferred;

  private long deferredBytes;
  private long queuedInCycle;

  Evictions(IndexCore core) {
    this.core = core;
    policy = core.config.offload();
    objects = core.objects;
    replicas = core.replicas;
    preload = new Preload(core);
  }

  Evicted evict(EvictionTier tier, long maxObjects, long maxBytes, BooleanSupplier mayContinue) {
    IndexStats stats = core.stats;
    long objectsBefore = stats.objectsEvicted;
    long bytesBefore = stats.bytesEvicted;
    long deferredBefore = deferred;
    long deferredBytesBefore = deferredBytes;
    LeaseOrder order = core.orders.of(tier);
    boolean more = !expireSoftPins(mayContinue);
    while (!more
        && stats.objectsEvicted - objectsBefore + deferred - deferredBefore < maxObjects
        && stats.bytesEvicted - bytesBefore + deferredBytes - deferredBytesBefore < maxBytes
        && order.firstKey() <= core.now()) {
      more = !mayContinue.getAsBoolean();
      if (!more) {
        readAhead(tier, order, maxObjects);
        evictOrAsk(order.first(), tier);
        more = !core.groups.deliver(mayContinue);
      }
    }
    return new Evicted(
        stats.objectsEvicted - objectsBefore,
        stats.bytesEvicted - bytesBefore,
        deferredBytes - deferredBytesBefore,
        more);
  }

  /**
   * Reads ahead what comes next, unless an earlier step has. Steps are short: the objects that one
   * has read ahead are most of what the next one evicts.
   */
  private void readAhead(EvictionTier tier, LeaseOrder order, long maxObjects) {
    if (ahead == 0 || tier != aheadIn) {
      ahead = order.firstRows(upcoming, (int) Math.min(READ_AHEAD, maxObjects));
      aheadIn = tier;
      preload.runRemovals(upcoming, ahead);
    }
    ahead = Math.max(0, ahead - 1);
  }

  /** A new eviction begins: what it may queue for offload is counted anew. */
  void beginCycle() {
    queuedInCycle = 0;
    ahead = 0;
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
    if (offloadsFirst(row) && !offload(row)) {
      // It cannot be offloaded now and is not to be lost: it stays, out of the way for a while.
      putOff(row);
      return;
    }
    long evicted = 0;
    for (int r = replicas.first(row); r != 0; ) {
      int next = replicas.nextOfObject(r);
      if (isEvictable(r)) {
        core.dropReplica(r);
        evicted++;
      }
      r = next;
    }
    if (evicted > 0) {
      core.stats.objectsEvicted++;
      core.stats.replicasEvicted += evicted;
      core.stats.bytesEvicted += evicted * objects.size(row);
      if (!core.settle(row) || !objects.has(row, ObjectRows.COMPLETE)) {
        return; // it is gone, or all that is left of it is a write in progress
      }
    }
    // What is left is on segments that are drained, or whose node is not heard from.
    putOff(row);
  }

  /** An object that had to be offloaded before it was evicted is on disk now. */
  void offloaded(int row) {
    if (objects.protectionEnd(row) > core.now()) {
      return; // it was read meanwhile
    }
    if (objects.has(row, ObjectRows.GROUPED)) {
      boolean pinned = objects.has(row, ObjectRows.SOFT_PINNED);
      core.groups.askEviction(row, pinned ? EvictionTier.SOFT_PINNED : EvictionTier.UNPINNED);
    } else {
      evict(row);
    }
  }

  private void putOff(int row) {
    core.orders.putOff(row, core.now() + core.config.leaseTtlMillis());
  }

  /**
   * A replica that may be evicted, on a segment where that makes room: one that is being emptied,
   * or whose node is not heard from, gives no space to anybody.
   */
  private boolean isEvictable(int replica) {
    int slot = replicas.slot(replica);
    return replicas.isEvictable(replica)
        && core.segments.isAllocatable(slot, core.slots.generation(slot));
  }

  /**
   * Whether an object goes to a disk before its last replica in memory goes. Where that is done
   * when writes end, one that is on no disk was not taken by it then: it gets another chance, but
   * only from a disk that is well, since its memory is wanted.
   */
  private boolean offloadsFirst(int row) {
    if (!policy.enabled() || objects.has(row, ObjectRows.OFFLOADING)) {
      return false;
    }
    boolean possible = false;
    boolean kept = objects.has(row, ObjectRows.KEPT);
    boolean stays = kept || policy.onEvict();
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      int slot = replicas.slot(r);
      long generation = core.slots.generation(slot);
      if (replicas.type(r) == IndexCore.LOCAL_DISK
          && (kept
              ? core.segments.takesReplicas(slot, generation)
              : core.segments.isLive(slot, generation))) {
        return false;
      }
      possible |=
          isEvictable(r) && (stays ? core.segments.diskSlotOf(slot) >= 0 : core.retries.isWell(r));
    }
    return possible;
  }

  /** Queues an object for offload; answers whether its other replicas may go. */
  private boolean offload(int row) {
    boolean full = queuedInCycle >= policy.queueLimit() * policy.capRatio();
    boolean force = (policy.force() || !policy.onEvict()) && !objects.has(row, ObjectRows.KEPT);
    if (force && full) {
      return true;
    }
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      if (isEvictable(r) && core.offloads.enqueue(row, r, true)) {
        queuedInCycle++;
        deferred++;
        deferredBytes += objects.size(row);
        return true;
      }
    }
    return force;
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
