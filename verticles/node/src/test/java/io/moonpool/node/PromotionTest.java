package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.master.MasterStats.PromotionFigures;
import io.moonpool.master.PromotionConfig;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentInfo;
import io.moonpool.node.disk.DiskConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects on real files that are read and come back into memory. */
class PromotionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** From a few bytes to several pieces, none a multiple of anything. */
  private static final int[] SIZES = {11, 7_001, (1 << 20) + 3, (3 << 20) + 17, (20 << 20) + 1};

  @TempDir private Path directory;

  private Cluster cluster() {
    return new Cluster(directory, settings -> settings.promotion(on()).metadataLoops(2));
  }

  private static PromotionConfig on() {
    PromotionConfig defaults = PromotionConfig.DEFAULT;
    return new PromotionConfig(
        true,
        defaults.admissionThreshold(),
        defaults.queueLimit(),
        defaults.maxPerTake(),
        defaults.waitMillis());
  }

  private NodeConfig withDisk(Cluster cluster, String name, String segment) {
    return cluster
        .settings(name)
        .segmentBytes(List.of(segment))
        .disk(DiskConfig.in(directory.resolve("disk-" + name)))
        .build();
  }

  private static byte[] value(int number, int bytes) {
    byte[] value = new byte[bytes];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private static List<ReplicaDescriptor> replicas(MoonpoolClient client, String key) {
    return await(client.describe(key)).replicas();
  }

  private static Optional<ReplicaDescriptor> inMemory(MoonpoolClient client, String key) {
    return replicas(client, key).stream()
        .filter(replica -> replica.type() == ReplicaType.MEMORY)
        .filter(replica -> replica.status() == ReplicaStatus.COMPLETE)
        .findFirst();
  }

  private static PromotionFigures figures(Cluster cluster) {
    return cluster.master().stats().snapshot().promotions();
  }

  private static void write(Cluster cluster, Node node, MoonpoolClient client) {
    for (int i = 0; i < SIZES.length; i++) {
      await(client.put("k" + i, value(i, SIZES[i]), WriteOptions.DEFAULT));
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(node.diskStats().offloaded()).isEqualTo(SIZES.length));
  }

  /** The node with another life: what it had in memory is on its disk only. */
  private static Node restarted(Cluster cluster, Node node, NodeConfig config) {
    cluster.close(node);
    Node again = cluster.node(config);
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(again.diskStats().scans()).isEqualTo(1));
    return again;
  }

  private static void readTwice(MoonpoolClient client, int number) {
    for (int i = 0; i < 2; i++) {
      assertThat(await(client.get("k" + number)).getBytes())
          .isEqualTo(value(number, SIZES[number]));
    }
  }

  @Test
  void objectsThatAreReadComeBackIntoTheMemoryOfTheirNode() {
    try (Cluster cluster = cluster()) {
      NodeConfig config = withDisk(cluster, "a", "64MiB");
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      write(cluster, node, client);
      Node again = restarted(cluster, node, config);
      for (int i = 0; i < SIZES.length; i++) {
        assertThat(replicas(client, "k" + i))
            .extracting(ReplicaDescriptor::type)
            .containsExactly(ReplicaType.LOCAL_DISK);
        readTwice(client, i);
      }

      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(figures(cluster).completed()).isEqualTo(SIZES.length));
      for (int i = 0; i < SIZES.length; i++) {
        assertThat(inMemory(client, "k" + i)).isPresent();
        assertThat(replicas(client, "k" + i)).as("the copy on disk stays").hasSize(2);
      }
      assertThat(again.diskStats().promoted()).isEqualTo(SIZES.length);
      assertThat(again.diskStats().promotionFailures()).isZero();
      assertThat(again.diskStats().offloaded()).as("not written to disk again").isZero();

      // From memory alone: the disk is not asked any more.
      long fromDisk = client.counters().bytesFromDisk();
      for (int i = 0; i < SIZES.length; i++) {
        readTwice(client, i);
      }
      assertThat(client.counters().bytesFromDisk()).isEqualTo(fromDisk);
    }
  }

  @Test
  void whatHasNoRoomOnItsNodeComesBackIntoTheMemoryOfAnother() {
    try (Cluster cluster = cluster()) {
      Node first = cluster.node(withDisk(cluster, "a", "64MiB"));
      MoonpoolClient client = cluster.client();
      write(cluster, first, client);
      Node small = restarted(cluster, first, withDisk(cluster, "a", "1MiB"));
      Node other = cluster.node("b");
      readTwice(client, 3);

      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(inMemory(client, "k3")).isPresent());
      SegmentInfo segment =
          await(client.segments()).stream()
              .filter(each -> each.generation() == inMemory(client, "k3").get().generation())
              .findFirst()
              .orElseThrow();
      assertThat(segment.nodeId()).isEqualTo(other.id());
      assertThat(small.diskStats().promoted()).isEqualTo(1);
      // Also when the node with the disk is gone.
      cluster.close(small);
      readTwice(client, 3);
    }
  }

  @Test
  void whatWasOnItsWayWhenTheMasterWentIsReadAndComesBackAgain() {
    try (Cluster cluster = cluster()) {
      NodeConfig config = withDisk(cluster, "a", "64MiB");
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      write(cluster, node, client);
      Node again = restarted(cluster, node, config);
      readTwice(client, 4);

      cluster.stopMaster();
      cluster.restartMaster();

      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(again.diskStats().scans()).isEqualTo(2));
      readTwice(client, 4);
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(inMemory(client, "k4")).isPresent());
      readTwice(client, 4);
    }
  }

  @Test
  void removalsAndOverwritesMeanwhileHold() {
    try (Cluster cluster = cluster()) {
      NodeConfig config = withDisk(cluster, "a", "64MiB");
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      write(cluster, node, client);
      restarted(cluster, node, config);
      readTwice(client, 4);
      readTwice(client, 3);
      await(client.remove("k4", true));
      await(client.upsert("k3", value(33, 5_000), WriteOptions.DEFAULT));

      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(figures(cluster).waiting()).isZero();
                assertThat(figures(cluster).open()).isZero();
              });
      assertThat(await(client.exists("k4"))).isFalse();
      assertThat(await(client.get("k3")).getBytes()).isEqualTo(value(33, 5_000));
    }
  }
}
