package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.libc.Errno;
import io.moonpool.storage.file.FaultyLayer;
import io.moonpool.storage.file.FileOperation;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Space of dead objects comes back when somebody asks, and nothing that lives is lost. */
class CollectionTest {
  private final FaultyLayer layer = new FaultyLayer();
  @TempDir Path temporary;
  private Disk disk;

  @BeforeEach
  void open() {
    disk = Disk.open(layer, temporary, Disk.OPTIONS);
  }

  private void reopen() {
    disk.close();
    disk = Disk.open(layer, temporary, Disk.OPTIONS);
  }

  @AfterEach
  void close() {
    disk.close();
  }

  private GcReport collect() {
    return disk.store.collect(0.5, Long.MAX_VALUE, 1000);
  }

  @Test
  void nothingHappensByItself() {
    long dead = disk.put(1, 5000);
    disk.store.tombstone(1);
    reopen();
    assertThat(disk.data(dead)).exists();
    assertThat(disk.store.bucketIds()).containsExactly(dead);
  }

  @Test
  void emptyBucketsGoAndMostlyDeadOnesAreCopied() {
    long dead = disk.put(1, 5000, 2, 5000);
    long mostlyDead = disk.put(3, 5000, 4, 5000, 5, 300_000, 6, 7001);
    long mostlyAlive = disk.put(7, 300_000, 8, 100);
    disk.store.tombstone(1, 2, 3, 5, 8);
    long before = disk.store.stats().usedBytes();
    GcReport report = collect();
    assertThat(report.result()).isEqualTo(StoreResult.OK);
    assertThat(report.complete()).isTrue();
    assertThat(report.emptied()).isEqualTo(1);
    assertThat(report.rewritten()).isEqualTo(1);
    assertThat(report.copiedObjects()).isEqualTo(2);
    assertThat(report.copiedBytes()).isEqualTo(12_001);
    assertThat(disk.data(dead)).doesNotExist();
    assertThat(disk.data(mostlyDead)).doesNotExist();
    assertThat(disk.data(mostlyAlive)).exists();
    assertThat(before - disk.store.stats().usedBytes()).isGreaterThan(300_000);
    assertThat(report.freedBytes()).isGreaterThan(300_000);
    for (int round = 0; round < 2; round++) {
      for (long version : new long[] {4, 6, 7}) {
        assertThat(disk.read(version).ok()).isTrue();
      }
      for (long version : new long[] {1, 2, 3, 5, 8}) {
        assertThat(disk.store.contains(version)).isFalse();
      }
      assertThat(disk.store.scan().next(10))
          .extracting(ObjectRecord::version)
          .containsExactlyInAnyOrder(4L, 6L, 7L);
      assertThat(disk.store.stats().tombstones()).as("the one of version 8").isEqualTo(1);
      reopen();
    }
    assertThat(collect().rewritten()).isZero();
  }

  @Test
  void copiesNoMoreThanAllowed() {
    disk.put(1, 50_000, 2, 100_000);
    disk.put(3, 50_000, 4, 100_000);
    disk.store.tombstone(2, 4);
    GcReport first = disk.store.collect(0.5, 60_000, 0);
    assertThat(first.rewritten()).isEqualTo(1);
    assertThat(first.complete()).isFalse();
    GcReport second = disk.store.collect(0.5, 60_000, 0);
    assertThat(second.rewritten()).isEqualTo(1);
    assertThat(second.complete()).isTrue();
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.read(3).ok()).isTrue();
  }

  @Test
  void aDamagedObjectKeepsItsBucket() throws Exception {
    long bucket = disk.put(1, 5000, 2, 5000, 3, 100_000);
    disk.store.tombstone(3);
    try (RandomAccessFile raw = new RandomAccessFile(disk.data(bucket).toFile(), "rw")) {
      raw.seek(100);
      raw.write(raw.read() ^ 1);
    }
    GcReport report = collect();
    assertThat(report.result().ok()).isTrue();
    assertThat(report.rewritten()).isZero();
    assertThat(report.copiedObjects()).isEqualTo(1);
    assertThat(disk.damages).extracting(Damage::version).containsExactly(1L);
    assertThat(disk.data(bucket)).exists();
    assertThat(disk.read(2).ok()).isTrue();
    reopen();
    assertThat(disk.store.recovered().duplicates()).as("two copies of version 2").isEqualTo(1);
    assertThat(disk.read(2).ok()).isTrue();
    disk.store.tombstone(1, 2);
    collect();
    reopen();
    assertThat(disk.store.bucketIds()).isEmpty();
  }

  @Test
  void aFailedCopyLosesNothing() {
    disk.put(1, 5000, 2, 100_000);
    disk.store.tombstone(2);
    layer.fail(FileOperation.SYNC, ".data", Errno.EIO);
    GcReport report = collect();
    assertThat(report.result().ok()).isFalse();
    assertThat(report.rewritten()).isZero();
    layer.heal();
    assertThat(disk.read(1).ok()).isTrue();
    reopen();
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(collect().rewritten()).isEqualTo(1);
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void tombstonesOfBucketsThatAreGoneAreForgotten() {
    long[] objects = LongStream.rangeClosed(1, 5000).flatMap(v -> LongStream.of(v, 1)).toArray();
    disk.close();
    disk = Disk.open(layer, temporary, Disk.OPTIONS.withBuckets(10_000, 1 << 30, 0));
    long bucket = disk.put(objects);
    disk.put(6000, 1, 6001, 1);
    disk.store.tombstone(LongStream.rangeClosed(1, 5000).toArray());
    disk.store.tombstone(6001);
    assertThat(disk.store.stats().tombstones()).isEqualTo(5001);
    disk.store.beginEviction(bucket);
    disk.store.finishEviction(bucket, 0);
    assertThat(disk.store.stats().tombstones()).isEqualTo(1);
    reopen();
    assertThat(disk.store.contains(6000)).isTrue();
    assertThat(disk.store.contains(6001)).isFalse();
  }

  @Test
  void aScanSeesWhatIsCopiedMeanwhile() {
    disk.put(1, 100, 2, 100);
    disk.put(3, 100, 4, 300_000);
    disk.put(5, 100);
    StoreScan scan = disk.store.scan();
    List<Long> seen = new ArrayList<>();
    scan.next(2).forEach(record -> seen.add(record.version()));
    disk.store.tombstone(4);
    assertThat(collect().rewritten()).isEqualTo(1);
    for (List<ObjectRecord> page = scan.next(2); !page.isEmpty(); page = scan.next(2)) {
      page.forEach(record -> seen.add(record.version()));
    }
    assertThat(seen).containsExactly(1L, 2L, 5L, 3L);
    disk.put(6, 100);
    assertThat(scan.next(2)).isEmpty();
  }
}
