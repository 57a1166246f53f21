package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Recomputes from the rows of an index all that it keeps besides them, and compares. */
final class IndexAudit {
  private final IndexCore core;
  private final Map<Integer, Long> replicasInSlot = new TreeMap<>();
  private final Map<Integer, Long> bytesInSlot = new TreeMap<>();
  private final Map<Integer, Long> objectsOfTenant = new TreeMap<>();
  private final Set<Integer> nodes = new HashSet<>();
  private long objects;
  private long objectBytes;
  private long writes;
  private long memoryReplicas;
  private long memoryBytes;
  private long diskReplicas;
  private long softPinned;
  private long unpinnedOrdered;
  private long softOrdered;

  private IndexAudit(IndexCore core) {
    this.core = core;
  }

  /** Checks everything; answers the nodes of the extents that replicas in memory have. */
  static Set<Integer> check(ObjectIndex index, int slots) {
    IndexAudit audit = new IndexAudit(index.core);
    for (int i = 0; i < index.core.shardCount(); i++) {
      audit.check(index.core.shardAt(i));
    }
    audit.checkCounters(index, slots);
    return audit.nodes;
  }

  // An assertion library would take most of the test's time here.

  private static void same(long actual, long expected) {
    if (actual != expected) {
      throw new AssertionError("expected " + expected + " but was " + actual);
    }
  }

  private static void same(boolean actual, boolean expected) {
    if (actual != expected) {
      throw new AssertionError("expected " + expected + " but was " + actual);
    }
  }

  private static void same(Set<Integer> actual, Set<Integer> expected) {
    if (!actual.equals(expected)) {
      throw new AssertionError("expected " + expected + " but was " + actual);
    }
  }

  private void check(Shard shard) {
    ObjectRows rows = shard.objects;
    IntOpenHashSet upserts = new IntOpenHashSet();
    IntOpenHashSet blocks = new IntOpenHashSet();
    IntOpenHashSet memberships = new IntOpenHashSet();
    IntOpenHashSet pins = new IntOpenHashSet();
    IntOpenHashSet replicasSeen = new IntOpenHashSet();
    Map<Integer, IntOpenHashSet> bySlot = new HashMap<>();
    int used = 0;
    int keyed = 0;
    long keyBytes = 0;
    for (int row = 1; row < rows.limit(); row++) {
      int flags = rows.flags(row);
      if ((flags & ObjectRows.USED) == 0) {
        same(flags, 0);
        continue;
      }
      used++;
      boolean complete = (flags & ObjectRows.COMPLETE) != 0;
      boolean shadow = (flags & ObjectRows.SHADOW) != 0;
      if (shadow) {
        same(complete, false);
        same(shard.upserts.get(rows.keyAddress(row)), row);
        same(rows.has(rows.keyAddress(row), ObjectRows.UPSERTING), true);
      } else {
        keyed++;
        int address = rows.keyAddress(row);
        ObjectKey key =
            new ObjectKey()
                .set(
                    shard.keys.page(address),
                    shard.keys.keyOffset(address),
                    shard.keys.keyLength(address),
                    shard.keys.tenant(address));
        same(key.shard(), shard.number);
        same(shard.table.find(key), row);
        keyBytes += Math.max(13, 6 + key.length());
      }
      if ((flags & ObjectRows.UPSERTING) != 0) {
        same(complete, true);
        upserts.add(row);
      }
      if ((flags & ObjectRows.BLOCK_CHECKSUMS) != 0) {
        blocks.add(row);
      }
      if ((flags & ObjectRows.GROUPED) != 0) {
        memberships.add(row);
        same(shard.memberships.get(row).memberId != Membership.NOT_JOINED, complete);
      }
      if ((flags & ObjectRows.SOFT_PINNED) != 0) {
        pins.add(row);
        softPinned++;
      }
      if (complete) {
        objects++;
        objectBytes += rows.size(row);
        objectsOfTenant.merge(shard.keys.tenant(rows.keyAddress(row)), 1L, Long::sum);
      } else {
        writes++;
      }
      checkReplicas(shard, row, replicasSeen, bySlot);
    }
    same(rows.used(), used);
    same(shard.table.size(), keyed);
    same(shard.keys.recordBytes(), keyBytes);
    same(shard.upserts.keySet(), upserts);
    same(shard.blockChecksums.keySet(), blocks);
    same(shard.memberships.keySet(), memberships);
    same(shard.softPins.keySet(), pins);
    same(shard.replicas.used(), replicasSeen.size());
    for (int slot = 0; slot < 16; slot++) {
      IntOpenHashSet listed = new IntOpenHashSet();
      int previous = 0;
      for (int r = shard.firstInSlot(slot); r != 0; r = shard.replicas.nextInSlot(r)) {
        same(shard.replicas.previousInSlot(r), previous);
        same(listed.add(r), true);
        previous = r;
      }
      same(listed, bySlot.getOrDefault(slot, new IntOpenHashSet()));
    }
    checkOrders(shard);
  }

