package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SoftPinAction;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;

/**
 * The state of an {@link ObjectIndex} and the steps that change it. A step leaves tables, lists,
 * orders and counters consistent with one another; which steps a call takes is the matter of the
 * classes that {@link ObjectIndex} delegates to.
 *
 * <p>The life of an object's row:
 *
 * <pre>
 *          start          end                    upsert start        end: takes the shadow's place
 * (none) -------> put ----------> complete  ---------------------> complete + shadow ---+
 *                  | revoke,        | remove, evict,     ^                  |           |
 *                  | reap, sweep    | sweep              |  revoke, reap,   |           |
 *                  v                v                    |  displace, sweep |           |
 *                (none)           (none)                 +------------------+<----------+
 * </pre>
 *
 * <p>An object that loses its last replica while an upsert is in progress becomes a put: the shadow
 * takes its place at once.
 */
final class IndexCore {
  static final int MEMORY = ReplicaType.MEMORY.number();
  static final int LOCAL_DISK = ReplicaType.LOCAL_DISK.number();
  static final int PROCESSING = ReplicaStatus.PROCESSING.number();
  static final int COMPLETE = ReplicaStatus.COMPLETE.number();

  /** Nobody can touch the bytes. */
  static final long UNTOUCHED = 0;

  private static final int PIN_ACTION_SHIFT = 62;
  private static final long PIN_TTL_MASK = (1L << PIN_ACTION_SHIFT) - 1;

  final IndexConfig config;
  final SegmentTable segments;
  final IndexEffects effects;
  final IndexStats stats = new IndexStats();
  final Slots slots = new Slots();
  final Writers writers = new Writers();
  final Quarantine quarantine = new Quarantine();
  final HeadHeap writeHeads;
  final HeadHeap evictableHeads;
  final HeadHeap softPinnedHeads;
  final SoftPins softPins;

  private final IntToLongFunction firstWriteKeys;
  private final int firstShard;
  private final Shard[] shards;
  private long nowMillis;

  IndexCore(
      int firstShard,
      int endShard,
      IndexConfig config,
      SegmentTable segments,
      IndexEffects effects) {
    if (firstShard < 0 || endShard > ObjectIndex.SHARDS || firstShard >= endShard) {
      throw new IllegalArgumentException(
          "shards must be a part of 0 to "
              + ObjectIndex.SHARDS
              + ": "
              + firstShard
              + ", "
              + endShard);
    }
    this.firstShard = firstShard;
    this.config = config;
    this.segments = segments;
    this.effects = effects;
    shards = new Shard[endShard - firstShard];
    for (int i = 0; i < shards.length; i++) {
      shards[i] = new Shard(firstShard + i, i, config.firstSequence());
    }
    firstWriteKeys = index -> shards[index].writes.firstKey();
    writeHeads = new HeadHeap(shards.length);
    evictableHeads = new HeadHeap(shards.length);
    softPinnedHeads = new HeadHeap(shards.length);
    softPins = new SoftPins(shards);
  }

  /** Takes the time; it never goes back. Answers what time it is. */
  long time(long millis) {
    nowMillis = Math.max(nowMillis, millis);
    return nowMillis;
  }

  /** The time that was last told. */
  long now() {
    return nowMillis;
  }

  int shardCount() {
    return shards.length;
  }

  /** The shard at a place among those of this loop. */
  Shard shardAt(int index) {
    return shards[index];
  }

  /**
   * The shard of a key.
   *
   * @throws IllegalArgumentException when another loop has it
   */
  Shard shard(ObjectKey key) {
    int index = key.shard() - firstShard;
    if (index < 0 || index >= shards.length) {
      throw new IllegalArgumentException("shard " + key.shard() + " belongs to another loop");
    }
    return shards[index];
  }

  // Writes

