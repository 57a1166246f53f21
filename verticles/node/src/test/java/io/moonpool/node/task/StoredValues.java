package io.moonpool.node.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.storage.BucketStore;
import io.moonpool.storage.BucketWriter;
import io.moonpool.storage.DamageListener;
import io.moonpool.storage.ObjectRecord;
import io.moonpool.storage.StoreOptions;
import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.PosixFileLayer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Values in a node's disk directory, from before it is opened, and what may happen to the files.
 */
final class StoredValues {
  private final Path directory;

  StoredValues(Path directory) {
    this.directory = directory;
  }

  /** A byte that differs from its neighbours and from those at other multiples of a block. */
  static byte[] value(long version, int size) {
    byte[] value = new byte[size];
    for (int i = 0; i < size; i++) {
      value[i] = (byte) (i * 31 + (i >>> 8) * 7 + (i >>> 16) * 13 + version * 101);
    }
    return value;
  }

  static byte[] key(long version) {
    return ("key-" + version).getBytes(StandardCharsets.UTF_8);
  }

  /** Writes one bucket a value, versions from 1 on. */
  void write(int... sizes) {
    DiskDirectory opened = DiskDirectory.open(new PosixFileLayer(), directory, "disk_dir");
    try (BucketStore store = BucketStore.open(opened, StoreOptions.DEFAULT, DamageListener.NONE);
        Arena arena = Arena.ofShared()) {
      for (int i = 0; i < sizes.length; i++) {
        long version = i + 1;
        MemorySegment value = arena.allocate(sizes[i], 4_096);
        value.copyFrom(MemorySegment.ofArray(value(version, sizes[i])));
        BucketWriter bucket = store.newBucket();
        ObjectRecord record =
            new ObjectRecord(
                "",
                key(version),
                version,
                sizes[i],
                Checksum.NONE,
                ObjectDataType.UNKNOWN,
                0,
                false,
                "");
        assertThat(bucket.append(record, value, 0).code()).isEqualTo(ErrorCode.OK);
        assertThat(bucket.commit().code()).isEqualTo(ErrorCode.OK);
      }
    } finally {
      opened.close();
    }
  }

  /** The data files, in the order of their values. */
  List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve("buckets"))) {
      return all.filter(file -> file.toString().endsWith(".data")).sorted().toList();
    }
  }

  static void delete(Path file) throws IOException {
    Files.delete(file);
  }

  static void truncate(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  static void flipBit(Path file, long position) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 1));
      channel.write(one.rewind(), position);
    }
  }
}
