package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Recomputes from the rows of an index all that it keeps besides them, and compares. */
final class IndexAudit {
  private final IndexCore core;
  private final Map<Integer, IntOpenHashSet> bySlot = new HashMap<>();
  private final Map<Integer, Long> bytesInSlot = new TreeMap<>();
  private final Map<Integer, Long> objectsOfTenant = new TreeMap<>();
  private final Set<Integer> nodes = new HashSet<>();
  private final Set<Long> extents = new HashSet<>();
  private long objects;
  private long objectBytes;
  private long writes;
  private long memoryReplicas;
  private long memoryBytes;
  private long diskReplicas;
  private long softPinned;
  private long beingAdded;
  private int promoting;

  private IndexAudit(IndexCore core) {
    this.core = core;
  }

  /** Checks everything; answers the nodes of the extents that replicas in memory have. */
  static Set<Integer> check(ObjectIndex index, int slots) {
    IndexAudit audit = new IndexAudit(index.core);
    audit.checkRows();
    audit.checkSlots(slots);
    audit.checkOrders();
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

  private void checkRows() {
    ObjectRows rows = core.objects;
    IntOpenHashSet upserts = new IntOpenHashSet();
    IntOpenHashSet memberships = new IntOpenHashSet();
    IntOpenHashSet replicasSeen = new IntOpenHashSet();
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
      if ((flags & ObjectRows.SHADOW) != 0) {
        same(complete, false);
        same(core.upserts.get(rows.keyAddress(row)), row);
        same(rows.has(rows.keyAddress(row), ObjectRows.UPSERTING), true);
      } else {
        keyed++;
        int address = rows.keyAddress(row);
        ObjectKey key =
            new ObjectKey()
                .set(
                    core.keys.key(address),
                    0,
                    core.keys.keyLength(address),
                    core.keys.tenant(address));
        same(key.shard(), Shard.of(rows.version(row)));
        same(core.shard(key).find(key), row);
        int header = key.tenant() < 128 ? 3 : 4;
        keyBytes += Math.max(12, (header + key.length() + 3) / 4 * 4);
      }
      if ((flags & ObjectRows.UPSERTING) != 0) {
        same(complete, true);
        upserts.add(row);
      }
      if ((flags & ObjectRows.GROUPED) != 0) {
        memberships.add(row);
        same(core.memberships.get(row).memberId != Membership.NOT_JOINED, complete);
      }
      softPinned += (flags & ObjectRows.SOFT_PINNED) != 0 ? 1 : 0;
      promoting += (flags & ObjectRows.PROMOTING) != 0 ? 1 : 0;
      same(core.promotions.isUnderWay(row), (flags & ObjectRows.PROMOTING) != 0);
      if (complete) {
        objects++;
        objectBytes += rows.size(row);
        objectsOfTenant.merge(core.keys.tenant(rows.keyAddress(row)), 1L, Long::sum);
      } else {
        writes++;
      }
      checkReplicas(row, replicasSeen);
    }
    int found = 0;
    for (int shard = core.firstShard(); shard < core.endShard(); shard++) {
      found += core.shard(shard).size();
    }
    same(found, keyed);
    same(rows.used(), used);
    same(core.keys.recordBytes(), keyBytes);
    same(core.upserts.keySet(), upserts);
    same(core.memberships.keySet(), memberships);
    same(core.replicas.used(), replicasSeen.size());
  }

  private void checkReplicas(int row, IntOpenHashSet seen) {
    ReplicaRows replicas = core.replicas;
    same(core.replicas.first(row) != 0, true);
    for (int r = core.replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      same(seen.add(r), true);
      same(replicas.object(r), row);
      if (core.objects.has(row, ObjectRows.COMPLETE)
          && replicas.status(r) == IndexCore.PROCESSING) {
        beingAdded++;
        same(core.additions.contains(r), true);
      }
      int slot = replicas.slot(r);
      bySlot.computeIfAbsent(slot, s -> new IntOpenHashSet()).add(r);
      bytesInSlot.merge(slot, core.objects.size(row), Long::sum);
      if (replicas.type(r) == IndexCore.MEMORY) {
        memoryReplicas++;
        memoryBytes += core.objects.size(row);
        nodes.add(replicas.node(r));
        same(extents.add(((long) slot << 32) | replicas.node(r)), true);
      } else {
        diskReplicas++;
      }
    }
  }

