package io.moonpool.storage.recovery;

import io.moonpool.libc.Errno;
import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.DamagedIndexException;
import io.moonpool.storage.bucket.IndexCursor;
import io.moonpool.storage.bucket.Location;
import io.moonpool.storage.bucket.LocationTable;
import io.moonpool.storage.bucket.LongArray;
import io.moonpool.storage.bucket.TenantKey;
import io.moonpool.storage.bucket.TombstoneLog;
import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.FileEntry;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.FileOperation;
import io.moonpool.storage.file.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One scan, see the package. What it reports is durable when it returns, also what an earlier
 * process left in the kernel's hands only.
 *
 * <p>A key that is stored in several versions keeps the greatest; a version that is in several
 * buckets (a collection was interrupted) keeps the copy of the youngest. The others get tombstones
 * at once, or the removal of the winner would bring them back at the next start.
 */
public final class RecoveryScan {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryScan.class);

  private final DiskDirectory directory;
  private final FileLayer layer;
  private final BucketFiles names;
  private final LocationTable table = new LocationTable();
  private final List<Bucket> buckets = new ArrayList<>();
  private final List<DamagedBucket> damaged = new ArrayList<>();
  private final KeyHashes keys = new KeyHashes();
  private final Map<Long, LongArray> dead = new HashMap<>();
  private final LongArray killedBuckets = new LongArray();
  private final LongArray killedVersions = new LongArray();
  private long liveBytes;
  private long indexBytes;
  private int leftovers;

  private RecoveryScan(DiskDirectory directory) {
    this.directory = directory;
    this.layer = directory.layer();
    this.names = new BucketFiles(directory.buckets());
  }

  /**
   * Scans a disk.
   *
   * @throws FileException when the directory itself cannot be read or written; damaged buckets are
   *     no failure
   */
  public static Recovered run(DiskDirectory directory) throws FileException {
    return new RecoveryScan(directory).run();
  }

  private Recovered run() throws FileException {
    long startNanos = System.nanoTime();
    BucketDirectory files = BucketDirectory.of(layer.list(directory.buckets()));
    TombstoneLog tombstones = new TombstoneLog(layer, directory.buckets(), files.tombstones());
    TombstoneLog.Reading reading =
        tombstones.read(
            (bucketId, version) ->
                dead.computeIfAbsent(bucketId, id -> new LongArray()).add(version));
    dead.values().forEach(LongArray::sort);
    for (Map.Entry<Long, Long> index : files.indexes().entrySet()) {
      scan(index.getKey(), index.getValue(), files.data().get(index.getKey()));
    }
    resolveDuplicates();
    removeLeftovers(files);
    List<FileEntry> aside = layer.list(directory.damaged());
    Set<Long> setAside = indexes(aside);
    restart(tombstones, setAside);
    RecoveryReport report =
        new RecoveryReport(
            buckets.size(),
            table.size(),
            liveBytes,
            damaged,
            aside.stream().mapToLong(FileEntry::bytes).sum(),
            leftovers,
            files.unknown().size(),
            tombstones.entries(),
            reading.damaged(),
            killedVersions.size(),
            indexBytes,
            (System.nanoTime() - startNanos) / 1_000_000);
    log(report, files.unknown());
    return new Recovered(buckets, table, greatestId(files, setAside), setAside, tombstones, report);
  }

  private void scan(long id, long size, @Nullable Long dataSize) throws FileException {
    if (dataSize == null) {
      setAside(id, size, null, "its data file is missing");
      return;
    }
    Bucket bucket;
    List<Entry> entries = new ArrayList<>();
    try {
      byte[] bytes = WholeFile.read(layer, names.index(id));
      IndexCursor cursor = IndexCursor.over(bytes, id);
      if (dataSize < cursor.dataLength()) {
        setAside(
            id,
            size,
            dataSize,
            "its data file has " + dataSize + " of " + cursor.dataLength() + " bytes");
        return;
      }
      bucket = new Bucket(id, buckets.size(), cursor.count(), cursor.dataLength(), bytes.length);
      while (cursor.advance()) {
        entries.add(Entry.of(cursor, bucket.number()));
      }
      indexBytes += bytes.length;
    } catch (DamagedIndexException e) {
      setAside(id, size, dataSize, String.valueOf(e.getMessage()));
      return;
    } catch (FileException e) {
      if (e.isPassing() || e.errno() == Errno.EACCES) {
        throw e; // the file may be good
      }
      setAside(id, size, dataSize, String.valueOf(e.getMessage()));
      return;
    }
    buckets.add(bucket);
    LongArray killed = dead.get(id);
    if (killed != null) {
      bucket.addTombstones(killed.size());
    }
    for (Entry entry : entries) {
      if (killed == null || !killed.containsSorted(entry.version)) {
        enter(bucket, entry);
      }
    }
  }

  /** What is kept of a record until its whole index proved to be good. */
  private record Entry(long version, long keyHash, Location location) {
    static Entry of(IndexCursor cursor, int bucket) {
      return new Entry(
          cursor.version(),
          cursor.keyHash(),
          new Location(
              bucket, cursor.offset(), cursor.length(), cursor.crc(), cursor.hardPinned()));
    }
  }

  private void enter(Bucket bucket, Entry entry) {
    Location older = table.get(entry.version);
    if (older != null) {
      kill(buckets.get(older.bucket()), entry.version);
    }
    keys.add(entry.keyHash, bucket.number());
    table.put(entry.version, entry.location);
    bucket.added(entry.location);
    liveBytes += entry.location.length();
  }

  private void kill(Bucket bucket, long version) {
    Location was = table.remove(version, bucket.number());
    if (was != null) {
      bucket.removed(was);
      liveBytes -= was.length();
      killedBuckets.add(bucket.id());
      killedVersions.add(version);
    }
  }

  private void resolveDuplicates() throws FileException {
    Map<TenantKey, Long> greatest = new HashMap<>();
    for (int number : keys.suspectBuckets().stream().sorted().toList()) {
      Bucket bucket = buckets.get(number);
      try {
        IndexCursor cursor =
            IndexCursor.over(WholeFile.read(layer, names.index(bucket.id())), bucket.id());
        while (cursor.advance()) {
          if (keys.suspect(cursor.keyHash()) && isHere(cursor.version(), number)) {
            long version = cursor.version();
            Long other = greatest.putIfAbsent(cursor.tenantKey(), version);
            if (other != null) {
              greatest.put(cursor.tenantKey(), Math.max(other, version));
              killWherever(Math.min(other, version));
            }
          }
        }
      } catch (DamagedIndexException e) {
        throw new FileException(
            FileOperation.READ,
            names.index(bucket.id()),
            Errno.EIO,
            "it was whole a moment ago: " + e.getMessage());
      }
    }
  }

  private boolean isHere(long version, int number) {
    Location location = table.get(version);
    return location != null && location.bucket() == number;
  }

  private void killWherever(long version) {
    Location location = table.get(version);
    if (location != null) {
      kill(buckets.get(location.bucket()), version);
    }
  }

  private void removeLeftovers(BucketDirectory files) throws FileException {
    for (String name : files.aside()) {
      remove(directory.buckets().resolve(name));
    }
    Set<Long> present = new HashSet<>(files.indexes().keySet());
    for (Map.Entry<Long, Long> data : files.data().entrySet()) {
      if (!present.contains(data.getKey())) {
        remove(names.data(data.getKey()));
      }
    }
    for (long id : files.evicting()) {
      remove(names.evicting(id));
    }
  }

  private void remove(Path file) throws FileException {
    layer.delete(file);
    leftovers++;
  }

  /**
   * Moves a bucket away: the data first, since data without an index is deleted at the next start,
   * and each durably before the next.
   */
  private void setAside(long id, long indexSize, @Nullable Long dataSize, String reason)
      throws FileException {
    if (dataSize != null) {
      move(names.data(id));
    }
    move(names.index(id));
    long bytes = indexSize + (dataSize == null ? 0 : dataSize);
    damaged.add(new DamagedBucket(BucketFiles.hex(id), reason, bytes));
  }

  private void move(Path file) throws FileException {
    layer.rename(file, directory.damaged().resolve(String.valueOf(file.getFileName())));
    layer.syncDirectory(directory.damaged());
    layer.syncDirectory(directory.buckets());
  }

  private static long greatestId(BucketDirectory files, Set<Long> setAside) {
    return Stream.of(files.indexes().keySet(), files.data().keySet(), files.evicting(), setAside)
        .flatMap(Collection::stream)
        .mapToLong(Long::longValue)
        .max()
        .orElse(-1);
  }

  private static Set<Long> indexes(List<FileEntry> entries) {
    Set<Long> ids = new HashSet<>();
    for (FileEntry entry : entries) {
      OptionalLong id = BucketFiles.id(entry.name(), BucketFiles.INDEX);
      if (id.isPresent()) {
        ids.add(id.getAsLong());
      }
    }
    return ids;
  }

  /** Tombstones of buckets that were set aside stay too: somebody may repair them. */
  private void restart(TombstoneLog tombstones, Set<Long> setAside) throws FileException {
    Set<Long> present = new HashSet<>(setAside);
    buckets.forEach(bucket -> present.add(bucket.id()));
    Map<Long, Bucket> byId = new HashMap<>();
    buckets.forEach(bucket -> byId.put(bucket.id(), bucket));
    for (int i = 0; i < killedVersions.size(); i++) {
      tombstones.addPending(killedBuckets.get(i), killedVersions.get(i));
      Bucket bucket = byId.get(killedBuckets.get(i));
      if (bucket != null) {
        bucket.addTombstones(1);
      }
    }
    // From here on what was found visible is durable, also renames that an earlier process had not
    // synced.
    layer.syncDirectory(directory.buckets());
    try {
      tombstones.restart(present::contains);
    } catch (FileException e) {
      if (!e.isOutOfSpace()) {
        throw e;
      }
      LOG.warn(
          "Disk {} has no space for its tombstones: nothing is removed until something is evicted.",
          directory.path());
    }
  }

  private void log(RecoveryReport report, List<String> unknown) {
    for (DamagedBucket bucket : damaged) {
      LOG.warn(
          "Bucket {} of {} is set aside in {}: {}. Its objects are not served.",
          bucket.name(),
          directory.path(),
          directory.damaged(),
          bucket.reason());
    }
    if (report.damagedTombstones() > 0) {
      LOG.warn(
          "{} tombstones of {} are damaged: objects that they removed may be reported again.",
          report.damagedTombstones(),
          directory.path());
    }
    if (!unknown.isEmpty()) {
      LOG.warn(
          "{} files in {} are not Moonpool's and are left alone, such as {}.",
          unknown.size(),
          directory.buckets(),
          unknown.getFirst());
    }
    LOG.info(
        "Disk {} has {} objects of {} bytes in {} buckets; {} leftovers removed, {} ms.",
        directory.path(),
        report.liveObjects(),
        report.liveBytes(),
        report.buckets(),
        report.removedLeftovers(),
        report.millis());
  }
}
