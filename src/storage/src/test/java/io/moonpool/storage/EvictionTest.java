package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.libc.FileSystemSpace;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.storage.file.PosixFileLayer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which buckets go, when, and what stays readable meanwhile. */
class EvictionTest {
  /** A value of this size and its descriptor and index take 16 blocks. */
  private static final long VALUE = 14 * 4096;

  private static final long BUCKET = 16 * 4096;

  @TempDir Path temporary;
  private Disk disk;

  @BeforeEach
  void open() {
    open(Disk.OPTIONS.withQuotaBytes(10 * BUCKET));
  }

  private void open(StoreOptions options) {
    if (disk != null) {
      disk.close();
    }
    disk = Disk.open(new PosixFileLayer(), temporary, options);
  }

  @AfterEach
  void close() {
    disk.close();
  }

  private void putSeparately(int from, int to) {
    for (int version = from; version <= to; version++) {
      disk.put(version, VALUE);
    }
  }

  private List<Long> victims(long bytesNeeded) {
    return disk.store.chooseVictims(bytesNeeded).stream()
        .flatMap(victim -> victim.live().stream())
        .map(ObjectRecord::version)
        .toList();
  }

  private void evict(long bytesNeeded) {
    for (Victim victim : disk.store.chooseVictims(bytesNeeded)) {
      assertThat(disk.store.beginEviction(victim.bucketId())).isEqualTo(StoreResult.OK);
      assertThat(disk.store.finishEviction(victim.bucketId(), 0)).isEqualTo(StoreResult.OK);
    }
  }

  @Test
  void nothingGoesBelowTheHighWatermark() {
    putSeparately(1, 8);
    assertThat(disk.store.stats().usedBytes()).isBetween(8 * BUCKET, 8 * BUCKET + 4096);
    assertThat(disk.store.bytesToFree(VALUE / 2)).isZero();
    assertThat(disk.store.chooseVictims(VALUE / 2)).isEmpty();
  }

  @Test
  void theOldestGoUntilTheLowWatermark() {
    putSeparately(1, 9);
    assertThat(disk.store.bytesToFree(BUCKET)).isEqualTo(2 * BUCKET);
    List<Victim> victims = disk.store.chooseVictims(BUCKET);
    assertThat(victims).hasSize(2).allMatch(victim -> victim.bytes() == BUCKET);
    assertThat(victims.getFirst().live())
        .singleElement()
        .satisfies(record -> assertThat(record).isEqualTo(Values.record("key-1", 1, VALUE)));
    evict(BUCKET);
    assertThat(disk.store.contains(1)).isFalse();
    assertThat(disk.store.contains(2)).isFalse();
    assertThat(disk.read(3).ok()).isTrue();
    assertThat(disk.store.bytesToFree(BUCKET)).isZero();
    assertThat(disk.store.stats().evictedBuckets()).isEqualTo(2);
    assertThat(disk.store.stats().evictedBytes()).isEqualTo(2 * BUCKET);
    open(Disk.OPTIONS.withQuotaBytes(10 * BUCKET));
    assertThat(disk.store.recovered().removedLeftovers()).isZero();
    assertThat(disk.store.stats().objects()).isEqualTo(7);
  }

  @Test
  void theLeastRecentlyReadGoFirst() {
    open(Disk.OPTIONS.withQuotaBytes(10 * BUCKET).withOrder(EvictionOrder.LRU));
    putSeparately(1, 9);
    disk.read(1);
    disk.read(3);
    disk.read(2);
    assertThat(victims(BUCKET)).containsExactly(4L, 5L);
    assertThat(victims(7 * BUCKET)).containsExactly(4L, 5L, 6L, 7L, 8L, 9L, 1L, 3L);
    evict(BUCKET);
    disk.put(10, VALUE); // younger than what was read before
    assertThat(victims(8 * BUCKET)).containsExactly(6L, 7L, 8L, 9L, 1L, 3L, 2L, 10L);
  }

  @Test
  void whatDoesNotFitIsRefusedUntilSpaceIsMade() {
    putSeparately(1, 10);
    BucketWriter writer = disk.store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = Values.of(arena, 11, VALUE);
      StoreResult refused = writer.append(Values.record("key-11", 11, VALUE), value, 0);
      assertThat(refused.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
      assertThat(refused.detail()).contains("quota of " + 10 * BUCKET);
      assertThat(writer.isClosed()).isFalse();
      evict(BUCKET);
      assertThat(writer.append(Values.record("key-11", 11, VALUE), value, 0))
          .isEqualTo(StoreResult.OK);
      assertThat(writer.commit().ok()).isTrue();
    }
    assertThat(disk.read(11).ok()).isTrue();
  }

