package io.moonpool.bench.disk;

import io.moonpool.model.Checksum;
import io.moonpool.model.ObjectDataType;
import io.moonpool.storage.BucketStore;
import io.moonpool.storage.BucketWriter;
import io.moonpool.storage.DamageListener;
import io.moonpool.storage.ObjectRecord;
import io.moonpool.storage.StoreOptions;
import io.moonpool.storage.StoreResult;
import io.moonpool.storage.bucket.Blocks;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.PosixFileLayer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A store on the real file system, filled with values of one size; versions count from 1. */
final class BenchDisk implements AutoCloseable {
  private final DiskDirectory directory;
  private final BucketStore store;
  private final int valueBytes;
  private final long values;

  private BenchDisk(DiskDirectory directory, BucketStore store, int valueBytes, long values) {
    this.directory = directory;
    this.store = store;
    this.valueBytes = valueBytes;
    this.values = values;
  }

  /**
   * Makes a disk in an empty directory and fills it.
   *
   * @throws IOException when there is no space, or the disk refuses
   */
  static BenchDisk fill(Path path, int valueBytes, long values) throws IOException {
    DiskDirectory directory = DiskDirectory.open(new PosixFileLayer(), path, "--dir");
    BucketStore store = BucketStore.open(directory, StoreOptions.DEFAULT, DamageListener.NONE);
    BenchDisk disk = new BenchDisk(directory, store, valueBytes, values);
    try {
      disk.fill();
      return disk;
    } catch (IOException | RuntimeException e) {
      disk.close();
      throw e;
    }
  }

  private void fill() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = Blocks.allocate(arena, valueBytes).asSlice(0, valueBytes);
      SplittableRandom random = new SplittableRandom(valueBytes);
      for (long i = 0; i < valueBytes; i++) {
        value.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
      }
      BucketWriter writer = store.newBucket();
      for (long version = 1; version <= values; version++) {
        value.set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) version); // no two are equal
        ObjectRecord object = object(version);
        if (writer.shouldCommit(0)) {
          require(writer.commit());
          writer = store.newBucket();
        }
        require(writer.append(object, value, 0));
      }
      require(writer.commit());
    }
  }

  private ObjectRecord object(long version) {
    return new ObjectRecord(
        "default",
        ("bench/disk/" + version).getBytes(StandardCharsets.UTF_8),
        version,
        valueBytes,
        Checksum.NONE,
        ObjectDataType.UNKNOWN,
        0,
        false,
        "");
  }

  private static void require(StoreResult result) throws IOException {
    if (!result.ok()) {
      throw new IOException("the store answered " + result.code() + ": " + result.detail());
    }
  }

  BucketStore store() {
    return store;
  }

  int valueBytes() {
    return valueBytes;
  }

  /** How many there are; they have the versions from 1 to this. */
  long values() {
    return values;
  }

  /** The files that hold the values. */
  List<Path> dataFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory.buckets())) {
      return files.filter(file -> file.toString().endsWith(BucketFiles.DATA)).sorted().toList();
    }
  }

  @Override
  public void close() {
    store.close();
    directory.close();
  }
}
