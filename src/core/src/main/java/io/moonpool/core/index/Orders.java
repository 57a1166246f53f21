package io.moonpool.core.index;

/**
 * The orders that rows are kept in: writes in progress by the end of their grant; objects that may
 * be evicted by the end of their lease, those with a soft pin apart.
 *
 * <p>Which order a row belongs in follows from its flags and replicas. So it is taken out before
 * these change, and put back after.
 */
final class Orders {
  final LeaseOrder writes;
  final LeaseOrder unpinned;
  final LeaseOrder softPinned;

  private final ObjectRows objects;
  private final ReplicaRows replicas;

  Orders(ObjectRows objects, ReplicaRows replicas) {
    this.objects = objects;
    this.replicas = replicas;
    writes = new LeaseOrder(objects);
    unpinned = new LeaseOrder(objects);
    softPinned = new LeaseOrder(objects);
  }

  /** The objects that may be evicted in that tier. */
  LeaseOrder of(EvictionTier tier) {
    return tier == EvictionTier.UNPINNED ? unpinned : softPinned;
  }

  private LeaseOrder of(int flags) {
    if ((flags & ObjectRows.COMPLETE) == 0) {
      return writes;
    }
    return (flags & ObjectRows.SOFT_PINNED) == 0 ? unpinned : softPinned;
  }

  /** Puts a row that is in no order where it belongs, if anywhere. */
  void add(int row) {
    if (belongs(row)) {
      of(objects.flags(row)).add(row);
    }
  }

  /** Takes a row out of its order, if it is in one. */
  void remove(int row) {
    if (isIn(row)) {
      of(objects.flags(row)).remove(row);
    }
  }

  /** After a replica came, went or changed: puts the row in its order or takes it out. */
  void update(int row) {
    if (isIn(row) != belongs(row)) {
      if (isIn(row)) {
        remove(row);
      } else {
        add(row);
      }
    }
  }

  /** Sets the protection end of an object, which must not be before the one that it has. */
  void extend(int row, long endMillis) {
    if (!isIn(row)) {
      objects.protectionEnd(row, endMillis);
      return;
    }
    LeaseOrder order = of(objects.flags(row));
    order.remove(row);
    objects.protectionEnd(row, endMillis);
    order.add(row);
  }

  /** Puts an object that may be evicted at a later place than its lease would. */
  void putOff(int row, long untilMillis) {
    if (isIn(row)) {
      LeaseOrder order = of(objects.flags(row));
      order.remove(row);
      order.addAt(row, Math.max(untilMillis, objects.protectionEnd(row)));
    }
  }

  private boolean isIn(int row) {
    return objects.place(row) != LeaseOrder.NOWHERE;
  }

  /** Writes in progress belong in one, objects only while they have something to evict. */
  private boolean belongs(int row) {
    int flags = objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      return true;
    }
    if ((flags & ObjectRows.HARD_PINNED) != 0) {
      return false;
    }
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      if (replicas.isEvictable(r)) {
        return true;
      }
    }
    return false;
  }
}
