package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.FileLayer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A directory and the store in it, for tests. */
final class Disk implements AutoCloseable {
  static final StoreOptions OPTIONS =
      StoreOptions.DEFAULT.withQuotaBytes(8L << 30).withReserveBytes(1 << 20);

  final List<Damage> damages = new ArrayList<>();
  final DiskDirectory directory;
  final BucketStore store;

  private Disk(DiskDirectory directory, StoreOptions options) {
    this.directory = directory;
    this.store =
        BucketStore.open(
            directory,
            options,
            damage -> {
              synchronized (damages) {
                damages.add(damage);
              }
            });
  }

  static Disk open(FileLayer layer, Path path, StoreOptions options) {
    DiskDirectory directory = DiskDirectory.open(layer, path, "disk_dir");
    try {
      return new Disk(directory, options);
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  /** Stores values of these versions and lengths in one bucket. */
  long put(long... versionsAndLengths) {
    BucketWriter writer = store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < versionsAndLengths.length; i += 2) {
        long version = versionsAndLengths[i];
        MemorySegment value = Values.of(arena, version, versionsAndLengths[i + 1]);
        StoreResult result =
            writer.append(Values.record("key-" + version, version, value.byteSize()), value, 0);
        assertThat(result).isEqualTo(StoreResult.OK);
      }
    }
    assertThat(writer.commit()).isEqualTo(StoreResult.OK);
    return writer.bucketId();
  }

  /** Reads a whole value with its checksum. */
  ReadResult read(long version) {
    long length = Math.max(0, store.length(version));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(BucketStore.bufferBytes(0, length) + 4096, 4096);
      ReadResult result = store.read(version, 0, length, into, true);
      if (result.ok()) {
        assertThat(result.length()).isEqualTo(length);
        assertThat(Values.firstWrong(into.asSlice(result.start(), length), version, 0))
            .as("first wrong byte of version " + version)
            .isEqualTo(-1);
      }
      return result;
    }
  }

  Path data(long bucketId) {
    return directory.buckets().resolve(String.format("%016x.data", bucketId));
  }

  Path index(long bucketId) {
    return directory.buckets().resolve(String.format("%016x.index", bucketId));
  }

  @Override
  public void close() {
    store.close();
    directory.close();
  }
}
