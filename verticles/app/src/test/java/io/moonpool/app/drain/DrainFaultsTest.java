package io.moonpool.app.drain;

import static io.moonpool.app.drain.DrainCluster.PATIENCE;
import static io.moonpool.app.drain.DrainCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.client.WriteOptions;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.node.disk.DiskConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drains in which something goes wrong, or goes on. */
@Timeout(600)
class DrainFaultsTest {
  private static final int MIB = 1 << 20;

  /** 1 for a test that is run often; 16 makes it 3 GiB that go into 1 GiB. */
  private static final int SCALE = Integer.getInteger("moonpool.drain.scale", 1);

  @TempDir private Path directory;

  private final TaskLog log = new TaskLog();
  private DrainCluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
    log.close();
  }

  private void start(UnaryOperator<MasterConfig.Builder> settings) {
    cluster = new DrainCluster(directory, settings);
  }

  private void start() {
    start(settings -> settings);
  }

  private static String key(int number) {
    return "key-" + number;
  }

  private void put(int from, int to, int bytes) {
    for (int i = from; i < to; i++) {
      cluster.put(key(i), Pattern.value(i, bytes));
    }
  }

  private void assertEqual(int from, int to, int bytes) {
    for (int i = from; i < to; i++) {
      assertThat(cluster.get(key(i))).as(key(i)).isEqualTo(Pattern.value(i, bytes));
    }
  }

  private void assertStatus(String node, SegmentStatus status) {
    assertThat(cluster.segments(node)).extracting(SegmentInfo::status).containsOnly(status);
  }

  private static void assertSucceeded(JobInfo job) {
    assertThat(job.status()).as(job.message()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.failedUnits()).isZero();
    assertThat(job.blockedUnits()).isZero();
    assertThat(job.activeUnits()).isZero();
  }

  private void assertNothingLeftOn(String node, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(cluster.places(key(i)))
          .as(key(i))
          .isNotEmpty()
          .doesNotContain(node + "-0", node + "-disk");
    }
  }

  /** Objects of that size, one file each, whose only replica on client 1 is the one on its disk. */
  private void onTheDiskOfClient1(int objects, int bytes) {
    cluster.node("client1", "64MiB");
    for (int i = 0; i < objects; i++) {
      cluster.put(key(i), Pattern.value(i, bytes));
      cluster.awaitPlaces(key(i), "client1-0", "client1-disk");
    }
    cluster.node("client2", "64MiB");
    for (int i = 0; i < objects; i++) {
      cluster.move(key(i), "client1-0", "client2-0");
    }
    cluster.node("client3", "64MiB");
  }

  private record Stored(Path file, long position) {}

  /** Where a value is on a disk. */
  private Stored find(String node, byte[] value) throws IOException {
    for (Path file : cluster.dataFiles(node)) {
      byte[] bytes = Files.readAllBytes(file);
      for (int at = 0; at + value.length <= bytes.length; at += 4_096) {
        if (Arrays.equals(bytes, at, at + value.length, value, 0, value.length)) {
          return new Stored(file, at);
        }
      }
    }
    throw new AssertionError("the value is not on the disk of " + node);
  }

  private JobInfo drainWithOneBroken(int broken, String code) {
    JobInfo job = cluster.drain(cluster.request("client1", "client3-0"));

    assertThat(job.status()).as(job.message()).isEqualTo(JobStatus.FAILED);
    assertThat(job.succeededUnits()).isEqualTo(3);
    assertThat(job.failedUnits()).isEqualTo(1);
    assertThat(job.failedAttempts()).isEqualTo(3);
    assertThat(log.named(TaskLog.LOAD_FAILED))
        .hasSize(3)
        .allSatisfy(
            event ->
                assertThat(event.fields())
                    .containsEntry("key", key(broken))
                    .containsEntry("code", code));
    assertThat(job.blocked())
        .anySatisfy(
            unit -> {
              assertThat(unit.key()).isEqualTo(key(broken));
              assertThat(unit.reason()).contains(code);
            });
    assertStatus("client1", SegmentStatus.DRAINING);
    return job;
  }

  @Test
  void oneFlippedBitFailsOneUnitAndTheOthersMove() throws Exception {
    start();
    int bytes = 7_001;
    onTheDiskOfClient1(4, bytes);
    Stored stored = find("client1", Pattern.value(2, bytes));
    try (FileChannel file =
        FileChannel.open(stored.file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, stored.position + 5_000);
      one.put(0, (byte) (one.get(0) ^ 0x10));
      file.write(one.rewind(), stored.position + 5_000);
    }

    drainWithOneBroken(2, "CHECKSUM_MISMATCH");

    assertThat(cluster.places(key(2))).containsExactly("client1-disk", "client2-0");
    assertEqual(0, 4, bytes);
  }

  @Test
  void aFileThatIsCutOffFailsItsUnitAndASecondJobAfterARepairDoesTheRest() throws Exception {
    start();
    int bytes = 12_000;
    onTheDiskOfClient1(4, bytes);
    Stored stored = find("client1", Pattern.value(1, bytes));
    byte[] whole = Files.readAllBytes(stored.file);
    try (FileChannel file = FileChannel.open(stored.file, StandardOpenOption.WRITE)) {
      file.truncate(stored.position + 4_096);
    }
    drainWithOneBroken(1, "FILE_READ_FAIL");

    Files.write(stored.file, whole, StandardOpenOption.WRITE);
    JobInfo job = cluster.drain(cluster.request("client1", "client3-0"));

    assertSucceeded(job);
    assertThat(job.succeededUnits()).isEqualTo(1);
    assertStatus("client1", SegmentStatus.DRAINED);
    cluster.stop("client1");
    cluster.stop("client2");
    assertEqual(0, 4, bytes);
  }

  @Test
  void aFullTargetMakesTheJobWaitUntilThereIsRoom() {
    start();
    cluster.node("client1", "64MiB");
    put(0, 24, MIB);
    for (int i = 0; i < 24; i++) {
      cluster.awaitPlaces(key(i), "client1-0", "client1-disk");
    }
    cluster.node("client2", "8MiB", DiskConfig.NONE, settings -> settings);

    UUID id = cluster.drains(to -> to.createJob(cluster.request("client1"))).id();

    JobInfo waiting = cluster.awaitJob(id, job -> job.activeUnits() == 0 && job.blockedUnits() > 0);
    assertThat(waiting.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(waiting.succeededUnits()).isBetween(1L, 8L);
    assertThat(waiting.blocked()).isNotEmpty();
    assertThat(waiting.blocked().getFirst().key()).startsWith("key-");
    assertThat(waiting.blocked().getFirst().reason()).isNotEmpty();
    assertEqual(0, 24, MIB);

    cluster.node("client3", "64MiB");
    JobInfo job = cluster.awaitEnd(id);
    assertSucceeded(job);
    assertThat(job.succeededUnits()).isEqualTo(24);
    assertThat(job.migratedBytes()).isEqualTo(24L * MIB);
    assertNothingLeftOn("client1", 0, 24);
    cluster.stop("client1");
    assertEqual(0, 24, MIB);
  }

  @Test
  void whatLivesOnDiskOnlyFitsIntoLessMemoryWithADisk() {
    start(settings -> settings.putSpaceWaitMillis(10_000).evictionRatio(0.1));
    int objects = 48 * SCALE;
    int bytes = 4 * MIB;
    cluster.node("client1", (32 * SCALE) + "MiB");
    put(0, objects, bytes);
    for (int i = 0; i < objects; i++) {
      String key = key(i);
      Awaitility.await().atMost(PATIENCE).until(() -> cluster.places(key).contains("client1-disk"));
    }
    cluster.node("client2", (64 * SCALE) + "MiB");

    JobInfo job = cluster.drain(cluster.request("client1"));

    assertSucceeded(job);
    assertThat(job.succeededUnits()).isEqualTo(objects);
    assertThat(job.migratedBytes()).isEqualTo((long) objects * bytes);
    assertThat(log.named(TaskLog.MOVED_FROM_DISK).size())
        .as("most were on disk only")
        .isGreaterThan(objects / 2);
    assertNothingLeftOn("client1", 0, objects);
    assertStatus("client1", SegmentStatus.DRAINED);
    cluster.stop("client1");
    assertEqual(0, objects, bytes);
  }

  /** Reads and writes until it is closed. */
  private final class Traffic implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    Traffic(int objects, int bytes) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; !over.get(); i = (i + 7) % objects) {
                      read(i, bytes);
                    }
                  }));
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = objects; !over.get(); i++) {
                      write(i, bytes);
                    }
                  }));
    }

    private void read(int number, int bytes) {
      try {
        if (!Arrays.equals(cluster.get(key(number)), Pattern.value(number, bytes))) {
          wrong.add("other bytes in " + key(number));
        }
        reads.incrementAndGet();
      } catch (RuntimeException e) {
        wrong.add(key(number) + " was not read: " + e);
      }
    }

    private void write(int number, int bytes) {
      try {
        cluster.put(key(number), Pattern.value(number, bytes));
        writes.incrementAndGet();
      } catch (RuntimeException e) {
        wrong.add(key(number) + " was not written: " + e);
        over.set(true);
      }
    }

    int written() {
      return writes.get();
    }

    @Override
    public void close() {
      over.set(true);
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      assertThat(wrong).isEmpty();
      assertThat(reads.get()).isPositive();
      assertThat(writes.get()).isPositive();
    }
  }

  @Test
  void readersAndWritersGoOnAllTheWhile() {
    start();
    int objects = 60;
    int bytes = 100_000;
    cluster.node("client1", "64MiB");
    put(0, objects, bytes);
    cluster.node("client2", "256MiB");
    Traffic traffic = new Traffic(objects, bytes);
    int written;
    try (traffic) {
      Awaitility.await().atMost(PATIENCE).until(() -> traffic.written() > 5);
      JobInfo job = cluster.drain(DrainCluster.slow(cluster.request("client1"), 4L * MIB));
      assertSucceeded(job);
      assertThat(job.migratedBytes()).isEqualTo((job.succeededUnits()) * bytes);
      assertThat(job.succeededUnits()).isGreaterThanOrEqualTo(objects);
      assertStatus("client1", SegmentStatus.DRAINED);
      cluster.stop("client1");
    } finally {
      written = traffic.written();
    }
    assertEqual(0, objects + written, bytes);
  }

  @Test
  void objectsThatAreRemovedOrOverwrittenWhileTheyMoveStaySo() {
    start();
    int objects = 40;
    int bytes = 200_000;
    cluster.node("client1", "64MiB");
    put(0, objects, bytes);
    cluster.node("client2", "64MiB");
    DrainRequest slow = DrainCluster.slow(cluster.request("client1"), 2L * MIB);
    UUID id = cluster.drains(to -> to.createJob(slow)).id();
    cluster.awaitJob(id, job -> job.succeededUnits() > 2);

    for (int i = 0; i < objects; i++) {
      if (i % 4 == 0) {
        await(cluster.client().remove(key(i), true));
      } else if (i % 4 == 1) {
        byte[] newer = Pattern.value(1_000 + i, 5_000 + i);
        await(cluster.client().upsert(key(i), newer, WriteOptions.DEFAULT));
      }
    }

    JobInfo job = cluster.awaitEnd(id);
    assertSucceeded(job);
    assertThat(job.succeededUnits() + job.goneUnits()).isLessThanOrEqualTo(objects);
    assertStatus("client1", SegmentStatus.DRAINED);
    cluster.stop("client1");
    for (int i = 0; i < objects; i++) {
      String key = key(i);
      switch (i % 4) {
        case 0 ->
            assertThatThrownBy(() -> cluster.get(key))
                .isInstanceOf(StoreException.class)
                .extracting(failure -> ((StoreException) failure).code())
                .isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
        case 1 ->
            assertThat(cluster.get(key)).as(key).isEqualTo(Pattern.value(1_000 + i, 5_000 + i));
        default -> assertThat(cluster.get(key)).as(key).isEqualTo(Pattern.value(i, bytes));
      }
    }
  }

  @Test
  void twoJobsAtOnceAndNoSegmentInBoth() {
    start();
    cluster.node("client1", "64MiB");
    put(0, 20, 300_000);
    cluster.node("client2", "64MiB");
    put(20, 40, 300_000);
    cluster.node("client3", "128MiB");
    // The later ones are on either of the first two.
    long onFirst =
        IntStream.range(0, 40).filter(i -> cluster.places(key(i)).contains("client1-0")).count();
    UUID first =
        cluster
            .drains(to -> to.createJob(DrainCluster.slow(cluster.request("client1"), 8L * MIB)))
            .id();
    UUID second =
        cluster
            .drains(to -> to.createJob(DrainCluster.slow(cluster.request("client2"), 8L * MIB)))
            .id();

    assertThatThrownBy(() -> cluster.drains(to -> to.createJob(cluster.request("client1"))))
        .isInstanceOf(StoreException.class)
        .extracting(failure -> ((StoreException) failure).code())
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);

    assertSucceeded(cluster.awaitEnd(first));
    assertSucceeded(cluster.awaitEnd(second));
    // What the first one moved to client2 before that was drained, too, moved twice.
    assertThat(cluster.job(first).succeededUnits()).isEqualTo(onFirst);
    assertThat(cluster.job(second).succeededUnits()).isBetween(40 - onFirst, 40L);
    cluster.stop("client1");
    cluster.stop("client2");
    for (int i = 0; i < 40; i++) {
      assertThat(cluster.places(key(i))).contains("client3-0");
    }
    assertEqual(0, 40, 300_000);
  }

  @Test
  void anEmptyNodeIsDrainedAtOnce() {
    start();
    cluster.node("client1", "64MiB");
    cluster.node("client2", "64MiB");

    JobInfo job = cluster.drain(cluster.request("client1"));

    assertSucceeded(job);
    assertThat(job.succeededUnits() + job.failedAttempts() + job.migratedBytes()).isZero();
    assertStatus("client1", SegmentStatus.DRAINED);
    assertStatus("client2", SegmentStatus.OK);

    cluster.drains(to -> to.undrain(cluster.request("client1").node(), List.of()));
    assertStatus("client1", SegmentStatus.OK);
  }

  @Test
  void aJobIsCancelledInTheMiddleAndAnotherOneEndsIt() {
    start();
    int objects = 40;
    int bytes = 200_000;
    cluster.node("client1", "64MiB");
    put(0, objects, bytes);
    cluster.node("client2", "64MiB");
    UUID id =
        cluster
            .drains(to -> to.createJob(DrainCluster.slow(cluster.request("client1"), 2L * MIB)))
            .id();
    cluster.awaitJob(id, job -> job.succeededUnits() > 2);

    cluster.drains(to -> to.cancel(id));

    JobInfo cancelled = cluster.awaitJob(id, job -> job.activeUnits() == 0);
    assertThat(cancelled.status()).isEqualTo(JobStatus.CANCELED);
    assertThat(cancelled.succeededUnits()).isBetween(3L, objects - 1L);
    assertStatus("client1", SegmentStatus.OK);
    assertEqual(0, objects, bytes);

    JobInfo job = cluster.drain(cluster.request("client1"));

    assertSucceeded(job);
    assertThat(job.succeededUnits() + cancelled.succeededUnits()).isEqualTo(objects);
    assertNothingLeftOn("client1", 0, objects);
    cluster.stop("client1");
    assertEqual(0, objects, bytes);
  }
}
