package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.libc.Mapping;
import io.moonpool.storage.file.PosixFileLayer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Many small objects, and a large one. */
class ScaleTest {
  private static final int OBJECTS = 100_000;

  @TempDir Path temporary;

  @Test
  void aHundredThousandSmallObjects(TestReporter reporter) {
    try (Disk disk = Disk.open(new PosixFileLayer(), temporary, Disk.OPTIONS);
        Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(300, 4096);
      BucketWriter writer = disk.store.newBucket();
      for (int version = 1; version <= OBJECTS; version++) {
        Values.fill(value, version);
        String key = "prefix/of/a/key/that/is/about/as/long/as/keys/are/" + version;
        assertThat(writer.append(Values.record(key, version, 300), value, 0).ok()).isTrue();
        if (writer.shouldCommit(0)) {
          assertThat(writer.commit().ok()).isTrue();
          writer = disk.store.newBucket();
        }
      }
      assertThat(writer.commit().ok()).isTrue();
      assertThat(disk.store.bucketIds()).hasSize(OBJECTS / 500);
      long[] dead = LongStream.rangeClosed(1, OBJECTS).filter(v -> v % 10 == 0).toArray();
      assertThat(disk.store.tombstone(dead).ok()).isTrue();
    }
    try (Disk disk = Disk.open(new PosixFileLayer(), temporary, Disk.OPTIONS)) {
      StoreStats stats = disk.store.stats();
      reporter.publishEntry("scan", stats.recovered().toString());
      reporter.publishEntry("bytes an object", "" + stats.tableBytes() / stats.objects());
      assertThat(stats.objects()).isEqualTo(OBJECTS / 10 * 9);
      assertThat(stats.recovered().tombstones()).isEqualTo(OBJECTS / 10);
      assertThat(stats.tableBytes()).isLessThanOrEqualTo(72 * stats.objects());
      Random random = new Random(3);
      for (int i = 0; i < 2000; i++) {
        long version = 1 + random.nextInt(OBJECTS);
        assertThat(disk.read(version).ok()).isEqualTo(version % 10 != 0);
      }
      Set<Long> reported = new HashSet<>();
      StoreScan scan = disk.store.scan();
      for (List<ObjectRecord> page = scan.next(1000); !page.isEmpty(); page = scan.next(1000)) {
        page.forEach(record -> assertThat(reported.add(record.version())).isTrue());
      }
      assertThat(reported).hasSize(OBJECTS / 10 * 9);
    }
  }

  @Test
  void oneObjectOfAGibibyte() {
    long length = (1L << 30) + 12_345;
    try (Mapping mapping = Mapping.anonymous(length);
        Disk disk = Disk.open(new PosixFileLayer(), temporary, Disk.OPTIONS)) {
      MemorySegment value = mapping.memory();
      long[] marks = {0, 1 << 20, (64L << 20) - 8, 64L << 20, length / 8 * 8 - 16};
      for (long mark : marks) {
        value.set(ValueLayout.JAVA_LONG, mark, mark + 77);
      }
      value.set(ValueLayout.JAVA_BYTE, length - 1, (byte) 99);
      BucketWriter writer = disk.store.newBucket();
      assertThat(writer.append(Values.withCrc("large", 1, value), value, 0))
          .isEqualTo(StoreResult.OK);
      assertThat(writer.shouldCommit(0)).isTrue();
      assertThat(writer.commit()).isEqualTo(StoreResult.OK);
      value.fill((byte) 1); // what is read back comes from the disk
      MemorySegment into = value.asSlice(0, BucketStore.bufferBytes(0, 1 << 20));
      for (long mark : marks) {
        ReadResult read = disk.store.read(1, mark, 8, into, false);
        assertThat(read.ok()).isTrue();
        assertThat(into.get(ValueLayout.JAVA_LONG_UNALIGNED, read.start())).isEqualTo(mark + 77);
      }
      ReadResult last = disk.store.read(1, length - 1, 1, into, false);
      assertThat(into.get(ValueLayout.JAVA_BYTE, last.start())).isEqualTo((byte) 99);
    }
    try (Mapping mapping = Mapping.anonymous(BucketStore.bufferBytes(0, length));
        Disk disk = Disk.open(new PosixFileLayer(), temporary, Disk.OPTIONS)) {
      ReadResult whole = disk.store.read(1, 0, length, mapping.memory(), true);
      assertThat(whole.ok()).isTrue();
      assertThat(whole.verified()).isTrue();
      assertThat(disk.store.scan().next(2).getFirst().checksum().blocks()).hasSize(1025);
    }
  }
}
