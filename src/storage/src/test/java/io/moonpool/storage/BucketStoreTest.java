package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.storage.file.PosixFileLayer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BucketStoreTest {
  @TempDir Path temporary;
  private Disk disk;

  @BeforeEach
  void open() {
    disk = Disk.open(new PosixFileLayer(), temporary, Disk.OPTIONS);
  }

  private void reopen(StoreOptions options) {
    disk.close();
    disk = Disk.open(new PosixFileLayer(), temporary, options);
  }

  @AfterEach
  void close() {
    disk.close();
  }

  @Test
  void readsBackValuesOfEverySize() {
    long[] lengths = {
      0,
      1,
      4095,
      4096,
      4097,
      5000,
      7001,
      8192,
      12000,
      262_143,
      262_144,
      300_001,
      1 << 20,
      (1 << 20) + 1,
      (3 << 20) + 4097
    };
    long[] what = new long[lengths.length * 2];
    for (int i = 0; i < lengths.length; i++) {
      what[2 * i] = 100 + i;
      what[2 * i + 1] = lengths[i];
    }
    disk.put(what);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < lengths.length; i++) {
        assertThat(disk.store.length(100 + i)).isEqualTo(lengths[i]);
        ReadResult read = disk.read(100 + i);
        assertThat(read.ok()).as("%s bytes: %s", lengths[i], read).isTrue();
        assertThat(read.verified()).isTrue();
      }
      reopen(Disk.OPTIONS);
    }
    assertThat(disk.damages).isEmpty();
  }

  @Test
  void readsAnyRange() {
    long length = 3 * (1 << 20) + 123;
    disk.put(1, 5000, 2, length, 3, 77);
    Random random = new Random(42);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(8 << 20, 4096);
      for (int i = 0; i < 300; i++) {
        long offset = random.nextLong(length + 1);
        long wanted = random.nextLong(length - offset + 1);
        long buffer = BucketStore.bufferBytes(offset, wanted);
        ReadResult read = disk.store.read(2, offset, wanted, into.asSlice(0, buffer), false);
        assertThat(read.ok()).as("%s", read).isTrue();
        assertThat(read.length()).isEqualTo(wanted);
        assertThat(Values.firstWrong(into.asSlice(read.start(), wanted), 2, offset)).isEqualTo(-1);
      }
    }
  }

  @Test
  void refusesWrongReads() {
    disk.put(1, 5000);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(16384, 4096);
      assertThat(disk.store.read(2, 0, 1, into, true).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
      for (long[] range :
          new long[][] {{0, 5001}, {-1, 2}, {5000, 1}, {0, -1}, {1, Long.MAX_VALUE}}) {
        assertThat(disk.store.read(1, range[0], range[1], into, true).code())
            .isEqualTo(ErrorCode.INVALID_PARAMS);
      }
      assertThat(disk.store.read(1, 0, 5000, into.asSlice(0, 4096), true).code())
          .isEqualTo(ErrorCode.BUFFER_OVERFLOW);
      assertThat(disk.store.read(1, 0, 5000, into.asSlice(512), true).code())
          .isEqualTo(ErrorCode.FILE_INVALID_BUFFER);
      assertThat(disk.store.read(1, 0, 5000, MemorySegment.ofArray(new byte[8192]), true).code())
          .isEqualTo(ErrorCode.FILE_INVALID_BUFFER);
      assertThat(disk.damages).isEmpty();
    }
  }

  @Test
  void writesFromAnyAddress() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate((2 << 20) + 64, 4096);
      BucketWriter writer = disk.store.newBucket();
      for (int i = 1; i <= 5; i++) {
        MemorySegment value = memory.asSlice(i * 7, (1 << 20) + i);
        Values.fill(value, i);
        assertThat(writer.append(Values.record("k" + i, i, value.byteSize()), value, 0).ok())
            .isTrue();
      }
      assertThat(writer.commit().ok()).isTrue();
    }
    for (int i = 1; i <= 5; i++) {
      assertThat(disk.read(i).ok()).isTrue();
    }
  }

  @Test
  void nothingIsThereBeforeTheCommit() {
    try (Arena arena = Arena.ofConfined()) {
      BucketWriter writer = disk.store.newBucket();
      MemorySegment value = Values.of(arena, 1, 5000);
      assertThat(writer.append(Values.record("k", 1, 5000), value, 0).ok()).isTrue();
      assertThat(disk.store.contains(1)).isFalse();
      assertThatThrownBy(() -> disk.store.newBucket()).isInstanceOf(IllegalStateException.class);
      assertThat(writer.commit().ok()).isTrue();
      assertThat(disk.store.contains(1)).isTrue();
      assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> writer.append(Values.record("l", 2, 5000), value, 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anAbandonedBucketLeavesNothing() {
    BucketWriter writer = disk.store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      writer.append(Values.record("k", 1, 5000), Values.of(arena, 1, 5000), 0);
    }
    assertThat(disk.data(writer.bucketId())).exists();
    writer.abandon();
    assertThat(disk.data(writer.bucketId())).doesNotExist();
    assertThat(disk.store.contains(1)).isFalse();
    BucketWriter empty = disk.store.newBucket();
    assertThat(empty.commit().ok()).isTrue();
    assertThat(disk.store.bucketIds()).isEmpty();
  }

  @Test
  void aBucketIsFullByObjectsBytesOrTime() {
    reopen(Disk.OPTIONS.withBuckets(3, 20_000, 100));
    try (Arena arena = Arena.ofConfined()) {
      BucketWriter writer = disk.store.newBucket();
      assertThat(writer.shouldCommit(1_000_000)).isFalse();
      append(writer, arena, 1, 100, 5000);
      assertThat(writer.shouldCommit(5099)).isFalse();
      assertThat(writer.commitAtMillis()).isEqualTo(5100);
      assertThat(writer.shouldCommit(5100)).isTrue();
      append(writer, arena, 2, 100, 5001);
      append(writer, arena, 3, 100, 5002);
      assertThat(writer.shouldCommit(5003)).isTrue();
      assertThat(tryAppend(writer, arena, 4, 100, 5003).code())
          .isEqualTo(ErrorCode.KEYS_EXCEED_BUCKET_LIMIT);
      assertThat(writer.commit().ok()).isTrue();

      BucketWriter bytes = disk.store.newBucket();
      append(bytes, arena, 4, 15_000, 0);
      assertThat(tryAppend(bytes, arena, 5, 5001, 0).code())
          .isEqualTo(ErrorCode.KEYS_EXCEED_BUCKET_LIMIT);
      append(bytes, arena, 6, 5000, 0);
      assertThat(bytes.shouldCommit(0)).isTrue();
      assertThat(bytes.commit().ok()).isTrue();

      BucketWriter large = disk.store.newBucket();
      append(large, arena, 7, 100_000, 0); // greater than a bucket: alone in its own
      assertThat(large.shouldCommit(0)).isTrue();
      assertThat(tryAppend(large, arena, 8, 1, 0).code())
          .isEqualTo(ErrorCode.KEYS_EXCEED_BUCKET_LIMIT);
      assertThat(large.commit().ok()).isTrue();
    }
    for (long version : new long[] {1, 2, 3, 4, 6, 7}) {
      assertThat(disk.read(version).ok()).isTrue();
    }
  }

  private static StoreResult tryAppend(
      BucketWriter writer, Arena arena, long version, long length, long nowMillis) {
    return writer.append(
        Values.record("key-" + version, version, length),
        Values.of(arena, version, length),
        nowMillis);
  }

  private static void append(
      BucketWriter writer, Arena arena, long version, long length, long nowMillis) {
    assertThat(tryAppend(writer, arena, version, length, nowMillis)).isEqualTo(StoreResult.OK);
  }

  @Test
  void refusesAVersionThatIsThere() {
    disk.put(1, 100);
    try (Arena arena = Arena.ofConfined()) {
      BucketWriter writer = disk.store.newBucket();
      assertThat(tryAppend(writer, arena, 1, 100, 0).code())
          .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);
      append(writer, arena, 2, 100, 0);
      assertThat(tryAppend(writer, arena, 2, 100, 0).code())
          .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);
      writer.commit();
    }
  }

  @Test
  void refusesBytesThatAreNotWhatTheirChecksumSays() {
    try (Arena arena = Arena.ofConfined()) {
      for (long length : new long[] {5000, (2 << 20) + 5}) {
        MemorySegment value = Values.of(arena, 1, length);
        ObjectRecord record = Values.withCrc("k", 1, value);
        value.set(java.lang.foreign.ValueLayout.JAVA_BYTE, length - 1, (byte) 0x55);
        BucketWriter writer = disk.store.newBucket();
        assertThat(writer.append(record, value, 0).code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
        assertThat(writer.isEmpty()).isTrue();
        Values.fill(value, 1);
        assertThat(writer.append(record, value, 0).ok()).isTrue();
        writer.abandon();
      }
    }
  }

  @Test
  void keepsAllThatARecordSays() {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < 256; i++) {
      everyByte[i] = (byte) i;
    }
    byte[] longest = new byte[65_535];
    new Random(1).nextBytes(longest);
    List<ObjectRecord> stored = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      BucketWriter writer = disk.store.newBucket();
      MemorySegment large = Values.of(arena, 4, (2 << 20) + 1);
      stored.add(
          new ObjectRecord(
              "default", everyByte, 1, 10, Checksum.NONE, ObjectDataType.UNKNOWN, 0, false, ""));
      stored.add(
          new ObjectRecord(
              "größer",
              longest,
              Long.MAX_VALUE,
              10,
              new Checksum(ChecksumKind.OPAQUE, -1, new int[0]),
              ObjectDataType.GENERAL,
              1_900_000_000_000L,
              true,
              "a group with ü"));
      stored.add(
          new ObjectRecord(
              "default", new byte[] {0}, 3, 0, Checksum.NONE, ObjectDataType.TENSOR, 0, true, ""));
      stored.add(Values.withCrc("large", 4, large));
      for (ObjectRecord record : stored) {
        MemorySegment value =
            record.version() == 4 ? large : Values.of(arena, record.version(), record.length());
        assertThat(writer.append(record, value, 0)).isEqualTo(StoreResult.OK);
      }
      assertThat(writer.records()).isEqualTo(stored);
      assertThat(writer.commit().ok()).isTrue();
    }
    assertThat(disk.store.scan().next(100)).isEqualTo(stored);
    reopen(Disk.OPTIONS);
    assertThat(disk.store.scan().next(100)).isEqualTo(stored);
    StoreScan paged = disk.store.scan();
    assertThat(paged.next(3)).isEqualTo(stored.subList(0, 3));
    assertThat(paged.next(3)).isEqualTo(stored.subList(3, 4));
    assertThat(paged.next(3)).isEmpty();
    assertThat(disk.read(Long.MAX_VALUE).ok()).isTrue();
  }

  @Test
  void aTombstoneHoldsOverRestarts() {
    disk.put(1, 5000, 2, 5000, 3, 5000);
    disk.put(4, 100);
    assertThat(disk.store.tombstone(2, 4, 99)).isEqualTo(StoreResult.OK);
    for (int round = 0; round < 3; round++) {
      assertThat(disk.store.contains(1)).isTrue();
      assertThat(disk.store.contains(2)).isFalse();
      assertThat(disk.store.contains(4)).isFalse();
      assertThat(disk.read(2).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
      assertThat(disk.store.scan().next(10))
          .extracting(ObjectRecord::version)
          .containsExactly(1L, 3L);
      assertThat(disk.store.stats().tombstones()).isEqualTo(2);
      reopen(Disk.OPTIONS);
    }
    // The same version may be stored anew: a tombstone kills one copy.
    disk.put(2, 5000);
    reopen(Disk.OPTIONS);
    assertThat(disk.read(2).ok()).isTrue();
  }

  @Test
  void aTombstoneReachesIntoTheOpenBucket() {
    try (Arena arena = Arena.ofConfined()) {
      BucketWriter writer = disk.store.newBucket();
      append(writer, arena, 1, 100, 0);
      append(writer, arena, 2, 100, 0);
      assertThat(disk.store.tombstone(1)).isEqualTo(StoreResult.OK);
      assertThat(writer.commit().ok()).isTrue();
    }
    assertThat(disk.store.contains(1)).isFalse();
    assertThat(disk.read(2).ok()).isTrue();
    reopen(Disk.OPTIONS);
    assertThat(disk.store.contains(1)).isFalse();
    assertThat(disk.read(2).ok()).isTrue();
  }

  @Test
  void theGreatestVersionOfAKeyWinsForGood() {
    try (Arena arena = Arena.ofConfined()) {
      for (long version : new long[] {5, 9, 7}) {
        BucketWriter writer = disk.store.newBucket();
        MemorySegment value = Values.of(arena, version, 100);
        assertThat(writer.append(Values.record("same", version, 100), value, 0).ok()).isTrue();
        assertThat(writer.commit().ok()).isTrue();
      }
    }
    reopen(Disk.OPTIONS);
    assertThat(disk.store.recovered().duplicates()).isEqualTo(2);
    assertThat(disk.store.scan().next(10)).extracting(ObjectRecord::version).containsExactly(9L);
    assertThat(disk.store.tombstone(9).ok()).isTrue();
    reopen(Disk.OPTIONS);
    assertThat(disk.store.scan().next(10)).isEmpty();
  }

  @Test
  void aBucketOfLongKeysIsFullBeforeItsIndexIsTooLarge() {
    reopen(Disk.OPTIONS.withBuckets(1_000_000, 1L << 30, 0));
    BucketWriter writer = disk.store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = Values.of(arena, 1, 10);
      byte[] key = new byte[65_535];
      StoreResult result = StoreResult.OK;
      for (int version = 1; result.ok(); version++) {
        key[version % key.length]++;
        result =
            writer.append(
                new ObjectRecord(
                    "default",
                    key.clone(),
                    version,
                    10,
                    Checksum.NONE,
                    ObjectDataType.UNKNOWN,
                    0,
                    false,
                    ""),
                value,
                0);
        assertThat(version).isLessThan(1100);
      }
      assertThat(result.code()).isEqualTo(ErrorCode.KEYS_EXCEED_BUCKET_LIMIT);
      assertThat(writer.commit().ok()).isTrue();
    }
    reopen(Disk.OPTIONS);
    assertThat(disk.store.stats().objects()).isGreaterThan(1000);
    assertThat(disk.store.recovered().duplicates()).isZero();
  }
}
