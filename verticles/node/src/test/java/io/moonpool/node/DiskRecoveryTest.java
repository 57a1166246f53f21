package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.master.MasterStats.OffloadFigures;
import io.moonpool.master.OffloadConfig;
import io.moonpool.model.ReplicaType;
import io.moonpool.node.disk.DiskConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk could not take while it was ill is on it when it is well, without new traffic. */
class DiskRecoveryTest {
  private static final int OBJECTS = 8;
  private static final int OBJECT_BYTES = 100_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private static byte[] value(int number) {
    byte[] value = new byte[OBJECT_BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private static void eventually(ThrowingRunnable assertion) {
    Awaitility.await().atMost(PATIENCE).untilAsserted(assertion);
  }

  private static void put(MoonpoolClient client) {
    for (int i = 0; i < OBJECTS; i++) {
      await(client.put("k" + i, value(i), WriteOptions.DEFAULT));
    }
  }

  private static boolean isOnDisk(MoonpoolClient client, int number) {
    return await(client.describe("k" + number)).replicas().stream()
        .anyMatch(replica -> replica.type() == ReplicaType.LOCAL_DISK);
  }

  private static void awaitOnDisk(MoonpoolClient client) {
    for (int i = 0; i < OBJECTS; i++) {
      int number = i;
      eventually(() -> assertThat(isOnDisk(client, number)).as("object %d", number).isTrue());
    }
  }

  private static OffloadFigures figures(Cluster cluster) {
    return cluster.master().stats().snapshot().offloads();
  }

  private NodeConfig config(Cluster cluster, Path disk) {
    return cluster.settings("a").disk(DiskConfig.in(disk)).build();
  }

  /** A new node on the same disk has what was stored, and nothing else can have it. */
  private static void assertStored(
      Cluster cluster, Node node, NodeConfig config, MoonpoolClient client) {
    cluster.close(node);
    Node again = cluster.node(config);
    eventually(() -> assertThat(again.diskStats().scans()).isOne());
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(await(client.get("k" + i)).getBytes()).isEqualTo(value(i));
    }
  }

  @Test
  void whatWasWrittenWhileTheFolderWasAwayIsCopiedWhenItIsBack() throws IOException {
    try (Cluster cluster = new Cluster(directory)) {
      Path disk = directory.resolve("disk");
      NodeConfig config = config(cluster, disk);
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      Path away = directory.resolve("away");
      Files.move(disk, away);

      put(client);
      eventually(() -> assertThat(figures(cluster).toRetry()).isEqualTo(OBJECTS));
      assertThat(node.diskStats().offloaded()).isZero();
      Files.move(away, disk);

      awaitOnDisk(client);
      assertThat(figures(cluster).toRetry()).isZero();
      assertThat(figures(cluster).retried()).isGreaterThanOrEqualTo(OBJECTS);
      assertStored(cluster, node, config, client);
    }
  }

  private static void sh(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assumeTrue(process.waitFor() == 0, String.join(" ", command) + ": " + output);
  }

  @Test
  void whatDidNotFitOnAFullFileSystemIsCopiedWhenThereIsRoom() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    sh("mount", "-t", "tmpfs", "-o", "size=16m", "moonpool-test", mount.toString());
    try (Cluster cluster = new Cluster(directory)) {
      NodeConfig config = config(cluster, mount.resolve("disk"));
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      Path other = mount.resolve("other");
      sh("fallocate", "-l", String.valueOf(mount.toFile().getUsableSpace()), other.toString());

      put(client);
      eventually(() -> assertThat(figures(cluster).toRetry()).isEqualTo(OBJECTS));
      Files.delete(other);

      awaitOnDisk(client);
      assertStored(cluster, node, config, client);
    } finally {
      sh("umount", mount.toString());
    }
  }

  @Test
  void whatDidNotFitIntoTheQueueIsCopiedWhenThereIsRoom() {
    UnaryOperator<OffloadConfig> tiny =
        all ->
            new OffloadConfig(
                all.enabled(),
                all.onEvict(),
                all.forceEvict(),
                2,
                all.capRatio(),
                all.holdMillis());
    try (Cluster cluster =
        new Cluster(directory, settings -> settings.offload(tiny.apply(OffloadConfig.DEFAULT)))) {
      NodeConfig config = config(cluster, directory.resolve("disk"));
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      // As many as wait and are remembered at most.
      for (int i = 0; i < OBJECTS; i += 2) {
        await(client.put("k" + i, value(i), WriteOptions.DEFAULT));
        await(client.put("k" + (i + 1), value(i + 1), WriteOptions.DEFAULT));
        int stored = i + 2;
        eventually(() -> assertThat(node.diskStats().offloaded()).isEqualTo(stored));
      }
      awaitOnDisk(client);
      assertStored(cluster, node, config, client);
    }
  }

  @Test
  void anObjectThatIsLargerThanTheDiskCostsTheOthersNothing() {
    try (Cluster cluster = new Cluster(directory)) {
      DiskConfig in = DiskConfig.in(directory.resolve("disk"));
      long quota = 4L << 20;
      DiskConfig small =
          new DiskConfig(
              in.dir(),
              quota,
              in.evictionPolicy(),
              in.highWatermark(),
              in.lowWatermark(),
              in.bucketKeys(),
              in.bucketBytes(),
              in.bucketLingerMillis(),
              in.stagingBytes(),
              in.stagingLeaseMillis(),
              in.port(),
              in.threads(),
              in.queueLimit(),
              in.shutdownMillis());
      Node node = cluster.node(cluster.settings("a").disk(small).build());
      MoonpoolClient client = cluster.client();
      put(client);
      awaitOnDisk(client);

      await(client.put("large", new byte[2 * (int) quota], WriteOptions.DEFAULT));
      eventually(() -> assertThat(figures(cluster).failed()).isGreaterThanOrEqualTo(2));

      awaitOnDisk(client);
      assertThat(node.diskStats().evicted()).isZero();
      await(client.remove("large", true));
    }
  }
}