  /** A new object without a completed write. */
  int create(Shard shard, ObjectKey key) {
    ObjectRows objects = shard.objects;
    int row = objects.allocate();
    objects.set(row, ObjectRows.USED);
    objects.hash(row, key.place());
    objects.keyAddress(row, shard.keys.add(key, row));
    shard.table.insert(row, key);
    return row;
  }

  /** A shadow over a complete object that has none. */
  int createShadow(Shard shard, int row) {
    ObjectRows objects = shard.objects;
    int shadow = objects.allocate();
    objects.set(shadow, ObjectRows.USED | ObjectRows.SHADOW);
    objects.keyAddress(shadow, row);
    objects.set(row, ObjectRows.UPSERTING);
    shard.upserts.put(row, shadow);
    return shadow;
  }

  /** Fills a row that has no replicas with a write in progress, and names it. */
  void begin(
      Shard shard, int row, long size, WriteTerms terms, ExtentList extents, StartedWrite started) {
    ObjectRows objects = shard.objects;
    long version = shard.nextNumber();
    objects.version(row, version);
    objects.size(row, size);
    objects.protectionEnd(row, nowMillis + terms.grantMillis());
    objects.dataType(row, terms.dataType().number());
    objects.checksum(
        row,
        ((long) terms.softPinAction().number() << PIN_ACTION_SHIFT)
            | Math.min(terms.softPinTtlMillis(), PIN_TTL_MASK));
    if (terms.hardPin()) {
      objects.set(row, ObjectRows.HARD_PINNED);
    }
    objects.writer(
        row,
        writers.acquire(
            terms.writer().getMostSignificantBits(), terms.writer().getLeastSignificantBits()));
    started.begin(version);
    int last = 0;
    for (int i = 0; i < extents.size(); i++) {
      int replica =
          addReplica(
              shard,
              row,
              last,
              MEMORY,
              PROCESSING,
              extents.slot(i),
              extents.generation(i),
              extents.offsetUnits(i),
              extents.node(i));
      started.add(shard.replicas.id(replica));
      last = replica;
    }
    stats.writesInProgress++;
    enqueue(shard, row);
  }

  /** The write of that row is complete: readers may have it. */
  void complete(Shard shard, int row, Checksum checksum) {
    dequeue(shard, row);
    stats.writesInProgress--;
    stats.writesCompleted++;
    ObjectRows objects = shard.objects;
    ReplicaRows replicas = shard.replicas;
    for (int r = objects.firstReplica(row); r != 0; r = replicas.nextOfObject(r)) {
      replicas.status(r, COMPLETE);
    }
    int object = row;
    if (objects.has(row, ObjectRows.SHADOW)) {
      object = objects.keyAddress(row);
      long lease = objects.protectionEnd(object);
      dequeue(shard, object);
      dropReplicas(shard, object, touchedUntil(shard, object));
      uncount(shard, object);
      takeShadow(shard, object, row);
      objects.protectionEnd(object, Math.max(lease, nowMillis));
    } else {
      objects.set(row, ObjectRows.COMPLETE);
      objects.protectionEnd(row, nowMillis);
    }
    long pin = objects.checksum(object);
    storeChecksum(shard, object, checksum);
    stats.objects++;
    stats.objectBytes += objects.size(object);
    softPin(
        shard,
        object,
        SoftPinAction.ofNumber((int) (pin >>> PIN_ACTION_SHIFT)),
        pin & PIN_TTL_MASK);
    enqueue(shard, object);
  }

  /** Does to the soft pin of a row, which is in no order, what its write asked for. */
  private void softPin(Shard shard, int row, SoftPinAction action, long ttlMillis) {
    if (action == SoftPinAction.PRESERVE) {
      return;
    }
    clearSoftPin(shard, row);
    if (action == SoftPinAction.ENABLE && ttlMillis > 0) {
      shard.objects.set(row, ObjectRows.SOFT_PINNED);
      softPins.add(shard, row, nowMillis + Math.min(ttlMillis, ObjectRows.MAX_MILLIS));
    }
  }

