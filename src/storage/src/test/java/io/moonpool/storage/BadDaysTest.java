package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.moonpool.libc.Errno;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.storage.file.FaultyLayer;
import io.moonpool.storage.file.FileOperation;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that disks, file systems and people do to a store. */
class BadDaysTest {
  private final FaultyLayer layer = new FaultyLayer();
  @TempDir Path temporary;
  private Disk disk;

  @BeforeEach
  void open() {
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
  }

  @AfterEach
  void close() {
    layer.heal();
    disk.close();
  }

  private void reopen() {
    disk.close();
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
  }

  private static void flip(Path file, long position) throws IOException {
    try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
      raw.seek(position);
      int before = raw.read();
      raw.seek(position);
      raw.write(before ^ 0x10);
    }
  }

  private static void truncate(Path file, long size) throws IOException {
    try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
      raw.setLength(size);
    }
  }

  private StoreResult tryPut(long version, long length) {
    BucketWriter writer = disk.store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = Values.of(arena, version, length);
      StoreResult appended =
          writer.append(Values.record("key-" + version, version, length), value, 0);
      if (!appended.ok()) {
        writer.abandon();
        return appended;
      }
      return writer.commit();
    }
  }

  private long filesInBuckets() throws IOException {
    try (Stream<Path> files = Files.list(disk.directory.buckets())) {
      return files.filter(file -> !file.toString().endsWith(".tombstones")).count();
    }
  }

  // What is on the disk is not what was written.

  @Test
  void aFlippedBitInAValue() throws IOException {
    long bucket = disk.put(1, 5000, 2, 5000, 3, 5000);
    flip(disk.data(bucket), 8192 + 4999); // the last byte of the second value
    ReadResult read = disk.read(2);
    assertThat(read.code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
    assertThat(read.detail())
        .contains(disk.data(bucket).toString())
        .contains("at 8192")
        .contains("5000 bytes");
    assertThat(disk.damages)
        .singleElement()
        .satisfies(
            damage -> {
              assertThat(damage.version()).isEqualTo(2);
              assertThat(damage.bucketId()).isEqualTo(bucket);
              assertThat(damage.code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
            });
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.read(3).ok()).isTrue();
    assertThat(disk.store.stats().damagedObjects()).isEqualTo(1);
    assertThat(disk.store.tombstone(2).ok()).isTrue();
    assertThat(disk.read(2).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void aFlippedBitInADescriptor() throws IOException {
    long bucket = disk.put(1, 5000, 2, 5000, 3, 5000);
    flip(disk.data(bucket), 3 * 8192 + 2 * 64 + 3); // the entry of the second value
    for (long version = 1; version <= 3; version++) {
      assertThat(disk.read(version).ok()).as("its checksum vouches for it").isTrue();
    }
    assertThat(disk.store.stats().damagedDescriptors()).isEqualTo(1);
    reopen();
    flip(disk.data(bucket), 3 * 8192 + 2 * 64 + 3);
    flip(disk.data(bucket), 3 * 8192 + 9); // the head
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.store.stats().damagedDescriptors()).isEqualTo(1);
    assertThat(disk.damages).isEmpty();
  }

  @Test
  void twoDataFilesThatChangedPlaces() throws IOException {
    long first = disk.put(1, 5000, 2, 100);
    long second = disk.put(3, 5000, 4, 100);
    Path aside = temporary.resolve("aside");
    Files.move(disk.data(first), aside);
    Files.move(disk.data(second), disk.data(first));
    Files.move(aside, disk.data(second));
    reopen();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(8192, 4096);
      // Not even unverified: the file says itself that it is another one.
      ReadResult read = disk.store.read(1, 0, 10, into, false);
      assertThat(read.code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
      assertThat(read.detail()).contains(String.format("%016x", second));
      assertThat(disk.store.read(4, 0, 10, into, false).ok()).isFalse();
    }
    assertThat(disk.damages).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 17, 25, 40, 60, 100, 150})
  void aFlippedBitInAnIndex(long position) throws IOException {
    long good = disk.put(1, 5000);
    long bad = disk.put(2, 5000, 3, 5000);
    disk.close();
    flip(disk.index(bad), position);
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    assertThat(disk.store.recovered().damaged())
        .singleElement()
        .satisfies(bucket -> assertThat(bucket.name()).isEqualTo(String.format("%016x", bad)));
    assertThat(disk.store.recovered().damagedBytes()).isGreaterThan(16_384);
    assertThat(disk.directory.damaged().resolve(disk.data(bad).getFileName())).exists();
    assertThat(disk.directory.damaged().resolve(disk.index(bad).getFileName())).exists();
    assertThat(disk.data(bad)).doesNotExist();
    assertThat(disk.store.contains(2)).isFalse();
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.data(good)).exists();
    reopen();
    assertThat(disk.store.recovered().damaged()).isEmpty(); // once is enough
    assertThat(disk.store.stats().usedBytes()).isGreaterThan(16_384 + 8192);
    assertThat(disk.directory.damaged().resolve(disk.data(bad).getFileName())).exists();
  }

  @Test
  void aRepairedBucketComesBackWithItsTombstones() throws IOException {
    long bucket = disk.put(1, 5000, 2, 5000);
    assertThat(disk.store.tombstone(2).ok()).isTrue();
    disk.close();
    flip(disk.index(bucket), 40);
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    reopen();
    Path index = disk.directory.damaged().resolve(disk.index(bucket).getFileName());
    Path data = disk.directory.damaged().resolve(disk.data(bucket).getFileName());
    disk.close();
    flip(index, 40);
    Files.move(data, disk.data(bucket));
    Files.move(index, disk.index(bucket));
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.store.contains(2)).isFalse();
  }

  @Test
  void aFileCutOffInTheMidstOfAValue() throws IOException {
    long bucket = disk.put(1, 5000, 2, 12_000, 3, 100);
    assertThat(disk.read(2).ok()).isTrue();
    truncate(disk.data(bucket), 8192 + 6000);
    ReadResult read = disk.read(2);
    assertThat(read.code()).isEqualTo(ErrorCode.FILE_READ_FAIL);
    assertThat(read.detail()).contains("ends after 14192 bytes").contains(".data");
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.read(3).code()).isEqualTo(ErrorCode.FILE_READ_FAIL);
    assertThat(disk.damages).extracting(Damage::version).containsExactly(2L, 3L);
    try (Arena arena = Arena.ofConfined()) {
      // A range that is still there can be read, up to the last partial block of the file.
      MemorySegment into = arena.allocate(16_384, 4096);
      ReadResult range = disk.store.read(2, 100, 5900, into, true);
      assertThat(range.ok()).isTrue();
      assertThat(range.verified()).isFalse();
      assertThat(Values.firstWrong(into.asSlice(range.start(), 5900), 2, 100)).isEqualTo(-1);
      assertThat(disk.store.read(2, 100, 5901, into, true).code())
          .isEqualTo(ErrorCode.FILE_READ_FAIL);
    }
    reopen();
    assertThat(disk.store.recovered().damaged())
        .singleElement()
        .satisfies(damaged -> assertThat(damaged.reason()).contains("14192 of"));
    assertThat(disk.store.stats().objects()).isZero();
  }

  @Test
  void aMissingDataFile() throws IOException {
    long bucket = disk.put(1, 5000);
    long other = disk.put(2, 5000);
    Files.delete(disk.data(bucket));
    ReadResult read = disk.read(1);
    assertThat(read.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
    assertThat(read.detail()).contains(disk.data(bucket).toString());
    assertThat(disk.damages).hasSize(1);
    reopen();
    assertThat(disk.store.recovered().damaged())
        .singleElement()
        .satisfies(damaged -> assertThat(damaged.reason()).contains("missing"));
    assertThat(disk.read(2).ok()).isTrue();
    assertThat(disk.data(other)).exists();
  }

  @Test
  void whatIsNotMoonpoolsIsLeftAlone() throws IOException {
    disk.put(1, 5000);
    disk.close();
    Path buckets = disk.directory.buckets();
    Files.writeString(buckets.resolve("README"), "mine");
    Files.writeString(buckets.resolve("xyz.index"), "mine");
    Files.createDirectory(buckets.resolve("0000000000000001.data"));
    Files.writeString(buckets.resolve("0000000000000002.data"), "half-written");
    Files.writeString(buckets.resolve("0000000000000003.index.tmp"), "half-written");
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    assertThat(disk.store.recovered().unknownFiles()).isEqualTo(3);
    assertThat(disk.store.recovered().removedLeftovers()).isEqualTo(2);
    assertThat(buckets.resolve("README")).exists();
    assertThat(buckets.resolve("0000000000000002.data")).doesNotExist();
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void damagedTombstonesAreCountedAndTheOthersHold() throws IOException {
    disk.put(1, 100, 2, 100, 3, 100, 4, 100);
    assertThat(disk.store.tombstone(1, 2, 3).ok()).isTrue();
    disk.close();
    Path log;
    try (Stream<Path> files = Files.list(disk.directory.buckets())) {
      log = files.filter(file -> file.toString().endsWith(".tombstones")).findFirst().orElseThrow();
    }
    flip(log, 24 + 10); // the second of three
    Files.write(log, new byte[] {1, 2, 3}, java.nio.file.StandardOpenOption.APPEND);
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    assertThat(disk.store.recovered().damagedTombstones()).isEqualTo(1);
    assertThat(disk.store.contains(1)).isFalse();
    assertThat(disk.store.contains(3)).isFalse();
    assertThat(disk.store.contains(4)).isTrue();
    reopen();
    assertThat(disk.store.recovered().damagedTombstones()).isZero();
    assertThat(disk.store.contains(3)).isFalse();
  }

  @Test
  void aLostCountOfOpeningsRepeatsNoBucketId() throws IOException {
    reopen();
    long first = disk.put(1, 100);
    disk.close();
    Files.delete(disk.directory.path().resolve("opens"));
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    assertThat(disk.put(2, 100)).isGreaterThan(first);
    assertThat(disk.read(1).ok()).isTrue();
  }

  // The file system refuses.

  @Test
  void aReadThatFails() {
    long bucket = disk.put(1, 5000);
    layer.fail(FileOperation.READ, ".data", Errno.EIO);
    ReadResult read = disk.read(1);
    assertThat(read.code()).isEqualTo(ErrorCode.FILE_READ_FAIL);
    assertThat(read.detail()).contains("EIO").contains(disk.data(bucket).toString());
    assertThat(disk.damages).as("that the disk fails damages no object").isEmpty();
    layer.heal();
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.store.writeState().writable()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "CREATE,.data",
    "WRITE,.data",
    "SYNC,.data",
    "CREATE,.index",
    "WRITE,.index",
    "SYNC,.index",
    "RENAME,.index",
    "SYNC,buckets"
  })
  void aWriteThatFailsStopsWritingUntilAProbeSucceeds(FileOperation operation, String name)
      throws IOException {
    disk.put(1, 5000);
    layer.fail(operation, name, Errno.EIO);
    StoreResult failed = tryPut(2, 5000);
    assertThat(failed.ok()).isFalse();
    assertThat(failed.detail()).contains("EIO").contains(temporary.toString());
    assertThat(disk.store.contains(2)).isFalse();
    assertThat(disk.store.writeState().writable()).isFalse();
    assertThat(disk.store.writeState().reason()).contains("EIO");
    assertThat(tryPut(3, 5000).code()).isEqualTo(ErrorCode.UNABLE_OFFLOADING);
    assertThat(disk.read(1).ok()).as("reading goes on").isTrue();

    layer.heal();
    assertThat(tryPut(3, 5000).code())
        .as("not before a probe")
        .isEqualTo(ErrorCode.UNABLE_OFFLOADING);
    assertThat(disk.store.probe()).isEqualTo(StoreResult.OK);
    assertThat(tryPut(2, 5000)).isEqualTo(StoreResult.OK);
    assertThat(disk.read(2).ok()).isTrue();
    assertThat(filesInBuckets()).isEqualTo(4);
    reopen();
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.read(2).ok()).isTrue();
    assertThat(disk.store.recovered().damaged()).isEmpty();
  }

  @Test
  void aProbeFailsAsLongAsTheDiskDoes() {
    layer.fail(FileOperation.SYNC, ".", Errno.EIO);
    assertThat(tryPut(1, 100).ok()).isFalse();
    assertThat(disk.store.probe().ok()).isFalse();
    assertThat(disk.store.writeState().writable()).isFalse();
    layer.heal();
    assertThat(disk.store.probe().ok()).isTrue();
    assertThat(disk.store.probe().ok()).isTrue();
    assertThat(tryPut(1, 100).ok()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"WRITE,.data", "SYNC,.data", "WRITE,.index", "CREATE,.index"})
  void aFullDiskIsNoReasonToStopForGood(FileOperation operation, String name) throws IOException {
    layer.fail(operation, name, Errno.ENOSPC);
    StoreResult failed = tryPut(1, 5000);
    assertThat(failed.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(disk.store.writeState().writable()).isTrue();
    assertThat(disk.store.stats().outOfSpace()).isEqualTo(1);
    assertThat(filesInBuckets()).as("nothing half-written stays on a full disk").isZero();
    layer.heal();
    assertThat(tryPut(1, 5000)).isEqualTo(StoreResult.OK);
    assertThat(disk.read(1).ok()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"WRITE", "SYNC"})
  void aTombstoneThatFailsIsNotAcknowledged(FileOperation operation) {
    disk.put(1, 100, 2, 100);
    layer.fail(operation, ".tombstones", Errno.EIO);
    assertThat(disk.store.tombstone(1).ok()).isFalse();
    assertThat(disk.store.contains(1)).as("not dead yet").isTrue();
    assertThat(disk.store.tombstone(1).ok()).isFalse();
    layer.heal();
    // No probe needed: what was removed has to go whatever else is wrong.
    assertThat(disk.store.tombstone(1)).isEqualTo(StoreResult.OK);
    assertThat(disk.store.contains(1)).isFalse();
    reopen();
    assertThat(disk.store.contains(1)).isFalse();
    assertThat(disk.read(2).ok()).isTrue();
  }

  @Test
  void aDiskThatIsFullAtTheStartIsReadAndEmptied() throws IOException {
    long first = disk.put(1, 5000);
    disk.put(2, 5000, 3, 5000);
    assertThat(disk.store.tombstone(2).ok()).isTrue();
    BucketWriter writer = disk.store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      // The same key as version 1: the scan kills that one.
      writer.append(Values.record("key-1", 9, 100), Values.of(arena, 9, 100), 0);
      writer.commit();
    }
    disk.close();
    layer.fail(FileOperation.CREATE, ".", Errno.ENOSPC);
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    assertThat(disk.read(3).ok()).isTrue();
    assertThat(disk.store.contains(2)).isFalse();
    assertThat(disk.store.contains(1)).isFalse();
    assertThat(tryPut(4, 100).code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(disk.store.tombstone(3).code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(disk.store.contains(3)).isTrue();
    layer.heal();
    assertThat(disk.store.tombstone(9)).isEqualTo(StoreResult.OK);
    assertThat(tryPut(4, 100)).isEqualTo(StoreResult.OK);
    reopen();
    assertThat(disk.read(3).ok()).isTrue();
    assertThat(disk.read(4).ok()).isTrue();
    for (long dead : new long[] {1, 2, 9}) {
      assertThat(disk.store.contains(dead)).isFalse();
    }
    assertThat(disk.data(first)).exists();
  }

  @Test
  void tooManyOpenFilesDamageNothing() {
    disk.put(1, 5000);
    layer.fail(FileOperation.OPEN, ".data", Errno.EMFILE);
    ReadResult read = disk.read(1);
    assertThat(read.code()).isEqualTo(ErrorCode.FILE_OPEN_FAIL);
    assertThat(read.detail()).contains("EMFILE");
    assertThat(disk.damages).isEmpty();
    layer.heal();
    assertThat(disk.read(1).ok()).isTrue();
    disk.close();
    layer.fail(FileOperation.OPEN, ".index", Errno.EMFILE);
    assertThatThrownBy(() -> Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS))
        .as("a good index is not set aside for that")
        .hasMessageContaining("EMFILE");
    layer.heal();
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void anEvictionThatCannotBeginChangesNothing() {
    long bucket = disk.put(1, 100);
    layer.fail(FileOperation.RENAME, ".index", Errno.EIO);
    assertThat(disk.store.beginEviction(bucket).ok()).isFalse();
    layer.heal();
    disk.store.probe();
    layer.fail(FileOperation.SYNC, "buckets", Errno.EIO);
    assertThat(disk.store.beginEviction(bucket).ok()).isFalse();
    layer.heal();
    disk.store.probe();
    assertThat(disk.store.finishEviction(bucket, 0).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(disk.read(1).ok()).isTrue();
    reopen();
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void aReadOnlyDirectoryIsRefusedAtTheStart() {
    disk.put(1, 100);
    disk.close();
    layer.fail(FileOperation.CREATE, "", Errno.EROFS);
    assertThatThrownBy(() -> Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_OPEN_FAIL))
        .hasMessageContaining("EROFS")
        .hasMessageContaining("name a directory that this user may write to");
    layer.heal();
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void aDirectoryThatIsDeletedUnderARunningStore() throws IOException {
    disk.put(1, 5000);
    long notOpened = disk.put(2, 5000);
    assertThat(disk.read(1).ok()).isTrue();
    deleteTree(temporary.resolve("disk"));
    assertThat(disk.read(1).ok()).as("its file is open").isTrue();
    ReadResult gone = disk.read(2);
    assertThat(gone.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
    assertThat(gone.detail()).contains(disk.data(notOpened).toString());
    StoreResult failed = tryPut(3, 5000);
    assertThat(failed.ok()).isFalse();
    assertThat(failed.detail()).contains("ENOENT");
    assertThat(disk.store.writeState().writable()).isFalse();
    assertThat(disk.store.probe().code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
    assertThat(disk.store.chooseVictims(0)).isEmpty();
    assertThat(disk.store.scan().next(10)).isEmpty();
    assertThat(disk.store.beginEviction(notOpened).ok()).isFalse();
    assertThat(disk.store.stats().availableBytes()).isEqualTo(-1);
    // An empty directory in its place is another disk: nothing is written to it.
    Files.createDirectories(disk.directory.buckets());
    Files.writeString(disk.directory.path().resolve("disk-id"), "another");
    assertThat(disk.store.probe().detail()).contains("another disk");
  }

  private static void deleteTree(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  // The same on a file system that really is full, and really is read-only.

  private static void sh(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assumeTrue(process.waitFor() == 0, String.join(" ", command) + ": " + output);
  }

  @Test
  void aSmallFileSystemFillsUpAndTakesObjectsAgain() throws Exception {
    Path mount = Files.createDirectory(temporary.resolve("mount"));
    sh("mount", "-t", "tmpfs", "-o", "size=4m", "moonpool-test", mount.toString());
    try {
      StoreOptions options = Disk.OPTIONS.withQuotaBytes(1L << 30).withReserveBytes(0);
      Disk before = disk;
      try (Disk small = Disk.open(layer, mount.resolve("disk"), options)) {
        disk = small;
        long version = 0;
        StoreResult result = StoreResult.OK;
        while (result.ok()) {
          result = tryPut(++version, 500_000);
          assertThat(version).isLessThan(10);
        }
        assertThat(result.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
        assertThat(small.store.writeState().writable()).isTrue();
        for (long v = 1; v < version; v++) {
          assertThat(small.read(v).ok()).isTrue();
        }
        List<Victim> victims = small.store.chooseVictims(600_000);
        assertThat(victims).isNotEmpty();
        for (Victim victim : victims) {
          assertThat(small.store.beginEviction(victim.bucketId()).ok()).isTrue();
          assertThat(small.store.finishEviction(victim.bucketId(), 0).ok()).isTrue();
        }
        assertThat(tryPut(100, 500_000)).isEqualTo(StoreResult.OK);
        assertThat(small.read(100).ok()).isTrue();
      } finally {
        disk = before;
      }
      sh("mount", "-o", "remount,ro", mount.toString());
      assertThatThrownBy(() -> Disk.open(layer, mount.resolve("disk"), options))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("EROFS");
    } finally {
      sh("umount", mount.toString());
    }
  }
}
