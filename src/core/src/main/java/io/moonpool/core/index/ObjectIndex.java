package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * The objects of one metadata loop: its part of the 1,024 object shards.
 *
 * <p>The loop is the only thread that calls it. The time is an argument of every call, in
 * milliseconds of the observed clock; a call with an earlier time than the last counts as made at
 * that time. Batches are loops of the caller, with one {@link ObjectKey} pointed at one key after
 * the other. Every call costs what it touches: a key, or the items of a walk, each of which asks
 * its budget before it goes on.
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
 * <h2>Time and space</h2>
 *
 * A reader may read until the end of its lease, a writer may write until the end of its grant, each
 * plus the clock skew. Space that is given up before then waits, and {@link #releaseQuarantine}
 * frees it. {@link #nextDeadlineMillis} says when there is something to do.
 */
public final class ObjectIndex {
  /** How many object shards there are in all loops together. */
  public static final int SHARDS = 1024;

  private final IndexCore core;
  private final Writes writes;
  private final Reads reads;
  private final Removals removals;

  /**
   * An empty index of the shards from {@code firstShard} to before {@code endShard}.
   *
   * @param segments the loop's own view; the index asks it which replicas are there and served
   */
  public ObjectIndex(
      int firstShard,
      int endShard,
      IndexConfig config,
      SegmentTable segments,
      IndexEffects effects) {
    core = new IndexCore(firstShard, endShard, config, segments, effects);
    writes = new Writes(core);
    reads = new Reads(core);
    removals = new Removals(core);
  }

  /**
   * Whether a put may start, before space is looked for: {@link #putStart} with extents will answer
   * the same in this turn of the loop.
   *
   * @return OK; INVALID_KEY, INVALID_PARAMS (empty key, size out of range); OBJECT_ALREADY_EXISTS
   */
  public ErrorCode checkPutStart(ObjectKey key, long size, long nowMillis) {
    core.time(nowMillis);
    return writes.checkPutStart(key, size);
  }

  /**
   * Starts to put an object that does not exist. Takes the place of an unfinished put whose grant
   * has ended.
   *
   * @param size bytes of the object, 1 to 2<sup>40</sup> - 1
   * @param extents one per replica, each of a live segment and of at least {@code size} bytes
   * @param started filled on OK, one replica per extent in the same order
   * @return OK; INVALID_KEY; INVALID_PARAMS; OBJECT_ALREADY_EXISTS; SEGMENT_NOT_FOUND when an
   *     extent belongs to a mount that this loop knows to be gone, or does not know
   */
  public ErrorCode putStart(
      ObjectKey key,
      long size,
      WriteTerms terms,
      ExtentList extents,
      long nowMillis,
      StartedWrite started) {
    core.time(nowMillis);
    return writes.putStart(key, size, terms, extents, started);
  }

  /**
   * Whether an upsert may start, before space is looked for.
   *
   * @return OK; INVALID_KEY; INVALID_PARAMS; OBJECT_HAS_REPLICATION_TASK while a copy or move of
   *     the object is in progress; OBJECT_REPLICA_BUSY while another task reads a replica
   */
  public ErrorCode checkUpsertStart(ObjectKey key, long size, long nowMillis) {
    core.time(nowMillis);
    return writes.checkUpsertStart(key, size);
  }

  /**
   * Starts to put an object that may exist. Its value, pins and lease stay as they are until the
   * end call. A write of the same key that is in progress, put or upsert, is given up.
   *
   * @return what {@link #checkUpsertStart} answers, or SEGMENT_NOT_FOUND as {@link #putStart}
   */
  public ErrorCode upsertStart(
      ObjectKey key,
      long size,
      WriteTerms terms,
      ExtentList extents,
      long nowMillis,
      StartedWrite started) {
    core.time(nowMillis);
    return writes.upsertStart(key, size, terms, extents, started);
  }

  /**
   * Makes a written object visible, with a lease that ends now. Repeating it for the write that the
   * object has is OK. A write that ran out of its grant may still end while nothing took its place.
   *
   * @param version from the start call
   * @return OK; OBJECT_NOT_FOUND; ILLEGAL_CLIENT when the write in progress, or the object when
   *     there is none, is another writer's; INVALID_WRITE when that version is not in progress
   */
  public ErrorCode end(
      ObjectKey key, UUID writer, long version, Checksum checksum, long nowMillis) {
    core.time(nowMillis);
    return writes.end(key, writer, version, checksum);
  }

  /**
   * Gives up a write; an upsert leaves the old value.
   *
   * @param version from the start call
   * @return OK; OBJECT_NOT_FOUND; ILLEGAL_CLIENT; INVALID_WRITE when that version is not in
   *     progress
   */
  public ErrorCode revoke(ObjectKey key, UUID writer, long version, long nowMillis) {
    core.time(nowMillis);
    return writes.revoke(key, writer, version);
  }

  /**
   * Locates an object for reading and leases it until now plus the lease time.
   *
   * @param sink takes the answer when it is OK, and nothing otherwise
   * @return OK; OBJECT_NOT_FOUND; REPLICA_IS_NOT_READY when there is an object but none of its
   *     replicas can be read now
   */
  public ErrorCode locate(ObjectKey key, long nowMillis, LocationSink sink) {
    core.time(nowMillis);
    return reads.locate(key, sink);
  }

  /** Whether {@link #locate} would find the object; leases it if so. */
  public boolean exists(ObjectKey key, long nowMillis) {
    core.time(nowMillis);
    return reads.exists(key);
  }

  /**
   * Removes an object, whatever its pins.
   *
   * @param force also under a lease
   * @return OK; OBJECT_NOT_FOUND; OBJECT_HAS_LEASE; REPLICA_IS_NOT_READY while a replica is being
   *     written, that of an upsert included; OBJECT_HAS_REPLICATION_TASK
   */
  public ErrorCode remove(ObjectKey key, boolean force, long nowMillis) {
    core.time(nowMillis);
    return removals.remove(key, force);
  }

  /**
   * Frees the space whose waiting time is over.
   *
   * @param mayContinue asked before each extent
   * @return true when nothing is left to free now
   */
  public boolean releaseQuarantine(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    return core.releaseQuarantine(mayContinue);
  }

  /**
   * Gives up writes that were not ended within their grant. Their space returns through the
   * quarantine.
   *
   * @param mayContinue asked before each write
   * @return true when nothing is left to give up now
   */
  public boolean reapWrites(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    return core.reapWrites(mayContinue);
  }

  /**
   * When the next timed work is due: space leaves quarantine, an unfinished write runs out of its
   * grant, a soft pin runs out. {@link Long#MAX_VALUE} when there is none.
   */
  public long nextDeadlineMillis() {
    return core.nextDeadlineMillis();
  }

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
}