  private void checkSlots(int slots) {
    for (int slot = 0; slot < slots; slot++) {
      IntOpenHashSet listed = new IntOpenHashSet();
      int previous = 0;
      if (core.slots.replicas(slot) > 0) {
        for (int r = core.slots.first(slot, core.slots.generation(slot));
            r != 0;
            r = core.replicas.nextInSlot(r)) {
          same(core.replicas.previousInSlot(r), previous);
          same(listed.add(r), true);
          previous = r;
        }
      }
      same(listed, bySlot.getOrDefault(slot, new IntOpenHashSet()));
    }
  }

  private void checkOrders() {
    Set<Integer> inProgress = new HashSet<>();
    Set<Integer> unpinned = new HashSet<>();
    Set<Integer> soft = new HashSet<>();
    for (int row = 1; row < core.objects.limit(); row++) {
      int flags = core.objects.flags(row);
      if ((flags & ObjectRows.USED) == 0) {
        continue;
      }
      if ((flags & ObjectRows.COMPLETE) == 0) {
        inProgress.add(row);
      } else if ((flags & ObjectRows.HARD_PINNED) == 0 && hasEvictable(row)) {
        ((flags & ObjectRows.SOFT_PINNED) == 0 ? unpinned : soft).add(row);
      }
    }
    same(rowsOf(core.orders.writes), inProgress);
    same(rowsOf(core.orders.unpinned), unpinned);
    same(rowsOf(core.orders.softPinned), soft);
  }

  private boolean hasEvictable(int row) {
    for (int r = core.replicas.first(row); r != 0; r = core.replicas.nextOfObject(r)) {
      if (core.replicas.isEvictable(r)) {
        return true;
      }
    }
    return false;
  }

  /** The rows of an order, after checking that its lists are sorted and its heap is one. */
  private Set<Integer> rowsOf(LeaseOrder order) {
    Set<Integer> rows = new HashSet<>();
    long least = LeaseOrder.EMPTY;
    for (int head : new int[] {order.headA, order.headB}) {
      long key = 0;
      int previous = 0;
      for (int row = head; row != 0; row = core.objects.next(row)) {
        same(rows.add(row), true);
        same(core.objects.previous(row), previous);
        same(core.objects.protectionEnd(row) >= key, true);
        key = core.objects.protectionEnd(row);
        least = Math.min(least, key);
        previous = row;
      }
    }
    for (int i = 0; i < order.heapSize; i++) {
      same(rows.add(order.heapRows[i]), true);
      same(core.objects.previous(order.heapRows[i]), i);
      same(order.heapKeys[i] >= order.heapKeys[(i - 1) / 2], true);
      same(order.heapKeys[i] >= core.objects.protectionEnd(order.heapRows[i]), true);
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
    same(core.additions.underWay(), beingAdded);
    same(core.promotions.underWay(), promoting);
    same(stats.promotionsWaiting() + stats.promotionsOpen(), promoting);
    long ended =
        stats.promotionsCompleted()
            + stats.promotionsFailed()
            + stats.promotionsExpired()
            + stats.promotionsCancelled();
    same(stats.promotionsAdmitted(), promoting + ended);
    same(stats.softPinned(), softPinned);
    same(core.softPins.size(), (int) softPinned);
    for (int slot = 0; slot < slots; slot++) {
      same(index.replicasInSlot(slot), bySlot.getOrDefault(slot, new IntOpenHashSet()).size());
      same(index.bytesInSlot(slot), bytesInSlot.getOrDefault(slot, 0L));
    }
    for (int tenant = 0; tenant < 4; tenant++) {
      same(stats.objectsOfTenant(tenant), objectsOfTenant.getOrDefault(tenant, 0L));
    }
  }
}