  private void clearSoftPin(Shard shard, int row) {
    if (shard.objects.has(row, ObjectRows.SOFT_PINNED)) {
      shard.objects.clear(row, ObjectRows.SOFT_PINNED);
      softPins.remove(shard, row);
    }
  }

  private void storeChecksum(Shard shard, int row, Checksum checksum) {
    ObjectRows objects = shard.objects;
    if (objects.has(row, ObjectRows.BLOCK_CHECKSUMS)) {
      objects.clear(row, ObjectRows.BLOCK_CHECKSUMS);
      shard.blockChecksums.remove(row);
    }
    objects.checksumKind(row, checksum.kind().number());
    objects.checksum(row, checksum.value());
    if (checksum.blocks().length > 0) {
      objects.set(row, ObjectRows.BLOCK_CHECKSUMS);
      shard.blockChecksums.put(row, checksum.blocks());
    }
  }

  /** Moves the write of a shadow to its object's row, which has no replicas and is in no order. */
  private void takeShadow(Shard shard, int row, int shadow) {
    ObjectRows objects = shard.objects;
    writers.release(objects.writer(row));
    objects.writer(row, objects.writer(shadow));
    objects.version(row, objects.version(shadow));
    objects.size(row, objects.size(shadow));
    objects.protectionEnd(row, objects.protectionEnd(shadow));
    objects.dataType(row, objects.dataType(shadow));
    objects.checksum(row, objects.checksum(shadow));
    objects.clear(row, ObjectRows.UPSERTING | ObjectRows.READ);
    objects.set(row, objects.flags(shadow) & ObjectRows.HARD_PINNED);
    int first = objects.firstReplica(shadow);
    objects.firstReplica(row, first);
    for (int r = first; r != 0; r = shard.replicas.nextOfObject(r)) {
      shard.replicas.object(r, row);
    }
    shard.upserts.remove(row);
    objects.release(shadow);
  }

  /** Gives up the write in progress of a put's row or a shadow. Its object stays as it was. */
  void abandon(Shard shard, int row) {
    dropReplicas(shard, row, shard.objects.protectionEnd(row));
    settle(shard, row);
  }

  // Replicas

  /** Adds a replica to an object or write, behind the one given (0: in front); answers its row. */
  int addReplica(
      Shard shard,
      int row,
      int behind,
      int type,
      int status,
      int slot,
      long generation,
      long offsetUnits,
      int node) {
    ReplicaRows replicas = shard.replicas;
    int replica = replicas.allocate();
    replicas.id(replica, shard.nextNumber());
    replicas.where(replica, slot, offsetUnits, node, type, status);
    replicas.object(replica, row);
    if (behind == 0) {
      replicas.nextOfObject(replica, shard.objects.firstReplica(row));
      shard.objects.firstReplica(row, replica);
    } else {
      replicas.nextOfObject(replica, replicas.nextOfObject(behind));
      replicas.nextOfObject(behind, replica);
    }
    shard.linkInSlot(replica);
    long size = shard.objects.size(row);
    slots.add(slot, generation, size);
    if (type == MEMORY) {
      stats.memoryReplicas++;
      stats.memoryReplicaBytes += size;
    } else {
      stats.diskReplicas++;
    }
    return replica;
  }

  /**
   * Removes a replica; {@link #settle} its row afterwards.
   *
   * @param touchedUntilMillis until when somebody may touch its bytes
   */
  void dropReplica(Shard shard, int replica, long touchedUntilMillis) {
    ReplicaRows replicas = shard.replicas;
    int slot = replicas.slot(replica);
    long size = shard.objects.size(replicas.object(replica));
    long generation = slots.generation(slot);
    shard.unlinkOfObject(replica);
    shard.unlinkInSlot(replica);
    slots.remove(slot, size);
    if (replicas.type(replica) == MEMORY) {
      stats.memoryReplicas--;
      stats.memoryReplicaBytes -= size;
      retire(
          slot,
          generation,
          replicas.offsetUnits(replica),
          size,
          replicas.node(replica),
          touchedUntilMillis);
    } else {
      stats.diskReplicas--;
    }
    replicas.release(replica);
  }

