package io.moonpool.node.disk;

import com.sun.management.UnixOperatingSystemMXBean;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.storage.BucketStore;
import io.moonpool.storage.DamageListener;
import io.moonpool.storage.EvictionOrder;
import io.moonpool.storage.ReadResult;
import io.moonpool.storage.StoreOptions;
import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.PosixFileLayer;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's disk: its directory and the store in it. Opening and closing block. */
final class DiskStorage implements ValueSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskStorage.class);

  private static final int RESERVED_PART = 20;
  private static final int OPEN_FILES_PART = 4;

  private final DiskDirectory directory;
  private final BucketStore store;

  private DiskStorage(DiskDirectory directory, BucketStore store) {
    this.directory = directory;
    this.store = store;
  }

  /**
   * Locks the directory and scans what is in it. Blocks.
   *
   * @param damages hears of objects that are proven to be damaged, on the thread that found them
   * @throws io.moonpool.model.StoreException when another process has it or it cannot be used
   */
  static DiskStorage open(DiskConfig config, DamageListener damages) {
    DiskDirectory directory =
        DiskDirectory.open(new PosixFileLayer(), Path.of(config.dir()), "disk_dir");
    try {
      StoreOptions options =
          StoreOptions.DEFAULT
              .withReserveBytes(reserveBytes(directory))
              .withOpenFiles(openFiles())
              .withQuotaBytes(config.quotaBytes())
              .withWatermarks(config.highWatermark(), config.lowWatermark())
              .withOrder(
                  config.evictionPolicy().equals("lru") ? EvictionOrder.LRU : EvictionOrder.FIFO)
              .withBuckets(config.bucketKeys(), config.bucketBytes(), config.bucketLingerMillis());
      BucketStore store = BucketStore.open(directory, options, damages);
      DiskStorage opened = new DiskStorage(directory, store);
      LOG.info("disk {} in {}", directory.id(), directory.path());
      directory = null;
      return opened;
    } finally {
      if (directory != null) {
        directory.close();
      }
    }
  }

  /** What is kept free for others: no more than a twentieth of a small file system. */
  private static long reserveBytes(DiskDirectory directory) {
    try {
      return Math.min(
          StoreOptions.DEFAULT.reserveBytes(),
          directory.layer().space(directory.path()).totalBytes() / RESERVED_PART);
    } catch (FileException e) {
      throw new StoreException(
          ErrorCode.FILE_OPEN_FAIL,
          "disk_dir " + directory.path() + " cannot be used: " + e.getMessage());
    }
  }

  /** A part of what this process may have: the rest is for connections. */
  private static int openFiles() {
    int most = StoreOptions.DEFAULT.openFiles();
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? Math.clamp(unix.getMaxFileDescriptorCount() / OPEN_FILES_PART, 1, most)
        : most;
  }

  DiskDirectory directory() {
    return directory;
  }

  BucketStore store() {
    return store;
  }

  @Override
  public long size(long version) {
    return store.length(version);
  }

  @Override
  public long blockBytes(long offset, long length) {
    return BucketStore.bufferBytes(offset, length);
  }

  @Override
  public Outcome<Long> read(long version, long offset, long length, MemorySegment block) {
    return outcome(
        version, store.read(version, offset, length, block, isWhole(version, offset, length)));
  }

  @Override
  public Outcome<Long> readUnreported(long version, long offset, long length, MemorySegment block) {
    return outcome(
        version,
        store.readUnreported(version, offset, length, block, isWhole(version, offset, length)));
  }

  private boolean isWhole(long version, long offset, long length) {
    return offset == 0 && length == store.length(version);
  }

  private static Outcome<Long> outcome(long version, ReadResult result) {
    if (result.code() != ErrorCode.OK) {
      LOG.warn("object {} cannot be read from disk: {}", version, result.detail());
      return Outcome.error(result.code());
    }
    return Outcome.of(result.start());
  }

  @Override
  public boolean matches(long version, int crc) {
    return store.matches(version, crc);
  }

  /** No thread may use it any more. Blocks. */
  @Override
  public void close() {
    store.close();
    directory.close();
  }
}