  private void checkReplicas(
      Shard shard, int row, IntOpenHashSet seen, Map<Integer, IntOpenHashSet> bySlot) {
    ReplicaRows replicas = shard.replicas;
    same(shard.objects.firstReplica(row) != 0, true);
    for (int r = shard.objects.firstReplica(row); r != 0; r = replicas.nextOfObject(r)) {
      same(seen.add(r), true);
      same(replicas.object(r), row);
      int slot = replicas.slot(r);
      bySlot.computeIfAbsent(slot, s -> new IntOpenHashSet()).add(r);
      replicasInSlot.merge(slot, 1L, Long::sum);
      bytesInSlot.merge(slot, shard.objects.size(row), Long::sum);
      if (replicas.type(r) == IndexCore.MEMORY) {
        memoryReplicas++;
        memoryBytes += shard.objects.size(row);
        same(nodes.add(replicas.node(r)), true);
      } else {
        diskReplicas++;
      }
    }
  }

  private void checkOrders(Shard shard) {
    Set<Integer> writes = new HashSet<>();
    Set<Integer> unpinned = new HashSet<>();
    Set<Integer> soft = new HashSet<>();
    for (int row = 1; row < shard.objects.limit(); row++) {
      int flags = shard.objects.flags(row);
      if ((flags & ObjectRows.USED) == 0) {
        continue;
      }
      if ((flags & ObjectRows.COMPLETE) == 0) {
        writes.add(row);
      } else if ((flags & ObjectRows.HARD_PINNED) == 0 && hasEvictable(shard, row)) {
        ((flags & ObjectRows.SOFT_PINNED) == 0 ? unpinned : soft).add(row);
      }
    }
    same(rowsOf(shard, shard.writes), writes);
    same(rowsOf(shard, shard.unpinned), unpinned);
    same(rowsOf(shard, shard.softPinned), soft);
    unpinnedOrdered += unpinned.size();
    softOrdered += soft.size();
  }

  private static boolean hasEvictable(Shard shard, int row) {
    ReplicaRows replicas = shard.replicas;
    for (int r = shard.objects.firstReplica(row); r != 0; r = replicas.nextOfObject(r)) {
      if (replicas.isEvictable(r)) {
        return true;
      }
    }
    return false;
  }

  /** The rows of an order, after checking that its lists are sorted and its heap is one. */
  private static Set<Integer> rowsOf(Shard shard, LeaseOrder order) {
    Set<Integer> rows = new HashSet<>();
    long least = LeaseOrder.EMPTY;
    for (int head : new int[] {order.headA, order.headB}) {
      long key = 0;
      int previous = 0;
      for (int row = head; row != 0; row = shard.objects.next(row)) {
        same(rows.add(row), true);
        same(shard.objects.previous(row), previous);
        same(shard.objects.protectionEnd(row) >= key, true);
        key = shard.objects.protectionEnd(row);
        least = Math.min(least, key);
        previous = row;
      }
    }
    for (int i = 0; i < order.heapSize; i++) {
      same(rows.add(order.heapRows[i]), true);
      same(shard.objects.previous(order.heapRows[i]), i);
      same(order.heapKeys[i] >= order.heapKeys[(i - 1) / 2], true);
      same(order.heapKeys[i] >= shard.objects.protectionEnd(order.heapRows[i]), true);
      least = Math.min(least, order.heapKeys[i]);
    }
    same(order.size(), rows.size());
    same(order.firstKey(), least);
    return rows;
  }

  private void checkCounters(ObjectIndex index, int slots) {
    IndexStats stats = index.stats();
    same(stats.objects(), objects);
    same(stats.objectBytes(), objectBytes);
    same(stats.writesInProgress(), writes);
    same(stats.memoryReplicas(), memoryReplicas);
    same(stats.memoryReplicaBytes(), memoryBytes);
    same(stats.diskReplicas(), diskReplicas);
    same(stats.softPinned(), softPinned);
    same(core.softPins.size(), (int) softPinned);
    same(stats.evictionCandidates(EvictionTier.UNPINNED), unpinnedOrdered);
    same(stats.evictionCandidates(EvictionTier.SOFT_PINNED), softOrdered);
    for (int slot = 0; slot < slots; slot++) {
      same(index.replicasInSlot(slot), replicasInSlot.getOrDefault(slot, 0L));
      same(index.bytesInSlot(slot), bytesInSlot.getOrDefault(slot, 0L));
    }
    for (int tenant = 0; tenant < 4; tenant++) {
      same(stats.objectsOfTenant(tenant), objectsOfTenant.getOrDefault(tenant, 0L));
    }
    List<Long> leases = new ArrayList<>();
    for (int i = 0; i < core.shardCount(); i++) {
      leases.add(core.shardAt(i).unpinned.firstKey());
    }
    same(core.orders.firstLeaseEnd(EvictionTier.UNPINNED), leases.stream().mapToLong(l -> l).min().orElseThrow());
  }
}
