package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SoftPinAction;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of an {@link ObjectIndex} and the steps that change it. A step leaves tables, lists,
 * orders and counters consistent with one another; which steps a call takes is the matter of the
 * classes that {@link ObjectIndex} delegates to. These steps are in one class, though a long one,
 * since each of them must leave all tables as the others expect them.
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

  private static final int[] NO_BLOCKS = {};
  private static final int PIN_ACTION_SHIFT = 62;
  private static final long PIN_TTL_MASK = (1L << PIN_ACTION_SHIFT) - 1;

  final IndexConfig config;
  final SegmentTable segments;
  final IndexEffects effects;
  final ObjectRows objects;
  final ReplicaRows replicas;
  final KeySlab keys;
  final Slots slots;
  final Writers writers = new Writers();
  final Orders orders;
  final IndexStats stats;
  final SoftPins softPins = new SoftPins();
  final ReturnedSpace returned;
  final Groups groups = new Groups(this);
  final Evictions evictions;
  final DiskFloors floors;
  final Offloads offloads;
  final OffloadRetries retries;
  final ReplicaAdditions additions;
  final Transfers transfers;
  final Promotions promotions;
  final DrainLanes lanes;
  final Rehoming rehoming;

  /** The row of the upsert in progress over an object, for objects that have one. */
  final Int2IntOpenHashMap upserts = new Int2IntOpenHashMap();

  /** The memberships of grouped objects. */
  final Int2ObjectOpenHashMap<Membership> memberships = new Int2ObjectOpenHashMap<>();

  /** The block checksums of objects that have some. */
  private final Int2ObjectOpenHashMap<int[]> blockChecksums = new Int2ObjectOpenHashMap<>();

  /**
   * Until when somebody other than readers and writers of the object may touch a replica, for
   * replicas that are the source or target of a task.
   */
  private final Int2LongOpenHashMap holds = new Int2LongOpenHashMap();

  /** Who hears of transfers; set before there are any. */
  TransferEffects transferEffects = Transfers.UNHEARD;

  private final TableMemory tables;
  private final int firstShard;
  private final Shard[] shards;
  private long nowMillis;

  IndexCore(
      int firstShard,
      int endShard,
      IndexConfig config,
      SegmentTable segments,
      IndexEffects effects,
      IndexMemory memory) {
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
    tables = new TableMemory(memory);
    objects = new ObjectRows(tables);
    replicas = new ReplicaRows(tables, objects);
    keys = new KeySlab(tables, objects, this::rowOf);
    slots = new Slots(replicas);
    orders = new Orders(objects, replicas);
    stats = new IndexStats(orders);
    shards = new Shard[endShard - firstShard];
    for (int i = 0; i < shards.length; i++) {
      shards[i] = new Shard(firstShard + i, tables, objects, keys, config.firstSequence());
    }
    returned = new ReturnedSpace(tables, config, segments, effects, stats);
    evictions = new Evictions(this);
    floors = new DiskFloors(this);
    offloads = new Offloads(this);
    retries = new OffloadRetries(this);
    additions = new ReplicaAdditions(this);
    transfers = new Transfers(this);
    promotions = new Promotions(this);
    lanes = new DrainLanes(this);
    rehoming = new Rehoming(this);
  }

  /** Takes the time, which never goes back, and what happened to segments meanwhile. */
  void time(long millis) {
    nowMillis = Math.max(nowMillis, millis);
    floors.refresh();
  }

  /** The time that was last told, in milliseconds. */
  long now() {
    return nowMillis;
  }

  /** The first shard that this loop does not own; it owns those from {@link #firstShard} on. */
  int endShard() {
    return firstShard + shards.length;
  }

  /** What the tables outside of the heap have, in bytes. */
  long tableBytes() {
    return tables.bytes();
  }

  /** What of that objects, replicas, keys and waiting extents take, in bytes. */
  long usedTableBytes() {
    return objects.usedBytes()
        + replicas.usedBytes()
        + keys.recordBytes()
        + returned.usedBytes()
        + tables.entryBytes();
  }

  int firstShard() {
    return firstShard;
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

  /** The shard of an object or write that has a version. */
  Shard shardOf(int row) {
    return shards[Shard.of(objects.version(row)) - firstShard];
  }

  private int rowOf(int tenant, byte[] key, int length, int address) {
    long hash = KeyHash.of(tenant, key, 0, length);
    return shard(KeyHash.shard(hash)).findAt(address, hash);
  }

  // Writes

  /** A new object without a completed write. */
  int create(ObjectKey key, @Nullable String group) {
    Shard shard = shard(key);
    int row = objects.allocate();
    objects.set(row, ObjectRows.USED);
    objects.hash(row, key.place());
    objects.keyAddress(row, keys.add(key));
    shard.insert(row, key);
    if (group != null && !group.isEmpty()) {
      objects.set(row, ObjectRows.GROUPED);
      memberships.put(row, new Membership(GroupId.of(key.tenant(), group)));
    }
    return row;
  }

  /** A shadow over a complete object that has none. */
  int createShadow(int row) {
    int shadow = objects.allocate();
    objects.set(shadow, ObjectRows.USED | ObjectRows.SHADOW);
    objects.keyAddress(shadow, row);
    objects.set(row, ObjectRows.UPSERTING);
    upserts.put(row, shadow);
    return shadow;
  }

  /** Fills a row that has no replicas with a write in progress, and names it. */
  void begin(
      Shard shard, int row, long size, WriteTerms terms, ExtentList extents, StartedWrite started) {
    long version = shard.nextVersion();
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
              row,
              last,
              MEMORY,
              PROCESSING,
              extents.slot(i),
              extents.generation(i),
              extents.offsetUnits(i),
              extents.node(i));
      started.add(replicaId(last));
    }
    stats.writesInProgress++;
    orders.add(row);
  }

  /** The write of that row, a put's or a shadow, is complete: readers may have it. */
  void complete(int row, Checksum checksum) {
    orders.remove(row);
    stats.writesInProgress--;
    stats.writesCompleted++;
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      replicas.status(r, COMPLETE);
    }
    int object = row;
    long lease = 0;
    if (objects.has(row, ObjectRows.SHADOW)) {
      object = objects.keyAddress(row);
      lease = objects.protectionEnd(object);
      orders.remove(object);
      dropReplicas(object);
      uncount(object);
      takeShadow(object, row);
    }
    lanes.changed(object);
    long pin = objects.checksum(object);
    objects.set(object, ObjectRows.COMPLETE);
    objects.protectionEnd(object, Math.max(lease, nowMillis));
    storeChecksum(object, checksum);
    count(object);
    softPin(object, SoftPinAction.ofNumber((int) (pin >>> PIN_ACTION_SHIFT)), pin & PIN_TTL_MASK);
    orders.add(object);
    groups.join(object);
    offloads.written(object);
  }

  void storeChecksum(int row, Checksum checksum) {
    forgetBlockChecksums(row);
    objects.checksumKind(row, checksum.kind().number());
    objects.checksum(row, checksum.value());
    if (checksum.blocks().length > 0) {
      objects.set(row, ObjectRows.BLOCK_CHECKSUMS);
      blockChecksums.put(row, checksum.blocks());
    }
  }

  /** The block checksums of an object; empty when it has none. */
  int[] blockChecksums(int row) {
    return objects.has(row, ObjectRows.BLOCK_CHECKSUMS)
        ? blockChecksums.getOrDefault(row, NO_BLOCKS)
        : NO_BLOCKS;
  }

  private void forgetBlockChecksums(int row) {
    if (objects.has(row, ObjectRows.BLOCK_CHECKSUMS)) {
      objects.clear(row, ObjectRows.BLOCK_CHECKSUMS);
      blockChecksums.remove(row);
    }
  }

  /** Moves the write of a shadow to its object's row, which has no replicas and is in no order. */
  private void takeShadow(int row, int shadow) {
    transfers.gone(row);
    writers.release(objects.writer(row));
    objects.writer(row, objects.writer(shadow));
    objects.version(row, objects.version(shadow));
    objects.size(row, objects.size(shadow));
    objects.protectionEnd(row, objects.protectionEnd(shadow));
    objects.dataType(row, objects.dataType(shadow));
    objects.checksum(row, objects.checksum(shadow));
    objects.clear(row, ObjectRows.UPSERTING | ObjectRows.READ | ObjectRows.KEPT);
    objects.set(row, objects.flags(shadow) & ObjectRows.HARD_PINNED);
    replicas.hand(shadow, row);
    moveFirstReplicaIn(row);
    upserts.remove(row);
    objects.release(shadow);
  }

  /** The write in progress of an object: a put's own row, an upsert's shadow, or 0. */
  int write(int row) {
    int flags = objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      return row;
    }
    return (flags & ObjectRows.UPSERTING) == 0 ? 0 : upserts.get(row);
  }

  /** Gives up the write in progress of a put's row or a shadow. Its object stays as it was. */
  void abandon(int write) {
    dropReplicas(write);
    settle(write);
  }

  /** A put that was not ended within its grant: it is as if it were not there. */
  boolean isOverdue(int row) {
    return !objects.has(row, ObjectRows.COMPLETE) && nowMillis > objects.protectionEnd(row);
  }

  /**
   * Gives up a write that was not ended within its grant, so that it does not stand in the way.
   * Answers the row, or 0 when that was all there was.
   */
  int withoutOverdueWrite(int row) {
    int write = write(row);
    if (write == 0 || nowMillis <= objects.protectionEnd(write)) {
      return row;
    }
    abandon(write);
    stats.writesReaped++;
    return write == row ? 0 : row;
  }

  // Replicas

  /**
   * Adds a replica to an object or write, behind its last one (0: it has none); answers its row.
   */
  int addReplica(
      int row,
      int behind,
      int type,
      int status,
      int slot,
      long generation,
      long offsetUnits,
      int node) {
    slots.open(slot, generation);
    int replica = replicas.add(row, behind);
    replicas.number(replica, shardOf(row).nextReplicaNumber());
    replicas.where(replica, slot, offsetUnits, node, type, status);
    long size = objects.size(row);
    slots.add(replica, size);
    if (type == MEMORY) {
      stats.memoryReplicas++;
      stats.memoryReplicaBytes += size;
    } else {
      stats.diskReplicas++;
      if (segments.takesReplicas(slot, generation)) {
        objects.clear(row, ObjectRows.KEPT);
      }
    }
    lanes.added(replica);
    return replica;
  }

  /**
   * Removes a replica; {@link #settle} its row afterwards. Its space waits for who may touch it.
   */
  void dropReplica(int replica) {
    int row = replicas.object(replica);
    Offloads.Offload reader =
        objects.has(row, ObjectRows.OFFLOADING) ? offloads.dropped(row, replica) : null;
    // What is complete is held by tasks of its own node; what is not, by who writes it.
    boolean written = replicas.status(replica) == PROCESSING;
    boolean addition = written && objects.has(row, ObjectRows.COMPLETE);
    if (addition) {
      additions.dropped(replica);
    }
    if (objects.has(row, ObjectRows.PROMOTING)) {
      promotions.dropped(row, replica);
    }
    int slot = replicas.slot(replica);
    long size = objects.size(row);
    long touchedUntil = touchedUntil(row);
    long heldUntil = removeHold(replica);
    long generation = slots.generation(slot);
    replicas.unlink(replica);
    slots.remove(replica, size);
    lanes.dropped(replica, Math.max(touchedUntil, written ? heldUntil : 0));
    if (replicas.type(replica) == MEMORY) {
      stats.memoryReplicas--;
      stats.memoryReplicaBytes -= size;
      long offsetUnits = replicas.offsetUnits(replica);
      int node = replicas.node(replica);
      if (reader != null) {
        offloads.park(reader, slot, generation, offsetUnits, size, node, touchedUntil);
      } else {
        long until = Math.max(touchedUntil, addition ? lateWritesEnd(slot, heldUntil) : heldUntil);
        returned.add(slot, generation, offsetUnits, size, node, until, nowMillis);
      }
    } else {
      stats.diskReplicas--;
    }
    replicas.release(replica);
  }

  /**
   * Until when a write that is given up now may still reach a segment, given when its writer must
   * have stopped. A client of Mooncake that lends memory knows no deadlines: what it had received
   * by now it may write later, when it hung.
   */
  private long lateWritesEnd(int slot, long writerStopsMillis) {
    return segments.reach(slot).owner() == ClientProtocol.MOONCAKE
        ? Math.max(writerStopsMillis, nowMillis + config.mooncakeGrantMillis())
        : writerStopsMillis;
  }

  /**
   * Moves the first replica of an object into the object's own row, which has no replica of its own
   * any more: a row less, and nearer. Not while anybody else may know the replica's row.
   */
  private void moveFirstReplicaIn(int row) {
    int first = replicas.first(row);
    int busy =
        ObjectRows.SHADOW | ObjectRows.OFFLOADING | ObjectRows.PROMOTING | ObjectRows.REPLICATING;
    if (first != 0
        && !replicas.isInObject(first)
        && (objects.flags(row) & busy) == 0
        && replicas.references(first) == 0
        && !holds.containsKey(first)
        && !lanes.isOnSource(first)) {
      replicas.moveIn(first);
      slots.moved(first, row);
      replicas.release(first);
    }
  }

  /** Adds a complete replica on a disk behind those that an object has. */
  void addDiskReplica(int row, int slot, long generation) {
    addReplica(row, lastReplica(row), LOCAL_DISK, COMPLETE, slot, generation, 0, 0);
    settle(row);
  }

  /** The last replica of an object; 0 when it has none. */
  int lastReplica(int row) {
    int last = replicas.first(row);
    while (last != 0 && replicas.nextOfObject(last) != 0) {
      last = replicas.nextOfObject(last);
    }
    return last;
  }

  /** Whether replicas may be made in those extents. */
  ErrorCode checkExtents(ExtentList extents) {
    if (extents.size() == 0) {
      return ErrorCode.INVALID_PARAMS;
    }
    for (int i = 0; i < extents.size(); i++) {
      int slot = extents.slot(i);
      if (slot < 0
          || slot > ReplicaRows.MAX_SLOT
          || extents.offsetUnits(i) > ReplicaRows.MAX_OFFSET_UNITS) {
        return ErrorCode.INVALID_PARAMS;
      }
      if (!segments.isLive(slot, extents.generation(i))) {
        return ErrorCode.SEGMENT_NOT_FOUND;
      }
    }
    return ErrorCode.OK;
  }

  /** The replica of an object in that slot; 0 when it has none. */
  int replicaIn(int row, int slot) {
    int r = replicas.first(row);
    while (r != 0 && replicas.slot(r) != slot) {
      r = replicas.nextOfObject(r);
    }
    return r;
  }

  /** The {@link KeyHash} of an object, from its key. */
  long hash(int row) {
    int address = objects.keyAddress(row);
    return KeyHash.of(keys.tenant(address), keys.key(address), 0, keys.keyLength(address));
  }

  /** The replica of an object that has that id; 0 when it has none. */
  int findReplica(int row, long id) {
    int r = replicas.first(row);
    while (r != 0 && replicaId(r) != id) {
      r = replicas.nextOfObject(r);
    }
    return r;
  }

  /** The id of a replica: unique in the master's life. */
  long replicaId(int replica) {
    return shardOf(replicas.object(replica)).replicaId(replicas.number(replica));
  }

  /** Somebody may touch a replica until then. Holds never become shorter. */
  void hold(int replica, long untilMillis) {
    if (untilMillis > holds.get(replica)) {
      holds.put(replica, untilMillis);
    }
  }

  /** Until when somebody may touch a replica, as {@link #hold} was told; 0 when nobody may. */
  long heldUntil(int replica) {
    return holds.get(replica);
  }

  /** Forgets the hold on a replica; answers until when it was, or 0. */
  long removeHold(int replica) {
    return holds.isEmpty() ? 0 : holds.remove(replica);
  }

  /** Removes all replicas of a row; {@link #settle} it afterwards. */
  void dropReplicas(int row) {
    for (int r = replicas.first(row); r != 0; r = replicas.first(row)) {
      dropReplica(r);
    }
  }

  /** Until when the reader or writer of a row may touch the bytes of its replicas. */
  private long touchedUntil(int row) {
    int flags = objects.flags(row);
    boolean touched = (flags & ObjectRows.COMPLETE) == 0 || (flags & ObjectRows.READ) != 0;
    return touched ? objects.protectionEnd(row) : ReturnedSpace.UNTOUCHED;
  }

  /** The row of a key, after the replicas whose segments are gone have been removed; or 0. */
  int find(ObjectKey key) {
    int row = shard(key).find(key);
    return row == 0 ? 0 : withoutDeadReplicas(row);
  }

  /** The same for an object with a completed write, or 0. */
  int findComplete(ObjectKey key) {
    int row = find(key);
    return row != 0 && objects.has(row, ObjectRows.COMPLETE) ? row : 0;
  }

  /**
   * Removes the replicas whose segments are gone, also those of an upsert over the row. Answers the
   * row, or 0 when nothing is left.
   */
  int withoutDeadReplicas(int row) {
    if (objects.has(row, ObjectRows.UPSERTING)) {
      withoutDeadReplicas(upserts.get(row));
    }
    boolean dropped = false;
    for (int r = replicas.first(row); r != 0; ) {
      int next = replicas.nextOfObject(r);
      int slot = replicas.slot(r);
      if (!segments.isLive(slot, slots.generation(slot))) {
        dropReplica(r);
        dropped = true;
      }
      r = next;
    }
    return !dropped || settle(row) ? row : 0;
  }

  /**
   * After replicas came or went: keeps the row's place in the orders right; removes it when it has
   * no replica left, or only such that are being added. Answers whether it is still there.
   */
  boolean settle(int row) {
    lanes.changed(row);
    if (objects.has(row, ObjectRows.COMPLETE) && !hasCompleteReplica(row)) {
      dropReplicas(row);
    }
    if (replicas.first(row) != 0) {
      moveFirstReplicaIn(row);
      orders.update(row);
      return true;
    }
    orders.remove(row);
    int flags = objects.flags(row);
    if ((flags & ObjectRows.COMPLETE) == 0) {
      stats.writesInProgress--;
    } else {
      uncount(row);
      groups.leave(row);
      forgetBlockChecksums(row);
    }
    if ((flags & ObjectRows.SHADOW) != 0) {
      int object = objects.keyAddress(row);
      objects.clear(object, ObjectRows.UPSERTING);
      upserts.remove(object);
      lanes.changed(object);
      writers.release(objects.writer(row));
      objects.release(row);
      return false;
    }
    if ((flags & ObjectRows.UPSERTING) != 0) {
      int shadow = upserts.get(row);
      orders.remove(shadow);
      objects.clear(row, ObjectRows.COMPLETE);
      takeShadow(row, shadow);
      orders.add(row);
      return true;
    }
    erase(row);
    return false;
  }

  private boolean hasCompleteReplica(int row) {
    int r = replicas.first(row);
    while (r != 0 && replicas.status(r) != COMPLETE) {
      r = replicas.nextOfObject(r);
    }
    return r != 0;
  }

  private void erase(int row) {
    transfers.gone(row);
    clearSoftPin(row);
    if (objects.has(row, ObjectRows.GROUPED)) {
      memberships.remove(row);
    }
    writers.release(objects.writer(row));
    shardOf(row).remove(row);
    keys.remove(objects.keyAddress(row));
    objects.release(row);
  }

  void count(int row) {
    stats.add(keys.tenant(objects.keyAddress(row)), objects.size(row));
  }

  private void uncount(int row) {
    stats.remove(keys.tenant(objects.keyAddress(row)), objects.size(row));
  }

  // Leases and pins

  /** Leases an object to a reader from now on. */
  void lease(int row) {
    long before = objects.protectionEnd(row);
    objects.set(row, ObjectRows.READ);
    extendLease(row, nowMillis + config.leaseTtlMillis());
    if (objects.has(row, ObjectRows.GROUPED)) {
      groups.read(row, before - nowMillis);
    }
  }

  /** Leases never become shorter. */
  void extendLease(int row, long endMillis) {
    if (endMillis > objects.protectionEnd(row)) {
      orders.extend(row, endMillis);
    }
  }

  /** Does to the soft pin of a row, which is in no order, what its write asked for. */
  void softPin(int row, SoftPinAction action, long ttlMillis) {
    if (action == SoftPinAction.PRESERVE) {
      return;
    }
    clearSoftPin(row);
    if (action == SoftPinAction.ENABLE && ttlMillis > 0) {
      objects.set(row, ObjectRows.SOFT_PINNED);
      softPins.add(row, nowMillis + Math.min(ttlMillis, ObjectRows.MAX_MILLIS));
      stats.softPinned++;
    }
  }

  /** Forgets the soft pin of a row, which is in no order. */
  void clearSoftPin(int row) {
    if (objects.has(row, ObjectRows.SOFT_PINNED)) {
      objects.clear(row, ObjectRows.SOFT_PINNED);
      softPins.remove(row);
      stats.softPinned--;
    }
  }
}
