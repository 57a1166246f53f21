package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SoftPinAction;
import org.jspecify.annotations.Nullable;

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
  static final int PROCESSING = ReplicaStatus.PROCESSING.number();
  static final int COMPLETE = ReplicaStatus.COMPLETE.number();

  private static final int PIN_ACTION_SHIFT = 62;
  private static final long PIN_TTL_MASK = (1L << PIN_ACTION_SHIFT) - 1;

  final IndexConfig config;
  final SegmentTable segments;
  final IndexEffects effects;
  final IndexStats stats = new IndexStats();
  final Slots slots = new Slots();
  final Writers writers = new Writers();
  final Orders orders;
  final SoftPins softPins;
  final ReturnedSpace returned;
  final Groups groups = new Groups(this);
  final Evictions evictions = new Evictions(this);

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
              + ", not "
              + firstShard
              + " to "
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
    orders = new Orders(shards, stats);
    softPins = new SoftPins(shards);
    returned = new ReturnedSpace(config, segments, effects, stats);
  }

  /** Takes the time; it never goes back. */
  void time(long millis) {
    nowMillis = Math.max(nowMillis, millis);
  }

  /** The time that was last told, in milliseconds. */
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

  boolean owns(int shard) {
    return shard >= firstShard && shard < firstShard + shards.length;
  }

  /**
   * The shard of that number.
   *
   * @throws IllegalArgumentException when another loop has it
   */
  Shard shard(int number) {
    if (!owns(number)) {
      throw new IllegalArgumentException("shard " + number + " belongs to another loop");
    }
    return shards[number - firstShard];
  }

  /** The shard of a key. */
  Shard shard(ObjectKey key) {
    return shard(key.shard());
  }

  // Writes

  /** A new object without a completed write. */
  int create(Shard shard, ObjectKey key, @Nullable String group) {
    ObjectRows objects = shard.objects;
    int row = objects.allocate();
    objects.set(row, ObjectRows.USED);
    objects.hash(row, key.place());
    objects.keyAddress(row, shard.keys.add(key, row));
    shard.table.insert(row, key);
    if (group != null && !group.isEmpty()) {
      objects.set(row, ObjectRows.GROUPED);
      shard.memberships.put(row, new Membership(GroupId.of(key.tenant(), group)));
    }
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
    objects.protectionEnd(row, nowMillis + Math.min(terms.grantMillis(), ObjectRows.MAX_MILLIS));
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
      last =
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
      started.add(shard.replicas.id(last));
    }
    stats.writesInProgress++;
    orders.add(shard, row);
  }

  /** The write of that row, a put's or a shadow, is complete: readers may have it. */
  void complete(Shard shard, int row, Checksum checksum) {
    orders.remove(shard, row);
    stats.writesInProgress--;
    stats.writesCompleted++;
    ObjectRows objects = shard.objects;
    for (int r = objects.firstReplica(row); r != 0; r = shard.replicas.nextOfObject(r)) {
      shard.replicas.status(r, COMPLETE);
    }
    int object = row;
    long lease = 0;
    if (objects.has(row, ObjectRows.SHADOW)) {
      object = objects.keyAddress(row);
      lease = objects.protectionEnd(object);
      orders.remove(shard, object);
      dropReplicas(shard, object);
      uncount(shard, object);
      takeShadow(shard, object, row);
    }
    long pin = objects.checksum(object);
    objects.set(object, ObjectRows.COMPLETE);
    objects.protectionEnd(object, Math.max(lease, nowMillis));
    storeChecksum(shard, object, checksum);
    count(shard, object);
    softPin(
        shard,
        object,
        SoftPinAction.ofNumber((int) (pin >>> PIN_ACTION_SHIFT)),
        pin & PIN_TTL_MASK);
    orders.add(shard, object);
    groups.join(shard, object);
  }

  private void storeChecksum(Shard shard, int row, Checksum checksum) {
    forgetBlockChecksums(shard, row);
    shard.objects.checksumKind(row, checksum.kind().number());
    shard.objects.checksum(row, checksum.value());
    if (checksum.blocks().length > 0) {
      shard.objects.set(row, ObjectRows.BLOCK_CHECKSUMS);
      shard.blockChecksums.put(row, checksum.blocks());
    }
  }

  private void forgetBlockChecksums(Shard shard, int row) {
    if (shard.objects.has(row, ObjectRows.BLOCK_CHECKSUMS)) {
      shard.objects.clear(row, ObjectRows.BLOCK_CHECKSUMS);
      shard.blockChecksums.remove(row);
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

  /** The write in progress of an object: a put's own row, an upsert's shadow, or 0. */
  int write(Shard shard, int row) {
    int flags = shard.objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      return row;
    }
    return (flags & ObjectRows.UPSERTING) == 0 ? 0 : shard.upserts.get(row);
  }

  /** Gives up the write in progress of a put's row or a shadow. Its object stays as it was. */
  void abandon(Shard shard, int write) {
    dropReplicas(shard, write);
    settle(shard, write);
  }

  /** A put that was not ended within its grant: it is as if it were not there. */
  boolean isOverdue(Shard shard, int row) {
    return !shard.objects.has(row, ObjectRows.COMPLETE)
        && nowMillis > shard.objects.protectionEnd(row);
  }

  /**
   * Gives up a write that was not ended within its grant, so that it does not stand in the way.
   * Answers the row, or 0 when that was all there was.
   */
  int withoutOverdueWrite(Shard shard, int row) {
    int write = write(shard, row);
    if (write == 0 || nowMillis <= shard.objects.protectionEnd(write)) {
      return row;
    }
    abandon(shard, write);
    stats.writesReaped++;
    return write == row ? 0 : row;
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
    long size = shard.objects.size(row);
    slots.add(slot, generation, size);
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
    if (type == MEMORY) {
      stats.memoryReplicas++;
      stats.memoryReplicaBytes += size;
    } else {
      stats.diskReplicas++;
    }
    return replica;
  }

  /**
   * Removes a replica; {@link #settle} its row afterwards. Its space waits for who may touch it.
   */
  void dropReplica(Shard shard, int replica) {
    ReplicaRows replicas = shard.replicas;
    int row = replicas.object(replica);
    int slot = replicas.slot(replica);
    long size = shard.objects.size(row);
    long touchedUntil = Math.max(touchedUntil(shard, row), shard.removeHold(replica));
    long generation = slots.generation(slot);
    shard.unlinkOfObject(replica);
    shard.unlinkInSlot(replica);
    slots.remove(slot, size);
    if (replicas.type(replica) == MEMORY) {
      stats.memoryReplicas--;
      stats.memoryReplicaBytes -= size;
      returned.add(
          slot,
          generation,
          replicas.offsetUnits(replica),
          size,
          replicas.node(replica),
          touchedUntil,
          nowMillis);
    } else {
      stats.diskReplicas--;
    }
    replicas.release(replica);
  }

  /** Removes all replicas of a row; {@link #settle} it afterwards. */
  void dropReplicas(Shard shard, int row) {
    for (int r = shard.objects.firstReplica(row); r != 0; r = shard.objects.firstReplica(row)) {
      dropReplica(shard, r);
    }
  }

  /** Until when the reader or writer of a row may touch the bytes of its replicas. */
  private long touchedUntil(Shard shard, int row) {
    int flags = shard.objects.flags(row);
    boolean touched = (flags & ObjectRows.COMPLETE) == 0 || (flags & ObjectRows.READ) != 0;
    return touched ? shard.objects.protectionEnd(row) : ReturnedSpace.UNTOUCHED;
  }

  /** The row of a key, after the replicas whose segments are gone have been removed; or 0. */
  int find(Shard shard, ObjectKey key) {
    int row = shard.table.find(key);
    return row == 0 ? 0 : withoutDeadReplicas(shard, row);
  }

  /**
   * Removes the replicas whose segments are gone, also those of an upsert over the row. Answers the
   * row, or 0 when nothing is left.
   */
  int withoutDeadReplicas(Shard shard, int row) {
    if (shard.objects.has(row, ObjectRows.UPSERTING)) {
      withoutDeadReplicas(shard, shard.upserts.get(row));
    }
    ReplicaRows replicas = shard.replicas;
    boolean dropped = false;
    for (int r = shard.objects.firstReplica(row); r != 0; ) {
      int next = replicas.nextOfObject(r);
      int slot = replicas.slot(r);
      if (!segments.isLive(slot, slots.generation(slot))) {
        dropReplica(shard, r);
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
      orders.update(shard, row);
      return true;
    }
    orders.remove(shard, row);
    int flags = objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      stats.writesInProgress--;
    } else {
      uncount(shard, row);
      groups.leave(shard, row);
      forgetBlockChecksums(shard, row);
    }
    if ((flags & ObjectRows.SHADOW) != 0) {
      int object = objects.keyAddress(row);
      objects.clear(object, ObjectRows.UPSERTING);
      shard.upserts.remove(object);
      writers.release(objects.writer(row));
      objects.release(row);
      return false;
    }
    if ((flags & ObjectRows.UPSERTING) != 0) {
      int shadow = shard.upserts.get(row);
      orders.remove(shard, shadow);
      objects.clear(row, ObjectRows.COMPLETE);
      takeShadow(shard, row, shadow);
      orders.add(shard, row);
      return true;
    }
    erase(shard, row);
    return false;
  }

  private void erase(Shard shard, int row) {
    ObjectRows objects = shard.objects;
    clearSoftPin(shard, row);
    if (objects.has(row, ObjectRows.GROUPED)) {
      shard.memberships.remove(row);
    }
    writers.release(objects.writer(row));
    shard.table.remove(row);
    shard.keys.remove(objects.keyAddress(row));
    objects.release(row);
  }

  private void count(Shard shard, int row) {
    stats.add(shard.keys.tenant(shard.objects.keyAddress(row)), shard.objects.size(row));
  }

  private void uncount(Shard shard, int row) {
    stats.remove(shard.keys.tenant(shard.objects.keyAddress(row)), shard.objects.size(row));
  }

  // Leases and pins

  /** Leases an object to a reader from now on. */
  void lease(Shard shard, int row) {
    ObjectRows objects = shard.objects;
    long before = objects.protectionEnd(row);
    objects.set(row, ObjectRows.READ);
    extendLease(shard, row, nowMillis + config.leaseTtlMillis());
    if (objects.has(row, ObjectRows.GROUPED)) {
      groups.read(shard, row, before - nowMillis);
    }
  }

  /** Leases never become shorter. */
  void extendLease(Shard shard, int row, long endMillis) {
    if (endMillis > shard.objects.protectionEnd(row)) {
      orders.extend(shard, row, endMillis);
    }
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
      stats.softPinned++;
    }
  }

  /** Forgets the soft pin of a row, which is in no order. */
  void clearSoftPin(Shard shard, int row) {
    if (shard.objects.has(row, ObjectRows.SOFT_PINNED)) {
      shard.objects.clear(row, ObjectRows.SOFT_PINNED);
      softPins.remove(shard, row);
      stats.softPinned--;
    }
  }
}
