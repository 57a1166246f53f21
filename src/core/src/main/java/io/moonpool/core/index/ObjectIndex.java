package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import it.unimi.dsi.fastutil.ints.IntCollection;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one metadata loop: its part of the 1,024 object shards.
 *
 * <p>The loop is the only thread that calls it. The time is an argument of every call, in
 * milliseconds of the observed clock; a call with an earlier time than the last counts as made at
 * that time. Batches are loops of the caller, with one {@link ObjectKey} pointed at one key after
 * the other.
 *
 * <p>It is long because it is the whole contract of the index in one place; each method leads to
 * the class that does the work.
 *
 * <p>Errors are answers, in the terms of {@link ErrorCode}. An exception is a bug of the caller: a
 * key of a shard that another loop owns, a slot that was given away before it was swept.
 *
 * <h2>Writing</h2>
 *
 * In one turn of the loop: {@link #checkPutStart}, then choose extents, then {@link #putStart} with
 * them. When the start call answers an error the extents are still the caller's. From OK on they
 * are the index's, and come back through {@link IndexEffects#free} when nobody can touch them any
 * more.
 *
 * <h2>Walks</h2>
 *
 * Calls that may visit many objects take a budget, which they ask before each one. They visit what
 * they work on and nothing else, but for {@link #walk} and {@link #removeMatching}, which visit all
 * objects since that is what they were asked for.
 *
 * <h2>Time and space</h2>
 *
 * A reader may read until the end of its lease, a writer may write until the end of its grant, each
 * plus the clock skew. Space that is given up before then waits, and {@link #releaseQuarantine}
 * frees it. {@link #nextDeadlineMillis} says when there is something to do for that, for {@link
 * #reapWrites} and for {@link #expireSoftPins}.
 *
 * <h2>Groups</h2>
 *
 * A group belongs to the shard of its {@link GroupId}, its members to the shards of their keys.
 * Where these are on different loops, {@link ShardMail} goes between them: {@link
 * IndexEffects#send} emits it, {@link #accept} takes it.
 */
public final class ObjectIndex {
  /** Stands for the version of a writer that was told none: its protocol has no versions. */
  public static final long ANY_VERSION = -1;

  /** How many object shards there are in all loops together. */
  public static final int SHARDS = 1024;

  final IndexCore core;
  private final Writes writes;
  private final Reads reads;
  private final Removals removals;
  private final Walks walks;
  private final Sweeps sweeps;
  private final Preload preload;
  private final DiskReports reports;

  /**
   * An empty index of the shards from {@code firstShard} to before {@code endShard}, in the memory
   * of {@link IndexMemory#ofProcess}.
   *
   * @param segments the loop's own view; the index asks it which replicas are there and served
   */
  public ObjectIndex(
      int firstShard,
      int endShard,
      IndexConfig config,
      SegmentTable segments,
      IndexEffects effects) {
    this(firstShard, endShard, config, segments, effects, IndexMemory.ofProcess());
  }

  /** The same with its tables in that memory. */
  public ObjectIndex(
      int firstShard,
      int endShard,
      IndexConfig config,
      SegmentTable segments,
      IndexEffects effects,
      IndexMemory memory) {
    core = new IndexCore(firstShard, endShard, config, segments, effects, memory);
    writes = new Writes(core);
    reads = new Reads(core);
    removals = new Removals(core);
    walks = new Walks(core);
    sweeps = new Sweeps(core);
    preload = new Preload(core);
    reports = new DiskReports(core);
  }

  /**
   * Reads ahead what calls for keys with these hashes will touch. Worth its while for batches over
   * many objects, where nearly every access waits for memory: the waits overlap. Changes nothing.
   *
   * @param hashes of keys of this loop's shards, those from {@code from} to before {@code to}; some
   *     hundred at a time
   */
  public void preload(long[] hashes, int from, int to) {
    preload.run(hashes, from, to);
  }

  // Writing

  /**
   * Whether a put may start, before space is looked for: {@link #putStart} with extents will answer
   * the same in this turn of the loop.
   *
   * @return OK; INVALID_KEY, INVALID_PARAMS (empty key, size out of range); OBJECT_ALREADY_EXISTS
   */
  public ErrorCode checkPutStart(ObjectKey key, long size, long nowMillis) {
    core.time(nowMillis);
    return finish(writes.checkPutStart(key, size));
  }

  /**
   * Starts to put an object that does not exist. Takes the place of an unfinished put whose grant
   * has ended.
   *
   * @param size bytes of the object, 1 to 2<sup>36</sup> - 1
   * @param group the group that the object will belong to; null or empty for none
   * @param extents one per replica, each of a live segment and of at least {@code size} bytes
   * @param started filled on OK, one replica per extent in the same order
   * @return OK; INVALID_KEY; INVALID_PARAMS; OBJECT_ALREADY_EXISTS; SEGMENT_NOT_FOUND when an
   *     extent belongs to a mount that this loop knows to be gone, or does not know
   */
  public ErrorCode putStart(
      ObjectKey key,
      long size,
      WriteTerms terms,
      @Nullable String group,
      ExtentList extents,
      long nowMillis,
      StartedWrite started) {
    core.time(nowMillis);
    return finish(writes.putStart(key, size, terms, group, extents, started));
  }

  /**
   * Whether an upsert may start, before space is looked for.
   *
   * @param group as in {@link #upsertStart}
   * @return OK; INVALID_KEY; INVALID_PARAMS, also when an object has another group;
   *     OBJECT_HAS_REPLICATION_TASK while a copy or move of the object is in progress that a user
   *     asked for
   */
  public ErrorCode checkUpsertStart(
      ObjectKey key, long size, @Nullable String group, long nowMillis) {
    core.time(nowMillis);
    return finish(writes.checkUpsertStart(key, size, group));
  }

  /**
   * Starts to put an object that may exist. Its value, pins and lease stay as they are until the
   * end call. A write of the same key that is in progress, put or upsert, is given up.
   *
   * @param group null to keep the object's group, or to have none if there is no object; an object
   *     that has a completed write cannot change its group, and empty means that it has none
   * @return what {@link #checkUpsertStart} answers, or SEGMENT_NOT_FOUND as {@link #putStart}
   */
  public ErrorCode upsertStart(
      ObjectKey key,
      long size,
      WriteTerms terms,
      @Nullable String group,
      ExtentList extents,
      long nowMillis,
      StartedWrite started) {
    core.time(nowMillis);
    return finish(writes.upsertStart(key, size, terms, group, extents, started));
  }

  /**
   * Makes a written object visible, with a lease that ends now unless it has a longer one.
   * Repeating it for the write that the object has is OK. A write that ran out of its grant may
   * still end while nothing took its place.
   *
   * @param version from the start call; {@link #ANY_VERSION} for whatever the writer has in
   *     progress
   * @return OK; OBJECT_NOT_FOUND; ILLEGAL_CLIENT when the write in progress, or the object when
   *     there is none, is another writer's; INVALID_WRITE when that version is not in progress;
   *     PERSISTENT_FAIL, and nothing happened, when it needs floors while these are refused
   */
  public ErrorCode end(
      ObjectKey key, UUID writer, long version, Checksum checksum, long nowMillis) {
    core.time(nowMillis);
    return finish(writes.end(key, writer, version, checksum));
  }

  /**
   * Gives up a write; an upsert leaves the old value.
   *
   * @param version from the start call; {@link #ANY_VERSION} for whatever the writer has in
   *     progress
   * @return OK; OBJECT_NOT_FOUND; ILLEGAL_CLIENT; INVALID_WRITE when that version is not in
   *     progress
   */
  public ErrorCode revoke(ObjectKey key, UUID writer, long version, long nowMillis) {
    core.time(nowMillis);
    return finish(writes.revoke(key, writer, version));
  }

  // Reading

  /**
   * Locates an object for reading and leases it until now plus the lease time.
   *
   * @param sink takes the answer when it is OK, and nothing otherwise
   * @return OK; OBJECT_NOT_FOUND; REPLICA_IS_NOT_READY when there is an object but none of its
   *     replicas can be read now
   */
  public ErrorCode locate(ObjectKey key, long nowMillis, LocationSink sink) {
    core.time(nowMillis);
    return finish(reads.locate(key, sink));
  }

  /** Whether {@link #locate} would find the object; leases it if so. */
  public boolean exists(ObjectKey key, long nowMillis) {
    core.time(nowMillis);
    boolean exists = reads.exists(key);
    core.groups.deliverSome();
    return exists;
  }

  /**
   * Shows an object without leasing it. One that is being put shows its unfinished replicas.
   *
   * @return OK; OBJECT_NOT_FOUND, and the visitor is not called
   */
  public ErrorCode describe(ObjectKey key, long nowMillis, ObjectVisitor visitor) {
    core.time(nowMillis);
    return walks.describe(key, visitor);
  }

  // Removing

  /**
   * Removes an object, whatever its pins. One that is not in the index stays away, too: when a disk
   * may still bring it, floors see to it that it does not.
   *
   * @param force also under a lease
   * @return OK; OBJECT_NOT_FOUND; OBJECT_HAS_LEASE; REPLICA_IS_NOT_READY while the object is being
   *     written, by an upsert included; OBJECT_HAS_REPLICATION_TASK; PERSISTENT_FAIL, and nothing
   *     happened, when it needs floors while these are refused
   */
  public ErrorCode remove(ObjectKey key, boolean force, long nowMillis) {
    core.time(nowMillis);
    return finish(removals.remove(key, force));
  }

  /**
   * Begins to remove all objects of this loop whose keys are chosen; the answer does it in steps.
   *
   * @param keys chooses them; what it answers as {@link KeyPredicate#lasting} is asked for as long
   *     as disks are not there
   * @param force also under a lease
   */
  public MatchingRemoval removeMatching(KeyPredicate keys, boolean force, long nowMillis) {
    core.time(nowMillis);
    return new MatchingRemoval(core, removals, keys, force);
  }

  // Walks

  /**
   * A step of showing all objects that have a completed write, loop by loop. An object that is
   * there from the first step to the last is shown exactly once.
   *
   * <p>The walk stops when its budget or the visitor says so, and at the end of this loop's
   * objects: its answer then names the first shard behind this loop's, and is given to the loop
   * that owns it ({@link #shardOfCursor}).
   *
   * @param cursor 0 to start with shard 0, or what the last step answered
   * @param mayContinue asked before each row
   * @return where the next step goes on, 0 when all shards have been walked
   */
  public long walk(
      long cursor, long nowMillis, BooleanSupplier mayContinue, ObjectVisitor visitor) {
    core.time(nowMillis);
    return walks.visit(cursor, mayContinue, visitor);
  }

  /** True for 0 and for what a step of a walk may answer; all else leads nowhere. */
  public static boolean isCursor(long cursor) {
    return cursor >= 0 && cursor < Walks.END;
  }

  /** The shard whose loop goes on with a cursor. */
  public static int shardOfCursor(long cursor) {
    return Walks.shardOf(cursor);
  }

  /** The cursor that starts with the objects of the loop that owns a shard. */
  public static long cursorOfShard(int shard) {
    return Walks.cursor(shard, 0);
  }

  /**
   * A step of removing all replicas on a segment, unfinished ones included, after the loop's
   * segment table says that it is going away. Objects and writes that have no replica left are
   * gone.
   *
   * @param mayContinue asked before each replica
   * @return true when no replica is left
   */
  public boolean sweep(int slot, long generation, long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    boolean done = sweeps.sweep(slot, generation, mayContinue);
    core.groups.deliverSome();
    return done;
  }

  /**
   * A step of evicting objects from memory: those whose lease ended first go first, exactly so over
   * all shards of this loop. An object under a lease, hard-pinned, or read by a task is not
   * evicted, nor is a replica on a segment that takes no new ones: drained, or its node not heard
   * from. With {@link OffloadPolicy#onEvict} an object that no disk has is queued for offload
   * instead, and counts for the goal; its memory goes when it is on disk, unless it was read
   * meanwhile. A group goes as a whole, when none of its members is under a lease; so the goal may
   * be exceeded.
   *
   * @param tier which objects; soft pins that have run out do not count
   * @param maxObjects stop when that many objects were evicted
   * @param maxBytes stop when replicas of that many bytes were evicted
   * @param mayContinue asked before each object
   */
  public Evicted evict(
      EvictionTier tier,
      long maxObjects,
      long maxBytes,
      long nowMillis,
      BooleanSupplier mayContinue) {
    core.time(nowMillis);
    return core.evictions.evict(tier, maxObjects, maxBytes, mayContinue);
  }

  /** Tells that the next {@link #evict} begins another eviction, and does not go on with one. */
  public void beginEviction() {
    core.evictions.beginCycle();
  }

  /**
   * Bytes that evictions get back as soon as nodes have them on disk. Those of nodes that are not
   * heard from do not count.
   */
  public long deferredBytes() {
    core.floors.refresh();
    return core.floors.deferredBytes();
  }

  /**
   * The bytes of replicas on memory segments that take new objects: what eviction is about. Visits
   * every slot.
   */
  public long allocatableBytes() {
    return onAllocatable(core.slots::bytes);
  }

  /** How many replicas are on memory segments that take new objects. Visits every slot. */
  public long allocatableReplicas() {
    return onAllocatable(core.slots::replicas);
  }

  private long onAllocatable(IntToLongFunction figure) {
    long sum = 0;
    for (int slot = 0; slot < core.segments.slots(); slot++) {
      if (core.segments.isAllocatable(slot, core.segments.generation(slot))) {
        sum += figure.applyAsLong(slot);
      }
    }
    return sum;
  }

  /** How many objects cannot be evicted now because they are being copied to a disk. */
  public int offloadsUnderWay() {
    return core.offloads.underWay();
  }

  // Timed work

  /**
   * Frees the space whose waiting time is over.
   *
   * @param mayContinue asked before each extent
   * @return true when nothing is left to free now
   */
  public boolean releaseQuarantine(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    return core.returned.release(core.now(), mayContinue);
  }

  /**
   * Gives up writes that were not ended within their grant, and replicas that were not committed
   * within theirs. Their space returns through the quarantine.
   *
   * @param mayContinue asked before each
   * @return true when nothing is left to give up now
   */
  public boolean reapWrites(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    boolean done =
        writes.reap(mayContinue)
            && core.transfers.reap(mayContinue)
            && core.additions.reap(mayContinue);
    core.groups.deliverSome();
    return done;
  }

  /**
   * Un-pins objects whose soft pin has run out.
   *
   * @param mayContinue asked before each object
   * @return true when nothing is left to un-pin now
   */
  public boolean expireSoftPins(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    return core.evictions.expireSoftPins(mayContinue);
  }

  /**
   * When the next timed work is due: space leaves quarantine, an unfinished write or replica runs
   * out of its grant, a soft pin runs out. {@link Long#MAX_VALUE} when there is none.
   */
  public long nextDeadlineMillis() {
    long grantEnd = core.orders.writes.firstKey();
    long returns = Math.min(core.returned.nextMillis(), core.softPins.nextMillis());
    long disks =
        core.floors.hasTrash()
            ? core.now()
            : Math.min(core.offloads.nextMillis(), core.promotions.nextMillis());
    return Math.min(
        Math.min(
            Math.min(returns, disks),
            Math.min(
                core.lanes.nextMillis(),
                Math.min(core.transfers.nextMillis(), core.additions.nextMillis()))),
        grantEnd == LeaseOrder.EMPTY ? Long.MAX_VALUE : grantEnd + 1);
  }

  /**
   * Gives up memory that nodes have read for too long, offloads to disks that are gone, promotions
   * that no node takes, and floors that no disk needs.
   *
   * @param mayContinue asked before each
   * @return true when nothing is left of that now
   */
  public boolean tendDisks(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    boolean done =
        core.offloads.reap(mayContinue)
            && core.promotions.reap(mayContinue)
            && core.floors.trim(mayContinue);
    core.groups.deliverSome();
    return done;
  }

  // Groups

  /** Takes mail that another loop's index sent. */
  public void accept(ShardMail mail, long nowMillis) {
    core.time(nowMillis);
    core.groups.accept(mail);
    core.groups.deliverSome();
  }

  /**
   * Delivers mail between shards of this loop that no call has got to yet: large groups leave some
   * behind.
   *
   * @param mayContinue asked before each piece
   * @return true when none is left
   */
  public boolean deliverMail(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    return core.groups.deliver(mayContinue);
  }

  // Replicas of objects that are there

  /** Copies and moves. */
  public Transfers transfers() {
    return core.transfers;
  }

  /** The lanes of drain jobs. */
  public DrainLanes lanes() {
    return core.lanes;
  }

  /** Names who hears of copies, moves and drains; before there are any. */
  public void transferEffects(TransferEffects effects) {
    core.transferEffects = effects;
  }

  // Disks

  /**
   * Makes a disk known, absent until it is mounted: while the master starts, from its journal. A
   * disk that the loop's segment table shows is known by that alone.
   *
   * @param disk the journal's number of it, at least 1
   * @param deadBelow records on it with a lower version are dead; 0 for none
   * @param voided everything on it is dead, so no floors are kept for it
   */
  public void addDisk(int disk, long deadBelow, boolean voided) {
    core.floors.add(disk, deadBelow, voided);
  }

  /**
   * Takes a floor over from the journal while the master starts. Floors of other loops' keys are
   * passed over.
   *
   * @param disk as in {@link IndexEffects#floor}; must have been added
   */
  public void restoreFloor(int disk, long keyHash, long version) {
    core.floors.restore(disk, keyHash, version);
  }

  /**
   * Takes the floor of a removal by pattern over from the journal while the master starts. One of
   * other loops' shards is passed over.
   *
   * @param disks those that need it; must have been added
   */
  public void restorePattern(PatternFloor floor, IntCollection disks) {
    core.floors.restore(floor, disks);
  }

  /**
   * With how many removals by pattern {@link #reportDisk} compares a record now: what it costs
   * grows with them.
   */
  public int patternFloors() {
    return core.floors.patterns().size();
  }

  /**
   * Gives a disk up that was absent for too long: all that it holds is dead, and its floors are
   * forgotten. Nothing happens to a disk that is mounted.
   *
   * @param deadBelow a version that no write had when the disk went, and any later one has
   */
  public void voidDisk(int disk, long deadBelow, long nowMillis) {
    core.time(nowMillis);
    core.floors.makeVoid(disk, deadBelow);
  }

  /** Forgets an absent disk that does not exist any more. */
  public void forgetDisk(int disk, long nowMillis) {
    core.time(nowMillis);
    core.floors.forget(disk);
  }

  /**
   * While the journal cannot make floors durable: calls that need some answer PERSISTENT_FAIL and
   * do nothing.
   */
  public void refuseFloors(boolean refuse) {
    core.floors.refuse(refuse);
  }

  /**
   * Takes over a record that a node found on its disk.
   *
   * @param slot the disk's
   * @param generation the disk's mount
   * @return OK when it is registered: the object was created, got a replica, had it already, or had
   *     an older version, which is replaced; INVALID_VERSION when the record is dead and the node
   *     writes a tombstone; UNAVAILABLE_IN_CURRENT_STATUS while a write of the key is in progress:
   *     report it again; INVALID_KEY; INVALID_PARAMS when key, size or version cannot be right;
   *     SEGMENT_NOT_FOUND; UNABLE_OFFLOADING when the disk takes nothing new, and its scan is
   *     complete
   */
  public ErrorCode reportDisk(
      ObjectKey key, StoredObject record, int slot, long generation, long nowMillis) {
    core.time(nowMillis);
    return finish(reports.report(key, record, slot, generation));
  }

  /**
   * The node has reported every record of its disk, none of them waits to be reported again, and
   * the tombstones of the dead ones are durable. Floors that only this scan needed are forgotten.
   * When every loop was told, the journal is.
   *
   * @return OK; SEGMENT_NOT_FOUND
   */
  public ErrorCode completeScan(int slot, long generation, long nowMillis) {
    core.time(nowMillis);
    return core.floors.scanned(slot, generation);
  }

  /** Whether the scan of that mount of a disk is complete. */
  public boolean isScanned(int slot, long generation) {
    core.floors.refresh();
    return core.floors.isScanned(slot, generation);
  }

  /**
   * The node is about to delete a record from its disk for want of space, and will not report it
   * again.
   *
   * @param version of the record
   * @return OK; OBJECT_NOT_FOUND or REPLICA_NOT_FOUND when the index has nothing of it, which is as
   *     good; SEGMENT_NOT_FOUND
   */
  public ErrorCode dropDisk(
      ObjectKey key, long version, int slot, long generation, long nowMillis) {
    core.time(nowMillis);
    return finish(reports.evicted(key, version, slot, generation));
  }

  /**
   * Objects that a node shall copy from its memory to its disk. Each stays where it is until {@link
   * #settleOffload}, or until the node must have stopped to read it.
   *
   * @param max at most so many
   * @return how many the sink took
   */
  public int takeOffloads(int slot, long generation, int max, long nowMillis, OffloadSink sink) {
    core.time(nowMillis);
    return core.offloads.take(slot, generation, max, sink);
  }

  /**
   * What became of an offload that the node took in this mount of its disk.
   *
   * @param version the object's, as it was taken
   * @param stored the record is durable on the disk; otherwise there is none
   * @return OK; INVALID_VERSION when the object was removed or overwritten meanwhile, or
   *     UNABLE_OFFLOADING when the disk takes no replicas any more: in both cases the node deletes
   *     the record; SEGMENT_NOT_FOUND when the disk was mounted anew: the scan reports the record
   */
  public ErrorCode settleOffload(
      ObjectKey key, long version, int slot, long generation, boolean stored, long nowMillis) {
    core.time(nowMillis);
    return finish(core.offloads.settle(key, version, slot, generation, stored));
  }

  /**
   * A walk over a memory segment that its node takes back for good: what is nowhere else is queued
   * for the node's disk, and counted. With {@link OffloadPolicy#enabled} off it only counts.
   *
   * @param remaining is shown each object that is in memory only, during the steps of the walk
   */
  public SegmentOffload offloadSegment(int slot, long generation, ObjectVisitor remaining) {
    return new SegmentOffload(core, slot, generation, remaining);
  }

  /** What is copied from disks back to memory. */
  public Promotions promotions() {
    return core.promotions;
  }

  /**
   * Records on a disk that are dead, for the node to write tombstones. What is not acknowledged is
   * told again after a while.
   *
   * @param max at most so many
   * @return how many the sink took
   */
  public int takeDropped(int slot, long generation, int max, long nowMillis, DroppedSink sink) {
    core.time(nowMillis);
    return core.floors.tell(slot, generation, max, sink);
  }

  /**
   * The tombstone of a record that {@link #takeDropped} told is durable, or there was no such
   * record. Acknowledgements come in the order told.
   *
   * @param keyHash {@link KeyHash} of its tenant and key
   * @param version as told
   * @return the floor that is forgotten by that, so that the journal may forget it, too; 0 when
   *     none is
   */
  public long ackDropped(int slot, long generation, long keyHash, long version, long nowMillis) {
    core.time(nowMillis);
    return core.floors.acknowledge(slot, generation, keyHash, version);
  }

  /**
   * The highest sequence number that the next version of a shard may get. Versions are 1,024 times
   * as large. Visits every shard.
   */
  public long nextSequence() {
    long next = 0;
    for (int shard = core.firstShard(); shard < core.endShard(); shard++) {
      next = Math.max(next, core.shard(shard).nextSequence());
    }
    return next;
  }

  // Figures

  /** Counters of this loop. */
  public IndexStats stats() {
    return core.stats;
  }

  /** How many replicas this loop has in a segment slot. */
  public long replicasInSlot(int slot) {
    return core.slots.replicas(slot);
  }

  /** How many bytes the replicas have that this loop has in a segment slot. */
  public long bytesInSlot(int slot) {
    return core.slots.bytes(slot);
  }

  /**
   * What keys, objects, replicas and their tables take, in bytes: nearly all of the index. Visits
   * every shard.
   */
  public long memoryBytes() {
    long bytes = core.objects.bytes() + core.replicas.bytes() + core.keys.bytes();
    for (int shard = core.firstShard(); shard < core.endShard(); shard++) {
      bytes += core.shard(shard).bytes();
    }
    return bytes;
  }

  /**
   * What the tables outside of the heap have taken from the process's memory, in bytes: most of the
   * index. They never give anything back, but use again what became free. Any thread may call it,
   * and may see a value that is a little old.
   */
  public long tableBytes() {
    return core.tableBytes();
  }

  /** What of {@link #tableBytes} objects, replicas and keys take now. Any thread, like that. */
  public long usedTableBytes() {
    return core.usedTableBytes();
  }

  /** How many groups with members belong to shards of this loop. */
  public int groups() {
    return core.groups.count();
  }

  private ErrorCode finish(ErrorCode code) {
    core.groups.deliverSome();
    return code;
  }
}
