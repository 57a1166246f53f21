package io.moonpool.storage;

import io.moonpool.model.ErrorCode;
import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.DamagedIndexException;
import io.moonpool.storage.bucket.IndexCursor;
import io.moonpool.storage.bucket.Location;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.WholeFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses buckets to evict and deletes them in two steps. The writer's thread, under its lock. */
final class Evictions {
  private static final Logger LOG = LoggerFactory.getLogger(BucketStore.class);

  /** What one call chooses at most: each is named to the master object by object. */
  private static final int MAX_VICTIMS = 1000;

  private final StoreState state;
  private final LongSupplier openBytes;

  /**
   * Evictions of a store.
   *
   * @param openBytes what the bucket that is being written takes
   */
  Evictions(StoreState state, LongSupplier openBytes) {
    this.state = state;
    this.openBytes = openBytes;
  }

  /** The bytes that have to go before so many more may be written; 0 when there is room. */
  long bytesToFree(long bytesNeeded) throws FileException {
    StoreOptions options = state.options;
    long used = state.usedBytes() + openBytes.getAsLong() + bytesNeeded;
    long overQuota =
        used > state.quotaBytes * options.highWatermark()
            ? (long) Math.ceil(used - state.quotaBytes * options.lowWatermark())
            : 0;
    long overDisk = bytesNeeded + options.reserveBytes() - state.space().availableBytes();
    return Math.max(0, Math.max(overQuota, overDisk));
  }

  List<Victim> choose(long bytesNeeded) throws FileException {
    long missing = bytesToFree(bytesNeeded);
    for (Bucket bucket : state.buckets.values()) {
      if (missing <= 0) {
        break;
      }
      missing -= bucket.evicting() ? bucket.bytes() : 0; // on its way already
    }
    List<Victim> victims = new ArrayList<>();
    if (missing <= 0) {
      return victims;
    }
    for (Bucket bucket : inOrder()) {
      if (missing <= 0 || victims.size() == MAX_VICTIMS) {
        break;
      }
      if (bucket.evicting() || bucket.hardPinned()) {
        continue;
      }
      try {
        victims.add(new Victim(bucket.id(), bucket.bytes(), live(bucket)));
        missing -= bucket.bytes();
      } catch (DamagedIndexException | FileException e) {
        // Without its keys nobody can be told of it: it stays, and the next start sets it aside.
        LOG.warn(
            "Bucket {} of {} is not evicted, its index cannot be read: {}",
            BucketFiles.hex(bucket.id()),
            state.directory.path(),
            e.getMessage());
      }
    }
    return victims;
  }

  private Collection<Bucket> inOrder() {
    return switch (state.options.order()) {
      case FIFO -> state.buckets.values();
      case LRU -> {
        // Reads go on meanwhile: sort by what the stamps are now.
        record Stamped(Bucket bucket, long access) {}
        yield state.buckets.values().stream()
            .map(bucket -> new Stamped(bucket, bucket.lastAccess()))
            .sorted(
                Comparator.comparingLong(Stamped::access)
                    .thenComparingLong(stamped -> stamped.bucket().id()))
            .map(Stamped::bucket)
            .toList();
      }
    };
  }

  /** The objects of a bucket that are not dead, from its index file. */
  List<ObjectRecord> live(Bucket bucket) throws FileException, DamagedIndexException {
    List<ObjectRecord> live = new ArrayList<>(bucket.liveObjects());
    IndexCursor cursor = state.index(bucket);
    while (cursor.advance()) {
      Location location = state.table.get(cursor.version());
      if (location != null && location.bucket() == bucket.number()) {
        live.add(cursor.record());
      }
    }
    return live;
  }

  StoreResult begin(Bucket bucket) {
    if (bucket.evicting()) {
      return StoreResult.OK;
    }
    long id = bucket.id();
    try {
      state.layer.rename(state.names.index(id), state.names.evicting(id));
    } catch (FileException e) {
      return state.writeFailed(e);
    }
    bucket.setEvicting(true);
    try {
      state.layer.syncDirectory(state.directory.buckets());
      return StoreResult.OK;
    } catch (FileException e) {
      cancel(bucket);
      return state.writeFailed(e);
    }
  }

  StoreResult cancel(Bucket bucket) {
    if (!bucket.evicting()) {
      return StoreResult.OK;
    }
    long id = bucket.id();
    try {
      state.layer.rename(state.names.evicting(id), state.names.index(id));
      bucket.setEvicting(false);
      state.layer.syncDirectory(state.directory.buckets());
      return StoreResult.OK;
    } catch (FileException e) {
      return state.writeFailed(e);
    }
  }

  /**
   * Lets no new reader in and waits for those that are. Needs no lock.
   *
   * @return {@code UNAVAILABLE_IN_CURRENT_STATUS} when readers are still in it
   */
  StoreResult awaitReaders(Bucket bucket, long waitMillis) {
    try {
      return bucket.retire(waitMillis)
          ? StoreResult.OK
          : StoreResult.error(
              ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
              "bucket " + BucketFiles.hex(bucket.id()) + " is still being read");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return StoreResult.error(
          ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "the wait for readers was interrupted");
    }
  }

  /**
   * Deletes a bucket whose eviction has begun.
   *
   * @return {@code UNAVAILABLE_IN_CURRENT_STATUS} when readers are still in it
   */
  StoreResult finish(Bucket bucket, long waitMillis) {
    StoreResult left = awaitReaders(bucket, waitMillis);
    if (!left.ok()) {
      return left;
    }
    forgetObjects(bucket);
    state.files.forget(bucket.id());
    state.forget(bucket);
    try {
      WholeFile.deleteIfThere(state.layer, state.names.data(bucket.id()));
      WholeFile.deleteIfThere(state.layer, state.names.evicting(bucket.id()));
      return StoreResult.OK;
    } catch (FileException e) {
      // The next start deletes what is left: that the bucket goes is durable already.
      return state.writeFailed(e);
    }
  }

  private void forgetObjects(Bucket bucket) {
    try {
      IndexCursor cursor = state.index(bucket);
      while (cursor.advance()) {
        state.table.remove(cursor.version(), bucket.number());
      }
    } catch (DamagedIndexException | FileException e) {
      LOG.warn(
          "The index of bucket {} cannot be read, its objects are looked for in memory: {}",
          BucketFiles.hex(bucket.id()),
          e.getMessage());
      state.table.removeBucket(bucket.number());
    }
  }
}
