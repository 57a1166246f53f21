package io.moonpool.app.drain;

import static io.moonpool.app.drain.DrainCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.OffloadConfig;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.model.JobStatus;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.node.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A drain leaves nothing behind, neither in the memory of a node nor on its disk. */
@Timeout(300)
class DrainScenariosTest {
  private static final int LARGE = 4 << 20;
  private static final int LARGE_OBJECTS = 16;
  private static final int[] ODD_SIZES = {4_096, 7_001, 12_000, 5_000};

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

  /** By which bytes move. */
  String transport() {
    return "tcp";
  }

  private static String key(int number) {
    return "key-" + number;
  }

  private void put(int[] sizes) {
    for (int i = 0; i < sizes.length; i++) {
      cluster.put(key(i), Pattern.value(i, sizes[i]));
    }
  }

  private void assertEqual(int[] sizes) {
    for (int i = 0; i < sizes.length; i++) {
      assertThat(cluster.get(key(i))).as(key(i)).isEqualTo(Pattern.value(i, sizes[i]));
    }
  }

  private void assertStatus(String node, SegmentStatus status) {
    assertThat(cluster.segments(node)).extracting(SegmentInfo::status).containsOnly(status);
  }

  private void awaitMovedFromDisk(int objects) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(log.named(TaskLog.MOVED_FROM_DISK)).hasSize(objects));
  }

  @Test
  void drainLocalDiskReplicasToPeer() {
    cluster = new DrainCluster(directory, transport(), settings -> settings);
    Node source = cluster.node("client1", "64MiB");
    int[] sizes = {4_096, 4_096, 4_096, 4_096};
    put(sizes);
    for (int i = 0; i < sizes.length; i++) {
      cluster.awaitPlaces(key(i), "client1-0", "client1-disk");
    }
    List<Path> files = cluster.dataFiles("client1");
    cluster.node("client2", "64MiB");

    JobInfo job = cluster.drain(cluster.request("client1"));

    assertThat(job.status()).as(job.message()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.succeededUnits()).isEqualTo(4);
    assertThat(job.failedUnits()).isZero();
    assertThat(job.migratedBytes()).isEqualTo(4 * 4_096);
    for (int i = 0; i < sizes.length; i++) {
      assertThat(cluster.places(key(i)))
          .contains("client2-0")
          .doesNotContain("client1-0", "client1-disk");
    }
    assertThat(log.named(TaskLog.MOVED_FROM_DISK)).isEmpty();
    assertThat(source.taskStats().movesFromDisk()).isZero();
    assertThat(source.taskStats().memoryBytes()).isEqualTo(4 * 4_096);
    assertThat(cluster.dataFiles("client1")).as("the files stay").isEqualTo(files).isNotEmpty();
    assertStatus("client1", SegmentStatus.DRAINED);

    // What had a copy on disk gets one where it is now.
    for (int i = 0; i < sizes.length; i++) {
      cluster.awaitPlaces(key(i), "client2-0", "client2-disk");
    }
    cluster.stop("client1");
    assertEqual(sizes);
  }

  @Test
  void manualMovePreservesLocalDiskBackup() {
    cluster = new DrainCluster(directory, transport(), settings -> settings);
    Node source = cluster.node("client1", "64MiB");
    put(ODD_SIZES);
    for (int i = 0; i < ODD_SIZES.length; i++) {
      cluster.awaitPlaces(key(i), "client1-0", "client1-disk");
    }
    cluster.node("client2", "64MiB");
    for (int i = 0; i < ODD_SIZES.length; i++) {
      cluster.move(key(i), "client1-0", "client2-0");
      assertThat(cluster.places(key(i)))
          .as("the copy on disk stays")
          .containsExactly("client1-disk", "client2-0");
    }
    assertThat(log.named(TaskLog.MOVED_FROM_DISK)).isEmpty();
    cluster.node("client3", "64MiB");

    JobInfo job = cluster.drain(cluster.request("client1", "client3-0"));

    assertThat(job.status()).as(job.message()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.succeededUnits()).isEqualTo(4);
    awaitMovedFromDisk(4);
    assertThat(source.taskStats().movesFromDisk()).isEqualTo(4);
    for (int i = 0; i < ODD_SIZES.length; i++) {
      String key = key(i);
      String size = String.valueOf(ODD_SIZES[i]);
      assertThat(log.named(TaskLog.MOVED_FROM_DISK))
          .anySatisfy(
              event ->
                  assertThat(event.fields()).containsEntry("key", key).containsEntry("size", size));
      assertThat(cluster.places(key))
          .contains("client2-0", "client3-0")
          .doesNotContain("client1-0", "client1-disk");
    }
    assertStatus("client1", SegmentStatus.DRAINED);
    assertEqual(ODD_SIZES);

    // Only client 3 is left to read from.
    cluster.stop("client1");
    cluster.stop("client2");
    for (int i = 0; i < ODD_SIZES.length; i++) {
      assertThat(cluster.places(key(i))).contains("client3-0").doesNotContain("client2-0");
    }
    assertEqual(ODD_SIZES);
  }

  @Test
  void drainFailsGracefullyWhenLocalDiskDataMissing() throws Exception {
    cluster = new DrainCluster(directory, transport(), settings -> settings);
    Node source = cluster.node("client1", "64MiB");
    put(ODD_SIZES);
    for (int i = 0; i < ODD_SIZES.length; i++) {
      cluster.awaitPlaces(key(i), "client1-0", "client1-disk");
    }
    cluster.node("client2", "64MiB");
    for (int i = 0; i < ODD_SIZES.length; i++) {
      cluster.move(key(i), "client1-0", "client2-0");
    }
    cluster.node("client3", "64MiB");
    for (Path file : cluster.dataFiles("client1")) {
      Files.delete(file);
    }

    JobInfo job = cluster.drain(cluster.request("client1", "client3-0"));

    assertThat(job.status()).as(job.message()).isEqualTo(JobStatus.FAILED);
    assertThat(job.succeededUnits()).isZero();
    assertThat(job.failedUnits()).isEqualTo(4);
    assertThat(job.failedAttempts()).isEqualTo(12);
    assertThat(job.migratedBytes()).isZero();
    assertThat(log.named(TaskLog.LOAD_FAILED))
        .hasSize(12)
        .allSatisfy(event -> assertThat(event.fields()).containsEntry("code", "FILE_OPEN_FAIL"));
    for (int i = 0; i < ODD_SIZES.length; i++) {
      String key = key(i);
      assertThat(log.named(TaskLog.LOAD_FAILED))
          .filteredOn(event -> event.fields().get("key").equals(key))
          .hasSize(3);
      assertThat(cluster.places(key)).containsExactly("client1-disk", "client2-0");
    }
    assertThat(source.taskStats().failedLoads()).isEqualTo(12);
    assertThat(log.named(TaskLog.MOVED_FROM_DISK)).isEmpty();
    assertStatus("client1", SegmentStatus.DRAINING);
    assertEqual(ODD_SIZES);
  }

  @Test
  void drainAfterEvictionOffloadOnEvict() {
    drainAfterEviction(true);
  }

  @Test
  void drainAfterEvictionImmediateOffload() {
    drainAfterEviction(false);
  }

  /** Objects fill a segment, half of them are evicted, and then all of them are drained. */
  private void drainAfterEviction(boolean onEvict) {
    OffloadConfig defaults = OffloadConfig.DEFAULT;
    cluster =
        new DrainCluster(
            directory,
            transport(),
            settings ->
                settings
                    .evictionRatio(0.5)
                    .offload(
                        new OffloadConfig(
                            true,
                            onEvict,
                            defaults.forceEvict(),
                            defaults.queueLimit(),
                            defaults.capRatio(),
                            defaults.holdMillis())));
    Node source = cluster.node("client1", "64MiB");
    int[] sizes = IntStream.range(0, LARGE_OBJECTS).map(i -> LARGE).toArray();
    for (int i = 0; i < LARGE_OBJECTS; i++) {
      String key = key(i);
      cluster.put(key, Pattern.value(i, LARGE));
      if (!onEvict) {
        // Eviction takes what is on disk already: with that it does all its work in one go.
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> cluster.places(key).contains("client1-disk"));
      }
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              long onDiskOnly = keysOnDiskOnly().size();
              assertThat(onDiskOnly).isBetween(6L, 10L);
              assertThat(cluster.usedMemory()).isEqualTo((LARGE_OBJECTS - onDiskOnly) * LARGE);
            });
    // A large new segment lowers the share of the memory that is used, and ends eviction.
    cluster.node("client2", "128MiB");
    List<String> fromDisk = keysOnDiskOnly();

    JobInfo job = cluster.drain(cluster.request("client1"));

    assertThat(job.status()).as(job.message()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.succeededUnits()).isEqualTo(16);
    assertThat(job.failedUnits()).isZero();
    assertThat(job.failedAttempts()).isZero();
    assertThat(job.blockedUnits()).isZero();
    assertThat(job.migratedBytes()).isEqualTo(67_108_864);
    awaitMovedFromDisk(fromDisk.size());
    assertThat(log.named(TaskLog.MOVED_FROM_DISK))
        .extracting(event -> event.fields().get("key"))
        .containsExactlyInAnyOrderElementsOf(fromDisk);
    assertThat(source.taskStats().movesFromDisk()).isEqualTo(fromDisk.size());
    assertThat(source.taskStats().memoryBytes())
        .isEqualTo((long) (LARGE_OBJECTS - fromDisk.size()) * LARGE);
    assertStatus("client1", SegmentStatus.DRAINED);
    for (int i = 0; i < LARGE_OBJECTS; i++) {
      assertThat(cluster.places(key(i)))
          .contains("client2-0")
          .doesNotContain("client1-0", "client1-disk");
    }
    cluster.stop("client1");
    assertEqual(sizes);
  }

  private List<String> keysOnDiskOnly() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < LARGE_OBJECTS; i++) {
      if (!cluster.inMemory(key(i))) {
        keys.add(key(i));
      }
    }
    return keys;
  }
}