  /** Removes all replicas of a row. */
  void dropReplicas(Shard shard, int row, long touchedUntilMillis) {
    for (int r = shard.objects.firstReplica(row); r != 0; r = shard.objects.firstReplica(row)) {
      dropReplica(shard, r, touchedUntilMillis);
    }
  }

  private void retire(
      int slot, long generation, long offsetUnits, long size, int node, long touchedUntilMillis) {
    if (touchedUntilMillis != UNTOUCHED) {
      long releaseMillis = touchedUntilMillis + config.clockSkewMillis();
      if (nowMillis < releaseMillis) {
        quarantine.add(releaseMillis, slot, generation, offsetUnits, size, node);
        return;
      }
    }
    free(slot, generation, offsetUnits, size, node);
  }

  boolean releaseQuarantine(BooleanSupplier mayContinue) {
    while (quarantine.nextMillis() <= nowMillis) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      quarantine.releaseFirst(this::free);
    }
    return true;
  }

  /** Hands an extent back, unless its allocator is gone, or goes with its mount. */
  private void free(int slot, long generation, long offsetUnits, long size, int node) {
    if (segments.isLive(slot, generation)) {
      stats.extentsFreed++;
      effects.free(slot, generation, offsetUnits, size, node);
    }
  }

  /** Gives up writes that were not ended within their grant. */
  boolean reapWrites(BooleanSupplier mayContinue) {
    while (writeHeads.settle(firstWriteKeys) < nowMillis) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      Shard shard = shards[writeHeads.top()];
      abandon(shard, shard.writes.first());
      stats.writesReaped++;
    }
    return true;
  }

  long nextDeadlineMillis() {
    long write = writeHeads.settle(firstWriteKeys);
    return Math.min(
        Math.min(quarantine.nextMillis(), softPins.nextMillis()),
        write == LeaseOrder.EMPTY ? Long.MAX_VALUE : write + 1);
  }

  /** Until when somebody may touch the bytes of the row's replicas. */
  long touchedUntil(Shard shard, int row) {
    int flags = shard.objects.flags(row);
    boolean touched = (flags & ObjectRows.COMPLETE) == 0 || (flags & ObjectRows.READ) != 0;
    return touched ? shard.objects.protectionEnd(row) : UNTOUCHED;
  }

  /** Removes the replicas whose segments are gone. Answers the row, or 0 when nothing is left. */
  int withoutDeadReplicas(Shard shard, int row) {
    ReplicaRows replicas = shard.replicas;
    boolean dropped = false;
    for (int r = shard.objects.firstReplica(row); r != 0; ) {
      int next = replicas.nextOfObject(r);
      int slot = replicas.slot(r);
      if (!segments.isLive(slot, slots.generation(slot))) {
        dropReplica(shard, r, UNTOUCHED);
        dropped = true;
      }
      r = next;
    }
    return !dropped || settle(shard, row) ? row : 0;
  }

  /**
   * After replicas came or went: keeps the row's place in the orders right; removes it when it has
   * no replica left. Answers whether it is still there.
   */
  boolean settle(Shard shard, int row) {
    ObjectRows objects = shard.objects;
    if (objects.firstReplica(row) != 0) {
      boolean ordered = objects.place(row) != LeaseOrder.NOWHERE;
      if (ordered != belongsInOrder(shard, row)) {
        if (ordered) {
          dequeue(shard, row);
        } else {
          enqueue(shard, row);
        }
      }
      return true;
    }
    dequeue(shard, row);
    int flags = objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      stats.writesInProgress--;
    }
    if ((flags & ObjectRows.SHADOW) != 0) {
      int object = objects.keyAddress(row);
      objects.clear(object, ObjectRows.UPSERTING);
      shard.upserts.remove(object);
      writers.release(objects.writer(row));
      objects.release(row);
      return false;
    }
    if ((flags & ObjectRows.COMPLETE) != 0) {
      uncount(shard, row);
    }
    if ((flags & ObjectRows.UPSERTING) != 0) {
      int shadow = shard.upserts.get(row);
      dequeue(shard, shadow);
      objects.clear(row, ObjectRows.COMPLETE);
      forgetBlockChecksums(shard, row);
      takeShadow(shard, row, shadow);
      enqueue(shard, row);
      return true;
    }
    forgetBlockChecksums(shard, row);
    clearSoftPin(shard, row);
    writers.release(objects.writer(row));
    shard.table.remove(row);
    shard.keys.remove(objects.keyAddress(row));
    objects.release(row);
    return false;
  }

  private void uncount(Shard shard, int row) {
    stats.objects--;
    stats.objectBytes -= shard.objects.size(row);
  }

  private void forgetBlockChecksums(Shard shard, int row) {
    if (shard.objects.has(row, ObjectRows.BLOCK_CHECKSUMS)) {
      shard.objects.clear(row, ObjectRows.BLOCK_CHECKSUMS);
      shard.blockChecksums.remove(row);
    }
  }

  // Orders

  /** Leases an object to a reader from now on. */
  void lease(Shard shard, int row) {
    ObjectRows objects = shard.objects;
    objects.set(row, ObjectRows.READ);
    extendLease(shard, row, nowMillis + config.leaseTtlMillis());
  }

  /** Leases never become shorter. */
  void extendLease(Shard shard, int row, long endMillis) {
    ObjectRows objects = shard.objects;
    if (endMillis <= objects.protectionEnd(row)) {
      return;
    }
    if (objects.place(row) == LeaseOrder.NOWHERE) {
      objects.protectionEnd(row, endMillis);
      return;
    }
    LeaseOrder order = order(shard, row);
    order.remove(row);
    objects.protectionEnd(row, endMillis);
    order.add(row);
  }

  private LeaseOrder order(Shard shard, int row) {
    int flags = shard.objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      return shard.writes;
    }
    return (flags & ObjectRows.SOFT_PINNED) == 0 ? shard.evictable : shard.softPinned;
  }

  private HeadHeap heads(Shard shard, int row) {
    int flags = shard.objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      return writeHeads;
    }
    return (flags & ObjectRows.SOFT_PINNED) == 0 ? evictableHeads : softPinnedHeads;
  }

  /** Writes in progress belong in one, objects only while they have something to evict. */
  private boolean belongsInOrder(Shard shard, int row) {
    int flags = shard.objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      return true;
    }
    if ((flags & ObjectRows.HARD_PINNED) != 0) {
      return false;
    }
    for (int r = shard.objects.firstReplica(row); r != 0; r = shard.replicas.nextOfObject(r)) {
      if (isEvictable(shard, r)) {
        return true;
      }
    }
    return false;
  }

  /** A complete replica in memory that no task reads. */
  boolean isEvictable(Shard shard, int replica) {
    ReplicaRows replicas = shard.replicas;
    return replicas.type(replica) == MEMORY
        && replicas.status(replica) == COMPLETE
        && replicas.references(replica) == 0;
  }

  private void enqueue(Shard shard, int row) {
    if (belongsInOrder(shard, row)) {
      order(shard, row).add(row);
      heads(shard, row).lower(shard.index, shard.objects.protectionEnd(row));
    }
  }

  /** Takes a row out of its order. Before any change to what decides about its order. */
  private void dequeue(Shard shard, int row) {
    if (shard.objects.place(row) != LeaseOrder.NOWHERE) {
      order(shard, row).remove(row);
    }
  }
}
