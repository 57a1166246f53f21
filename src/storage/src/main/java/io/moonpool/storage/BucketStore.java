package io.moonpool.storage;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.storage.bucket.Blocks;
import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.Location;
import io.moonpool.storage.bucket.LongArray;
import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.recovery.RecoveryReport;
import io.moonpool.storage.recovery.RecoveryScan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects on a disk, by version. Values are grouped into buckets that become durable as a whole,
 * are read around the page cache, and are deleted as a whole.
 *
 * <p><b>Threads.</b> Everything blocks: worker threads only. One thread changes the store (append,
 * commit, tombstones, eviction, collection, probe); others that call these wait for each other. Any
 * number of threads read at the same time as that. A read never sees bytes of a bucket that was
 * deleted: the last step of an eviction waits for the readers that are in it.
 *
 * <p><b>What survives.</b> What {@link BucketWriter#commit} or {@link #tombstone} answered OK is
 * there, and gone, after any crash of process or machine. What they did not answer may be either.
 */
public final class BucketStore implements AutoCloseable {
  private static final long STAGING_BYTES = 1 << 20;

  /** Tombstones of deleted buckets that are worth making a new log. */
  private static final long OBSOLETE_TOMBSTONES = 4096;

  private final StoreState state;
  private final Evictions evictions;
  private final ObjectReader reader;
  private final Arena arena;
  private final MemorySegment staging;
  private volatile @Nullable BucketWriter writer;
  private boolean closed;

  private BucketStore(StoreState state, Arena arena) {
    this.state = state;
    this.evictions = new Evictions(state, this::openBytes);
    this.reader = new ObjectReader(state);
    this.arena = arena;
    this.staging = Blocks.allocate(arena, STAGING_BYTES);
  }

  /**
   * Scans a disk and opens it. Takes time in proportion to its index files.
   *
   * @param directory stays the caller's: close it after the store
   * @throws StoreException {@code FILE_OPEN_FAIL} when the directory cannot be read or written;
   *     damaged buckets are no failure, see {@link #recovered}
   */
  @SuppressWarnings("MustBeClosedChecker") // closed with the store
  public static BucketStore open(
      DiskDirectory directory, StoreOptions options, DamageListener listener) {
    try {
      StoreState state = new StoreState(directory, options, listener, RecoveryScan.run(directory));
      return new BucketStore(state, Arena.ofShared());
    } catch (FileException e) {
      throw new StoreException(
          ErrorCode.FILE_OPEN_FAIL,
          "disk " + directory.path() + " cannot be used: " + e.getMessage());
    }
  }

  /** What the scan found. */
  public RecoveryReport recovered() {
    return state.recovered;
  }

  // Reading: any thread.

  /**
   * The size of the buffer that a read needs: whole blocks around the wanted bytes.
   *
   * @param offset where they start in the value
   * @param length how many
   */
  public static long bufferBytes(long offset, long length) {
    return Blocks.up(offset % Blocks.BYTES + length);
  }

  /**
   * Reads a part of a value.
   *
   * @param version of the object
   * @param offset where to start in the value
   * @param length bytes wanted
   * @param into native memory at a multiple of 4,096 with at least {@link #bufferBytes}
   * @param verify true to compare a whole value with the store's checksum; a part cannot be
   * @return where in the buffer the bytes start; {@code OBJECT_NOT_FOUND} when the disk has no such
   *     version; {@code INVALID_PARAMS}, {@code BUFFER_OVERFLOW} or {@code FILE_INVALID_BUFFER}
   *     when the call is wrong; anything else means that it cannot be read now. When that is proven
   *     to be damage of this object (other bytes than were written, a file that is cut off, gone or
   *     another one, sectors that fail while their neighbours do not), the listener was told
   */
  public ReadResult read(
      long version, long offset, long length, MemorySegment into, boolean verify) {
    return reader.read(version, offset, length, into, verify, true);
  }

  /**
   * Like {@link #read}, but the listener does not hear of damage: for callers who decide themselves
   * what is to follow from it.
   */
  public ReadResult readUnreported(
      long version, long offset, long length, MemorySegment into, boolean verify) {
    return reader.read(version, offset, length, into, verify, false);
  }

  /** True when the disk has that version. */
  public boolean contains(long version) {
    return state.table.get(version) != null;
  }

  /** The length of a value, -1 when the disk has no such version. */
  public long length(long version) {
    Location location = state.table.get(version);
    return location == null ? -1 : location.length();
  }

  /**
   * Whether a value that was read in parts is the one that was written.
   *
   * @param crc of all its bytes, by {@link PiecewiseCrc}
   * @return false also when the disk has no such version
   */
  public boolean matches(long version, int crc) {
    Location location = state.table.get(version);
    return location != null && location.crc() == crc;
  }

  /**
   * What the disk knows of a version. Reads the index of its bucket: for single objects only.
   *
   * @return empty when the disk has no such version, or its index cannot be read now
   */
  public Optional<ObjectRecord> record(long version) {
    return reader.record(version);
  }

  /** A walk over all live objects, for the report to the master. */
  public StoreScan scan() {
    return new StoreScan(evictions, state);
  }

  // Writing: one thread.

  /**
   * Begins a bucket. Its file is created with the first object.
   *
   * @throws IllegalStateException while another one is neither committed nor given up
   */
  public BucketWriter newBucket() {
    return locked(
        () -> {
          requireOpen();
          BucketWriter before = writer;
          if (before != null && !before.isClosed()) {
            throw new IllegalStateException("commit or abandon the bucket that is being written");
          }
          BucketWriter begun = new BucketWriter(state, staging, false);
          state.uncommittedId = begun.bucketId();
          writer = begun;
          return begun;
        });
  }

  /**
   * Lays tombstones: these versions are dead from now on, also after a restart. Versions that the
   * disk does not have are dead already. An object that is in the open bucket will not be there
   * after its commit.
   *
   * @return OK when all of it is durable; otherwise none of it is to be relied on, and it may be
   *     tried again
   */
  public StoreResult tombstone(long... versions) {
    return locked(() -> tombstoneLocked(versions));
  }

  private StoreResult tombstoneLocked(long[] versions) {
    requireOpen();
    LongArray deadVersions = new LongArray();
    LongArray bucketIds = new LongArray();
    BucketWriter open = writer;
    for (long version : versions) {
      Location location = state.table.get(version);
      Bucket bucket = location == null ? null : state.byNumber.get(location.bucket());
      if (bucket != null) {
        deadVersions.add(version);
        bucketIds.add(bucket.id());
      } else if (open != null && open.contains(version)) {
        deadVersions.add(version);
        bucketIds.add(open.bucketId());
      }
    }
    if (deadVersions.size() == 0) {
      return StoreResult.OK;
    }
    try {
      if (state.tombstones.broken()) {
        state.tombstones.restart(state::knows);
      }
      state.tombstones.append(bucketIds, deadVersions);
    } catch (FileException e) {
      return state.writeFailed(e);
    }
    for (int i = 0; i < deadVersions.size(); i++) {
      kill(deadVersions.get(i), bucketIds.get(i), open);
    }
    state.counters.laidTombstones.add(deadVersions.size());
    return StoreResult.OK;
  }

  private void kill(long version, long bucketId, @Nullable BucketWriter open) {
    Bucket bucket = state.buckets.get(bucketId);
    if (bucket != null) {
      bucket.addTombstones(1);
      Location was = state.table.remove(version, bucket.number());
      if (was != null) {
        bucket.removed(was);
      }
    } else if (open != null) {
      open.kill(version);
    }
  }

  /**
   * Whether so many bytes fit without exceeding the high watermark of the quota or the reserve of
   * the file system.
   *
   * @param bytesNeeded bytes of values about to be stored
   * @return bytes that have to be evicted first, 0 when there is room; as if there were none left
   *     when the file system does not say
   */
  public long bytesToFree(long bytesNeeded) {
    return locked(
        () -> {
          try {
            return evictions.bytesToFree(bytesNeeded);
          } catch (FileException e) {
            return bytesNeeded;
          }
        });
  }

  /**
   * Chooses buckets whose eviction makes room for so many bytes: up to the high watermark nothing,
   * above it down to the low one. Nothing changes yet, except that evictions which had to wait for
   * readers are ended. Buckets with hard-pinned objects are never chosen; at most 1,000 buckets at
   * a time are.
   *
   * @param bytesNeeded bytes of values about to be stored; 0 to keep the watermarks
   * @return in the order in which they should go; fewer than needed when there are no more
   */
  public List<Victim> chooseVictims(long bytesNeeded) {
    return locked(
        () -> {
          requireOpen();
          finishRetired();
          try {
            return evictions.choose(bytesNeeded);
          } catch (FileException e) {
            state.writeFailed(e);
            return List.of();
          }
        });
  }

  /**
   * First step of an eviction: from now on a restart deletes the bucket. It can still be read. When
   * this returned OK the master may be told that its objects are gone from here.
   *
   * @return {@code BUCKET_NOT_FOUND} when there is no such bucket; otherwise a failure leaves it as
   *     it was
   */
  public StoreResult beginEviction(long bucketId) {
    return withBucket(bucketId, evictions::begin);
  }

  /**
   * Takes the first step back: the bucket is kept. For when the master could not be told.
   *
   * @return {@code BUCKET_NOT_FOUND} when there is no such bucket
   */
  public StoreResult cancelEviction(long bucketId) {
    return withBucket(bucketId, evictions::cancel);
  }

  /**
   * Second step of an eviction: waits for the bucket's readers and deletes its files.
   *
   * @param waitMillis how long to wait for readers
   * @return {@code UNAVAILABLE_IN_CURRENT_STATUS} when readers are still in it: new ones are not
   *     let in any more, ask again; {@code INVALID_PARAMS} when the eviction was not begun; {@code
   *     BUCKET_NOT_FOUND} when there is no such bucket
   */
  public StoreResult finishEviction(long bucketId, long waitMillis) {
    Bucket found = state.buckets.get(bucketId);
    if (found != null && found.evicting()) {
      // Not under the lock: a slow reader holds up nobody but this call.
      StoreResult left = evictions.awaitReaders(found, waitMillis);
      if (!left.ok()) {
        return left;
      }
    }
    return withBucket(
        bucketId,
        bucket -> {
          if (!bucket.evicting()) {
            return StoreResult.error(
                ErrorCode.INVALID_PARAMS,
                "the eviction of bucket " + BucketFiles.hex(bucketId) + " was not begun");
          }
          return finish(bucket);
        });
  }

  private StoreResult finish(Bucket bucket) {
    StoreResult result = evictions.finish(bucket, 0);
    if (!state.buckets.containsKey(bucket.id())) {
      state.counters.evictedBuckets.increment();
      state.counters.evictedBytes.add(bucket.bytes());
      compactTombstones();
    }
    return result;
  }

  /** Ends evictions that had to wait for readers and were not asked for again. */
  private void finishRetired() {
    for (Bucket bucket : state.buckets.values()) {
      if (bucket.evicting() && bucket.retired()) {
        finish(bucket);
      }
    }
  }

  private void compactTombstones() {
    if (state.tombstones.worthRestarting(OBSOLETE_TOMBSTONES)) {
      try {
        state.tombstones.restart(state::knows);
      } catch (FileException e) {
        state.writeFailed(e); // the old file is as good as it was
      }
    }
  }

  /**
   * Deletes buckets without live objects, and copies what lives in mostly dead ones. Never happens
   * by itself. Holds up other changes while it runs, readers not.
   *
   * @param deadRatio which part of the values must be dead for their bucket to be copied, above 0
   *     to 1
   * @param maxCopyBytes bytes that may be copied in this run
   * @param readerWaitMillis how long to wait for the readers of a bucket that is to go
   */
  public GcReport collect(double deadRatio, long maxCopyBytes, long readerWaitMillis) {
    if (!(deadRatio > 0 && deadRatio <= 1)) {
      throw new IllegalArgumentException("the dead part is above 0 and at most 1");
    }
    return locked(
        () -> {
          requireOpen();
          try (Arena own = Arena.ofConfined()) {
            return new GarbageCollector(state, evictions, reader, readerWaitMillis, own)
                .run(deadRatio, maxCopyBytes);
          }
        });
  }

  /** Whether objects are taken, and why not. Any thread. */
  public WriteState writeState() {
    return state.writeState();
  }

  /**
   * Tries whether the disk can be written again: writes, syncs and deletes a small file. Cheap; to
   * be called every few seconds while {@link #writeState} says no.
   *
   * @return OK when the store takes objects from now on
   */
  public StoreResult probe() {
    return locked(
        () -> {
          requireOpen();
          try {
            DiskProbe.run(state.directory, staging.asSlice(0, Blocks.BYTES));
            if (state.tombstones.broken()) {
              state.tombstones.restart(state::knows);
            }
            state.setWritable();
            return StoreResult.OK;
          } catch (FileException e) {
            return StoreResult.error(e);
          }
        });
  }

  /** Buckets that are there, the oldest first. Any thread. */
  public List<Long> bucketIds() {
    return List.copyOf(state.buckets.keySet());
  }

  /** What the store's files take, in bytes. Neither blocks nor counts anything. Any thread. */
  public long usedBytes() {
    return state.usedBytes() + openBytes();
  }

  /** The figures of this moment. Asks the file system. Any thread. */
  public StoreStats stats() {
    StoreCounters counters = state.counters;
    long available;
    try {
      available = state.space().availableBytes();
    } catch (FileException e) {
      available = -1;
    }
    return new StoreStats(
        state.buckets.size(),
        state.table.size(),
        usedBytes(),
        state.buckets.values().stream().mapToLong(Bucket::liveBytes).sum(),
        state.quotaBytes,
        available,
        state.tombstones.entries(),
        state.table.heapBytes(),
        counters.readObjects.sum(),
        counters.readBytes.sum(),
        counters.readFailures.sum(),
        counters.bufferedOpens.sum(),
        counters.damagedObjects.sum(),
        counters.damagedDescriptors.sum(),
        counters.storedObjects.sum(),
        counters.storedBytes.sum(),
        counters.commits.sum(),
        counters.abandonedBuckets.sum(),
        counters.outOfSpace.sum(),
        counters.laidTombstones.sum(),
        counters.evictedBuckets.sum(),
        counters.evictedBytes.sum(),
        state.recovered);
  }

  private long openBytes() {
    BucketWriter open = writer;
    return open == null ? 0 : open.writtenBytes();
  }

  private interface BucketStep {
    StoreResult on(Bucket bucket);
  }

  private StoreResult withBucket(long bucketId, BucketStep step) {
    return locked(
        () -> {
          requireOpen();
          Bucket bucket = state.buckets.get(bucketId);
          return bucket == null
              ? StoreResult.error(
                  ErrorCode.BUCKET_NOT_FOUND, "there is no bucket " + BucketFiles.hex(bucketId))
              : step.on(bucket);
        });
  }

  private <T> T locked(Supplier<T> change) {
    state.writing.lock();
    try {
      return change.get();
    } finally {
      state.writing.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  /**
   * Gives up a bucket that is not committed and closes all files. No thread may be reading. A
   * second call does nothing.
   */
  @Override
  public void close() {
    locked(
        () -> {
          if (closed) {
            return false;
          }
          closed = true;
          BucketWriter open = writer;
          try {
            if (open != null) {
              open.abandon();
            }
          } finally {
            state.files.close();
            state.tombstones.close();
            arena.close();
          }
          return true;
        });
  }
}
