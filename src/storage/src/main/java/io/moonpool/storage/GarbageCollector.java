package io.moonpool.storage;

import io.moonpool.storage.bucket.Blocks;
import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.DamagedIndexException;
import io.moonpool.storage.bucket.IndexCursor;
import io.moonpool.storage.bucket.IndexEntry;
import io.moonpool.storage.bucket.Location;
import io.moonpool.storage.file.FileException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back the space of dead objects: deletes buckets without live ones, and copies what lives in
 * mostly dead ones. A copy is durable before its source goes, so an interruption leaves both, and
 * the next start keeps the younger. One run, on the writer's thread under its lock.
 */
final class GarbageCollector {
  private static final Logger LOG = LoggerFactory.getLogger(BucketStore.class);
  private static final long STAGING_BYTES = 1 << 20;

  private final StoreState state;
  private final Evictions evictions;
  private final ObjectReader reader;
  private final long readerWaitMillis;
  private final MemorySegment staging;
  private final List<Bucket> sources = new ArrayList<>();
  private @Nullable BucketWriter writer;
  private int emptied;
  private int rewritten;
  private long copiedObjects;
  private long copiedBytes;
  private long freedBytes;
  private boolean complete = true;
  private StoreResult result = StoreResult.OK;

  GarbageCollector(
      StoreState state,
      Evictions evictions,
      ObjectReader reader,
      long readerWaitMillis,
      Arena arena) {
    this.state = state;
    this.evictions = evictions;
    this.reader = reader;
    this.readerWaitMillis = readerWaitMillis;
    this.staging = Blocks.allocate(arena, STAGING_BYTES);
  }

  GcReport run(double deadRatio, long maxCopyBytes) {
    List<Bucket> candidates = new ArrayList<>();
    for (Bucket bucket : state.buckets.values()) {
      if (bucket.liveObjects() == 0) {
        if (!delete(bucket)) {
          return report();
        }
        emptied++;
      } else if (!bucket.evicting() && bucket.deadRatio() >= deadRatio) {
        candidates.add(bucket);
      }
    }
    for (Bucket bucket : candidates) {
      if (copiedBytes + bucket.liveBytes() > maxCopyBytes) {
        complete = false;
        continue;
      }
      if (!copy(bucket)) {
        break;
      }
    }
    if (result.ok()) {
      commit();
    } else if (writer != null) {
      writer.abandon();
    }
    restartTombstones();
    return report();
  }

  /** Copies what lives in a bucket. */
  private boolean copy(Bucket bucket) {
    try {
      IndexCursor cursor = state.index(bucket);
      while (cursor.advance()) {
        Location location = state.table.get(cursor.version());
        if (location != null
            && location.bucket() == bucket.number()
            && !copy(new IndexEntry(cursor.record(), location.offset(), location.crc()))) {
          return false;
        }
      }
      sources.add(bucket);
      return true;
    } catch (DamagedIndexException | FileException e) {
      LOG.warn(
          "Bucket {} of {} is not collected, its index cannot be read: {}",
          BucketFiles.hex(bucket.id()),
          state.directory.path(),
          e.getMessage());
      return true; // the others can be
    }
  }

  private boolean copy(IndexEntry entry) {
    ObjectRecord object = entry.object();
    // An arena of its own: the largest value decides what is held, not the sum.
    try (Arena buffer = Arena.ofConfined()) {
      MemorySegment into = Blocks.allocate(buffer, Math.max(1, object.length()));
      ReadResult read = reader.read(object.version(), 0, object.length(), into, true, true);
      if (!read.ok()) {
        return true; // reported as damaged: it stays where it is, and so does its bucket
      }
      BucketWriter out = writer;
      if (out != null && out.isFullFor(object)) {
        commit();
        out = null;
      }
      if (!result.ok()) {
        return false;
      }
      if (out == null) {
        out = new BucketWriter(state, staging, true);
        writer = out;
      }
      result = out.copy(entry, into.asSlice(read.start(), read.length()));
      if (result.ok()) {
        copiedObjects++;
        copiedBytes += object.length();
      }
      return result.ok();
    }
  }

  /** Makes the copies durable and deletes the buckets that they came from. */
  private void commit() {
    BucketWriter out = writer;
    writer = null;
    if (out != null) {
      long taken = out.writtenBytes();
      result = out.commit();
      if (!result.ok()) {
        return;
      }
      freedBytes -= taken;
    }
    for (Bucket bucket : sources) {
      if (bucket.liveObjects() == 0) {
        if (!delete(bucket)) {
          return;
        }
        rewritten++;
      }
    }
    sources.clear();
  }

  private boolean delete(Bucket bucket) {
    result = evictions.begin(bucket);
    if (result.ok()) {
      result = evictions.finish(bucket, readerWaitMillis);
    }
    if (result.ok()) {
      freedBytes += bucket.bytes();
    }
    return result.ok();
  }

  private void restartTombstones() {
    if (result.ok() && state.tombstones.worthRestarting(1)) {
      try {
        state.tombstones.restart(state::knows);
      } catch (FileException e) {
        result = state.writeFailed(e);
      }
    }
  }

  private GcReport report() {
    return new GcReport(
        emptied, rewritten, copiedObjects, copiedBytes, freedBytes, complete, result);
  }
}
