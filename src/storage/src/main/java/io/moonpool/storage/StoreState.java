package io.moonpool.storage;

import io.moonpool.libc.Errno;
import io.moonpool.libc.FileSystemSpace;
import io.moonpool.model.ErrorCode;
import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.DamagedIndexException;
import io.moonpool.storage.bucket.DataFiles;
import io.moonpool.storage.bucket.IndexCursor;
import io.moonpool.storage.bucket.LocationTable;
import io.moonpool.storage.bucket.TombstoneLog;
import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.WholeFile;
import io.moonpool.storage.recovery.Recovered;
import io.moonpool.storage.recovery.RecoveryReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the parts of a store share. Whoever changes it holds {@link #writing}; readers go by the
 * concurrent maps and the table.
 */
final class StoreState {
  private static final Logger LOG = LoggerFactory.getLogger(BucketStore.class);

  /** One change at a time: the writer's thread has it, others wait. */
  final ReentrantLock writing = new ReentrantLock();

  final DiskDirectory directory;
  final FileLayer layer;
  final BucketFiles names;
  final StoreOptions options;
  final DamageListener listener;
  final StoreCounters counters = new StoreCounters();
  final LocationTable table;
  final TombstoneLog tombstones;
  final DataFiles files;
  final RecoveryReport recovered;
  final long quotaBytes;

  /** Committed buckets by id, the oldest first. */
  final ConcurrentNavigableMap<Long, Bucket> buckets = new ConcurrentSkipListMap<>();

  /** The same by the number that locations have. */
  final ConcurrentMap<Integer, Bucket> byNumber = new ConcurrentHashMap<>();

  /** What all buckets take, in bytes. */
  private final AtomicLong bucketBytes = new AtomicLong();

  private final AtomicLong accesses = new AtomicLong();

  /** Ids of damaged buckets: somebody may repair them. */
  private final Set<Long> setAside;

  /** The bucket that is being written, -1 for none. Under {@link #writing}. */
  long uncommittedId = -1;

  private volatile WriteState writeState = WriteState.WRITABLE;
  private long nextId;
  private int nextNumber;

  StoreState(
      DiskDirectory directory, StoreOptions options, DamageListener listener, Recovered recovered)
      throws FileException {
    this.directory = directory;
    this.layer = directory.layer();
    this.names = new BucketFiles(directory.buckets());
    this.options = options;
    this.listener = listener;
    this.table = recovered.table();
    this.tombstones = recovered.tombstones();
    this.recovered = recovered.report();
    this.files =
        new DataFiles(
            layer, names, options.openFiles(), options.directReads(), counters.bufferedOpens);
    this.quotaBytes =
        options.quotaBytes() > 0
            ? options.quotaBytes()
            : layer.space(directory.path()).totalBytes() / 10 * 9;
    this.setAside = Set.copyOf(recovered.setAside());
    // The second holds when the count of openings was lost.
    this.nextId = Math.max(directory.firstBucketId(), recovered.greatestId() + 1);
    this.nextNumber = recovered.buckets().size();
    recovered.buckets().forEach(this::publish);
  }

  long newBucketId() {
    return nextId++;
  }

  int newBucketNumber() {
    return nextNumber++;
  }

  /** The next time on the clock that orders reads and commits for eviction. Any thread. */
  long nextAccess() {
    return accesses.incrementAndGet();
  }

  /** Makes a bucket known, before its objects are entered. */
  void publish(Bucket bucket) {
    byNumber.put(bucket.number(), bucket);
    buckets.put(bucket.id(), bucket);
    bucketBytes.addAndGet(bucket.bytes());
  }

  /** Forgets a bucket whose files are gone. */
  void forget(Bucket bucket) {
    byNumber.remove(bucket.number());
    buckets.remove(bucket.id());
    bucketBytes.addAndGet(-bucket.bytes());
    tombstones.addObsolete(bucket.tombstones());
  }

  /** True when tombstones of a bucket still matter. */
  boolean knows(long bucketId) {
    return buckets.containsKey(bucketId)
        || setAside.contains(bucketId)
        || bucketId == uncommittedId;
  }

  /** What the store's files take, in bytes. */
  long usedBytes() {
    return bucketBytes.get() + tombstones.bytes() + recovered.damagedBytes();
  }

  FileSystemSpace space() throws FileException {
    return layer.space(directory.path());
  }

  /** The index of a bucket, read anew. Any thread that keeps the bucket from being deleted. */
  IndexCursor index(Bucket bucket) throws FileException, DamagedIndexException {
    long id = bucket.id();
    // An eviction that begins or is cancelled meanwhile renames it under the reader.
    for (Path name : List.of(names.index(id), names.evicting(id))) {
      try {
        return IndexCursor.over(WholeFile.read(layer, name), id);
      } catch (FileException e) {
        if (e.errno() != Errno.ENOENT) {
          throw e;
        }
      }
    }
    return IndexCursor.over(WholeFile.read(layer, names.index(id)), id);
  }

  WriteState writeState() {
    return writeState;
  }

  void setWritable() {
    if (!writeState.writable()) {
      LOG.info("Disk {} takes objects again.", directory.path());
    }
    writeState = WriteState.WRITABLE;
  }

  /**
   * Draws the conclusion from a failed write: want of space passes by itself, anything else means
   * that the disk is not to be trusted before a probe succeeded.
   */
  StoreResult writeFailed(FileException e) {
    if (e.isOutOfSpace()) {
      counters.outOfSpace.increment();
    } else {
      boolean first = writeState.writable();
      writeState = WriteState.readOnly(String.valueOf(e.getMessage()));
      if (first) {
        LOG.error(
            "Disk {} takes no objects until a probe succeeds: {}. What it holds stays readable.",
            directory.path(),
            e.getMessage());
      }
    }
    return StoreResult.error(e);
  }

  /** Counts and reports a damaged object. */
  void damaged(long version, Bucket bucket, ErrorCode code, String detail) {
    counters.damagedObjects.increment();
    LOG.warn("Object {} is damaged: {}", Long.toUnsignedString(version), detail);
    listener.damaged(new Damage(version, bucket.id(), code, detail));
  }
}