  @Test
  void spaceOfTheFileSystemIsKeptFree() {
    disk.close();
    long[] available = {20 * BUCKET};
    PosixFileLayer real = new PosixFileLayer();
    disk =
        Disk.open(
            new LayerWithSpace(real, () -> new FileSystemSpace(100 * BUCKET, available[0])),
            temporary.resolve("other"),
            Disk.OPTIONS.withQuotaBytes(0).withReserveBytes(4 * BUCKET));
    assertThat(disk.store.stats().quotaBytes()).isEqualTo(90 * BUCKET);
    putSeparately(1, 6);
    assertThat(disk.store.bytesToFree(BUCKET)).isZero();
    available[0] = 3 * BUCKET; // somebody else fills it
    assertThat(disk.store.bytesToFree(BUCKET)).isEqualTo(2 * BUCKET);
    assertThat(victims(BUCKET)).containsExactly(1L, 2L);
    BucketWriter writer = disk.store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      StoreResult refused =
          writer.append(Values.record("k", 7, VALUE), Values.of(arena, 7, VALUE), 0);
      assertThat(refused.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
      assertThat(refused.detail()).contains("are kept free");
    }
    writer.abandon();
  }

  @Test
  void anEvictionCanBeTakenBack() {
    putSeparately(1, 9);
    List<Victim> victims = disk.store.chooseVictims(BUCKET);
    long first = victims.getFirst().bucketId();
    assertThat(disk.store.beginEviction(first)).isEqualTo(StoreResult.OK);
    assertThat(disk.store.beginEviction(first)).isEqualTo(StoreResult.OK);
    assertThat(disk.read(1).ok()).as("readable until its end").isTrue();
    assertThat(disk.store.scan().next(100)).extracting(ObjectRecord::version).doesNotContain(1L);
    // What is on its way counts: only one more has to go.
    assertThat(victims(BUCKET)).containsExactly(2L);
    assertThat(disk.store.cancelEviction(first)).isEqualTo(StoreResult.OK);
    assertThat(disk.store.cancelEviction(first)).isEqualTo(StoreResult.OK);
    open(Disk.OPTIONS.withQuotaBytes(10 * BUCKET));
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void anEvictionThatHadBegunIsFinishedByTheNextStart() {
    putSeparately(1, 3);
    long first = disk.store.bucketIds().getFirst();
    assertThat(disk.store.beginEviction(first)).isEqualTo(StoreResult.OK);
    open(Disk.OPTIONS);
    assertThat(disk.store.contains(1)).isFalse();
    assertThat(disk.store.recovered().removedLeftovers()).isEqualTo(2);
    assertThat(disk.data(first)).doesNotExist();
    assertThat(disk.read(2).ok()).isTrue();
    assertThat(disk.store.recovered().damaged()).isEmpty();
  }

  @Test
  void refusesUnknownAndUnbegunEvictions() {
    putSeparately(1, 1);
    long bucket = disk.store.bucketIds().getFirst();
    assertThat(disk.store.finishEviction(bucket, 0).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(disk.store.beginEviction(99).code()).isEqualTo(ErrorCode.BUCKET_NOT_FOUND);
    assertThat(disk.store.cancelEviction(99).code()).isEqualTo(ErrorCode.BUCKET_NOT_FOUND);
    assertThat(disk.store.finishEviction(99, 0).code()).isEqualTo(ErrorCode.BUCKET_NOT_FOUND);
  }

  @Test
  void hardPinnedObjectsKeepTheirBucket() {
    BucketWriter writer = disk.store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      ObjectRecord pinned =
          new ObjectRecord(
              "default",
              Values.key("pinned"),
              1,
              VALUE,
              Checksum.NONE,
              ObjectDataType.UNKNOWN,
              0,
              true,
              "");
      assertThat(writer.append(pinned, Values.of(arena, 1, VALUE), 0).ok()).isTrue();
      assertThat(writer.commit().ok()).isTrue();
    }
    putSeparately(2, 9);
    assertThat(victims(BUCKET)).containsExactly(2L, 3L);
    open(Disk.OPTIONS.withQuotaBytes(10 * BUCKET));
    assertThat(victims(BUCKET)).containsExactly(2L, 3L);
    disk.store.tombstone(1);
    assertThat(disk.store.chooseVictims(BUCKET).getFirst().live()).isEmpty();
  }

  @Test
  void theEndOfAnEvictionWaitsForReaders() throws Exception {
    GatedLayer gate = new GatedLayer(new PosixFileLayer());
    disk.close();
    disk = Disk.open(gate, temporary.resolve("gated"), Disk.OPTIONS);
    putSeparately(1, 2);
    long gated = disk.store.bucketIds().getFirst();
    disk.read(1); // compares descriptors, so that the next read is one of the value alone
    gate.shut();
    CompletableFuture<ReadResult> reading = CompletableFuture.supplyAsync(() -> disk.read(1));
    gate.awaitReader();
    disk.store.beginEviction(gated);
    assertThat(disk.store.finishEviction(gated, 10).code())
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(Files.exists(disk.data(gated))).as("its bytes are still there").isTrue();
    assertThat(disk.read(1).code()).as("no new readers").isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    gate.open();
    assertThat(reading.get(10, TimeUnit.SECONDS).ok()).isTrue();
    assertThat(disk.store.finishEviction(gated, 10_000)).isEqualTo(StoreResult.OK);
    assertThat(disk.data(gated)).doesNotExist();
    assertThat(disk.damages).isEmpty();
  }

  @Test
  void anEvictionThatNobodyFinishesIsFinishedByTheNextChoice() throws Exception {
    GatedLayer gate = new GatedLayer(new PosixFileLayer());
    disk.close();
    disk = Disk.open(gate, temporary.resolve("gated"), Disk.OPTIONS);
    putSeparately(1, 2);
    disk.read(1);
    long bucket = disk.store.bucketIds().getFirst();
    gate.shut();
    CompletableFuture<ReadResult> reading = CompletableFuture.supplyAsync(() -> disk.read(1));
    gate.awaitReader();
    disk.store.beginEviction(bucket);
    assertThat(disk.store.finishEviction(bucket, 0).ok()).isFalse();
    assertThat(disk.store.chooseVictims(0)).isEmpty();
    assertThat(disk.data(bucket)).as("still being read").exists();
    assertThat(disk.store.tombstone(2).ok()).as("others do not wait").isTrue();
    gate.open();
    assertThat(reading.get(10, TimeUnit.SECONDS).ok()).isTrue();
    assertThat(disk.store.chooseVictims(0)).isEmpty();
    assertThat(disk.data(bucket)).doesNotExist();
    assertThat(disk.store.stats().evictedBuckets()).isEqualTo(1);
  }

  @Test
  void anEvictionThatIsTakenBackWhileItWaitsKeepsTheBucket() throws Exception {
    GatedLayer gate = new GatedLayer(new PosixFileLayer());
    disk.close();
    disk = Disk.open(gate, temporary.resolve("gated"), Disk.OPTIONS);
    putSeparately(1, 1);
    disk.read(1);
    long bucket = disk.store.bucketIds().getFirst();
    gate.shut();
    CompletableFuture<ReadResult> reading = CompletableFuture.supplyAsync(() -> disk.read(1));
    gate.awaitReader();
    disk.store.beginEviction(bucket);
    assertThat(disk.store.finishEviction(bucket, 0).ok()).isFalse();
    CompletableFuture<StoreResult> finishing = new CompletableFuture<>();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> finishing.complete(disk.store.finishEviction(bucket, 60_000)));
    await()
        .atMost(10, TimeUnit.SECONDS)
        .until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
    assertThat(disk.store.cancelEviction(bucket)).isEqualTo(StoreResult.OK);
    assertThat(finishing.get(10, TimeUnit.SECONDS).ok()).isFalse();
    gate.open();
    assertThat(reading.get(10, TimeUnit.SECONDS).ok()).isTrue();
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(disk.index(bucket)).exists();
  }

  @Test
  void aBusyEvictionCanStillBeTakenBack() throws Exception {
    GatedLayer gate = new GatedLayer(new PosixFileLayer());
    disk.close();
    disk = Disk.open(gate, temporary.resolve("gated"), Disk.OPTIONS);
    putSeparately(1, 1);
    disk.read(1);
    long bucket = disk.store.bucketIds().getFirst();
    gate.shut();
    CompletableFuture<ReadResult> reading = CompletableFuture.supplyAsync(() -> disk.read(1));
    gate.awaitReader();
    disk.store.beginEviction(bucket);
    assertThat(disk.store.finishEviction(bucket, 0).ok()).isFalse();
    assertThat(disk.store.cancelEviction(bucket)).isEqualTo(StoreResult.OK);
    gate.open();
    assertThat(reading.get(10, TimeUnit.SECONDS).ok()).isTrue();
    assertThat(disk.read(1).ok()).isTrue();
  }
}
