package io.moonpool.storage;

import io.moonpool.libc.Errno;
import io.moonpool.model.ErrorCode;
import io.moonpool.storage.bucket.Blocks;
import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketIndex;
import io.moonpool.storage.bucket.DataFileWriter;
import io.moonpool.storage.bucket.IndexEntry;
import io.moonpool.storage.bucket.Location;
import io.moonpool.storage.bucket.ValueCrc;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.OpenFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bucket that is being written. Nothing of it is on the disk for anybody before {@link #commit}
 * returned OK; from then on all of it survives whatever happens.
 *
 * <p>A failed write or commit gives up the whole bucket: its file is deleted, its objects are to be
 * stored again from where they came from.
 *
 * <p>The writer's thread calls; others that call anyway wait for it.
 */
public final class BucketWriter {
  /** Bytes that are written between two questions for the free space of the file system. */
  private static final long ASK_AGAIN_BYTES = 16L << 20;

  /** An index of this size is one that can be read at once, whatever the keys are. */
  private static final long MAX_INDEX_BYTES = 64L << 20;

  private final StoreState state;
  private final MemorySegment staging;
  private final boolean copies;
  private final long id;
  private final List<IndexEntry> entries = new ArrayList<>();
  private final Set<Long> versions = new HashSet<>();
  private final Set<Long> dead = new HashSet<>();
  private @Nullable OpenFile file;
  private @Nullable DataFileWriter data;
  private long valueBytes;
  private long indexBytes;
  private long roomBytes;
  private long firstMillis;
  private boolean closed;

  /**
   * A bucket without a file yet.
   *
   * @param staging aligned memory, used until it is closed
   * @param copies true when it takes over objects of other buckets
   */
  BucketWriter(StoreState state, MemorySegment staging, boolean copies) {
    this.state = state;
    this.staging = staging;
    this.copies = copies;
    this.id = state.newBucketId();
  }

  /** The id of the bucket. */
  public long bucketId() {
    return id;
  }

  /** The objects that were appended, in order. */
  public List<ObjectRecord> records() {
    return entries.stream().map(IndexEntry::object).toList();
  }

  /** How many they are. */
  public int size() {
    return entries.size();
  }

  /** True when nothing was appended yet. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** True after a commit, well or not, or when it was abandoned: nothing more is possible. */
  public boolean isClosed() {
    return closed;
  }

  /** True when it is full, or its first object has waited long enough for others. */
  public boolean shouldCommit(long nowMillis) {
    return !isEmpty() && (isFull() || nowMillis - firstMillis >= state.options.lingerMillis());
  }

  /** When it should be committed at the latest, in the clock of {@link #append}. */
  public long commitAtMillis() {
    return isEmpty() ? Long.MAX_VALUE : firstMillis + state.options.lingerMillis();
  }

  private boolean isFull() {
    return entries.size() >= state.options.bucketObjects()
        || valueBytes >= state.options.bucketBytes()
        || indexBytes >= MAX_INDEX_BYTES;
  }

  /** True when an object belongs into the next bucket. */
  boolean isFullFor(ObjectRecord object) {
    return isFull() || (!isEmpty() && valueBytes + object.length() > state.options.bucketBytes());
  }

  /**
   * Writes a value behind the others.
   *
   * @param object says what it is
   * @param value its bytes, as many as the record says, in native memory; they must not change
   *     before this returns. Direct from there to the disk when it starts at a multiple of 4,096
   *     bytes and is large, otherwise copied once
   * @param nowMillis the time, for {@link #shouldCommit}
   * @return OK; {@code KEYS_EXCEED_BUCKET_LIMIT} when it does not fit in here any more: commit, and
   *     append it to the next one; {@code OBJECT_ALREADY_EXISTS} when the disk has this version;
   *     {@code CHECKSUM_MISMATCH} when the bytes are not those that the record's checksum is of;
   *     {@code NO_AVAILABLE_HANDLE} when space must be made first; {@code UNABLE_OFFLOADING} when
   *     the store takes no objects now, or can never hold this one. After any other error, and when
   *     the file system itself ran out of space, the bucket is given up: {@link #isClosed}
   */
  public StoreResult append(ObjectRecord object, MemorySegment value, long nowMillis) {
    if (value.byteSize() != object.length()) {
      throw new IllegalArgumentException(
          "the value has " + value.byteSize() + " bytes, its record says " + object.length());
    }
    state.writing.lock();
    try {
      return appendLocked(object, value, nowMillis);
    } finally {
      state.writing.unlock();
    }
  }

  private StoreResult appendLocked(ObjectRecord object, MemorySegment value, long nowMillis) {
    requireOpen();
    WriteState writable = state.writeState();
    if (!writable.writable()) {
      return StoreResult.error(ErrorCode.UNABLE_OFFLOADING, writable.reason());
    }
    if (isFullFor(object)) {
      return StoreResult.error(ErrorCode.KEYS_EXCEED_BUCKET_LIMIT, "the bucket is full");
    }
    if (versions.contains(object.version()) || state.table.get(object.version()) != null) {
      return StoreResult.error(
          ErrorCode.OBJECT_ALREADY_EXISTS, object + " is on this disk already");
    }
    StoreResult room = roomFor(object);
    if (!room.ok()) {
      return room;
    }
    ValueCrc crc = ValueCrc.of(value);
    if (!crc.agreesWith(object.checksum())) {
      return StoreResult.error(
          ErrorCode.CHECKSUM_MISMATCH,
          "the bytes of " + object + " changed before they were stored");
    }
    return write(object, crc.value(), value, nowMillis);
  }

  /** A record that was read and checked before, from another bucket. */
  StoreResult copy(IndexEntry entry, MemorySegment value) {
    requireOpen();
    return write(entry.object(), entry.crc(), value, 0);
  }

  private StoreResult write(ObjectRecord object, int crc, MemorySegment value, long nowMillis) {
    try {
      DataFileWriter out = data == null ? create() : data;
      IndexEntry entry = new IndexEntry(object, out.nextOffset(), crc);
      out.append(entry, value);
      if (entries.isEmpty()) {
        firstMillis = nowMillis;
      }
      entries.add(entry);
      versions.add(object.version());
      valueBytes += object.length();
      indexBytes += BucketIndex.bytesOf(object);
      return StoreResult.OK;
    } catch (FileException e) {
      giveUp();
      return state.writeFailed(e);
    }
  }

  private StoreResult roomFor(ObjectRecord object) {
    long wanted = Blocks.up(object.length()) + Blocks.BYTES;
    if (wanted > state.quotaBytes) {
      return StoreResult.error(
          ErrorCode.UNABLE_OFFLOADING,
          object + " is larger than the quota of " + state.quotaBytes + " bytes");
    }
    long used = state.usedBytes() + writtenBytes();
    if (used + wanted > state.quotaBytes) {
      return StoreResult.error(
          ErrorCode.NO_AVAILABLE_HANDLE,
          object
              + " does not fit into the quota of "
              + state.quotaBytes
              + " bytes, of which "
              + used
              + " are used");
    }
    if (wanted <= roomBytes) {
      roomBytes -= wanted;
      return StoreResult.OK;
    }
    try {
      long available = state.space().availableBytes();
      if (available - wanted < state.options.reserveBytes()) {
        return StoreResult.error(
            ErrorCode.NO_AVAILABLE_HANDLE,
            object
                + " does not fit: the file system of "
                + state.directory.path()
                + " has "
                + available
                + " bytes left, of which "
                + state.options.reserveBytes()
                + " are kept free");
      }
      // Asked again after some bytes: others may fill the disk as well.
      roomBytes = Math.min(ASK_AGAIN_BYTES, available - wanted - state.options.reserveBytes());
      return StoreResult.OK;
    } catch (FileException e) {
      return state.writeFailed(e);
    }
  }

  /** What it takes on the disk so far, in bytes. */
  long writtenBytes() {
    DataFileWriter out = data;
    return out == null || closed ? 0 : out.nextOffset();
  }

  private DataFileWriter create() throws FileException {
    Path path = state.names.data(id);
    OpenFile created = createFile(path);
    file = created;
    DataFileWriter writer = new DataFileWriter(created, id, staging);
    data = writer;
    return writer;
  }

  private OpenFile createFile(Path path) throws FileException {
    if (!state.options.directWrites()) {
      return state.layer.create(path, false);
    }
    try {
      return state.layer.create(path, true);
    } catch (FileException e) {
      if (e.errno() != Errno.EINVAL) {
        throw e;
      }
    }
    state.counters.bufferedOpens.increment();
    deleteQuietly(path); // some kernels create it before they refuse
    return state.layer.create(path, false);
  }

  /**
   * Makes the bucket durable and visible: values first, then the index under its final name.
   *
   * @return OK when all objects are on the disk and can be read; otherwise none of them is
   */
  public StoreResult commit() {
    state.writing.lock();
    try {
      requireOpen();
      OpenFile out = file;
      DataFileWriter writer = data;
      if (out == null || writer == null) {
        closed = true;
        return StoreResult.OK;
      }
      long dataBytes = writer.finish();
      out.close();
      long indexBytes = BucketIndex.write(state.layer, state.names, id, dataBytes, entries);
      closed = true;
      publish(new Bucket(id, state.newBucketNumber(), entries.size(), dataBytes, indexBytes));
      return StoreResult.OK;
    } catch (FileException e) {
      giveUp();
      return state.writeFailed(e);
    } finally {
      state.writing.unlock();
    }
  }

  private void publish(Bucket bucket) {
    bucket.touch(state.nextAccess());
    state.publish(bucket);
    bucket.addTombstones(dead.size());
    for (IndexEntry entry : entries) {
      ObjectRecord object = entry.object();
      if (dead.contains(object.version())) {
        continue;
      }
      Location location =
          new Location(
              bucket.number(), entry.offset(), object.length(), entry.crc(), object.hardPinned());
      Location before = state.table.get(object.version());
      bucket.added(location);
      state.table.put(object.version(), location);
      Bucket home = before == null ? null : state.byNumber.get(before.bucket());
      if (home != null && before != null) {
        home.removed(before);
      }
    }
    if (!copies) {
      state.counters.storedObjects.add(entries.size());
      state.counters.storedBytes.add(valueBytes);
    }
    state.counters.commits.increment();
  }

  /** Gives the bucket up: nothing of it stays. Nothing happens when it is closed already. */
  public void abandon() {
    state.writing.lock();
    try {
      if (!closed) {
        giveUp();
      }
    } finally {
      state.writing.unlock();
    }
  }

  /** True when it holds a version that is not committed yet. */
  boolean contains(long version) {
    return !closed && versions.contains(version);
  }

  /** A tombstone was laid on a version that it holds: it will not be there after the commit. */
  void kill(long version) {
    dead.add(version);
  }

  /** What cannot be deleted now is deleted at the next start: without an index it is nothing. */
  private void giveUp() {
    closed = true;
    state.counters.abandonedBuckets.increment();
    state.tombstones.addObsolete(dead.size());
    if (file != null) {
      file.close();
      deleteQuietly(state.names.index(id));
      deleteQuietly(state.names.data(id));
    }
  }

  private void deleteQuietly(Path path) {
    try {
      state.layer.delete(path);
    } catch (FileException e) {
      // Nobody will look at it: the failure that led here was reported.
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the bucket is committed or given up: begin a new one");
    }
  }
}
