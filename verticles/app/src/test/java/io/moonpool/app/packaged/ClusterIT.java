package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.cluster.LocalCluster.LocalNode;
import io.moonpool.app.packaged.FatJar.Result;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.SegmentStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A master and three nodes, each a process of the packaged application. All tests have the same, so
 * those that end a node come last.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int OBJECTS = 24;
  private static final int SIZE = 4 << 20;

  @TempDir static Path folder;

  private final Vertx vertx = Vertx.vertx();
  private LocalCluster cluster;
  private MoonpoolClient client;

  @BeforeAll
  void start() throws Exception {
    cluster = LocalCluster.start(FatJar.JAVA, folder, 3, LocalCluster.Lent.memory(256L << 20));
    client =
        Await.result(
            MoonpoolClient.connect(
                vertx,
                ClientOptions.of(cluster.host(), cluster.masterPort())
                    .but()
                    .transports(List.of("tcp"))
                    .build()),
            LIMIT);
  }

  @AfterAll
  void stop() throws Exception {
    Await.result(client.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    cluster.stop();
  }

  @Test
  @Order(4)
  void readsGoOnWhenANodeIsKilled() throws Exception {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      byte[] value = new byte[SIZE];
      new Random(i).nextBytes(value);
      values.add(value);
      Await.result(client.put("object-" + i, value, WriteOptions.replicas(2)), LIMIT);
    }
    List<Future<byte[]>> reads = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      reads.add(client.getBytes("object-" + i));
    }
    // Some reads are under way and others wait for their turn when the node goes.
    Await.result(reads.getFirst(), LIMIT);
    // The first node has been told to stop before; the last one has the second replicas.
    cluster.nodes().get(1).process().handle().destroyForcibly();

    for (int i = 0; i < OBJECTS; i++) {
      assertThat(Await.result(reads.get(i), LIMIT)).as("object-" + i).isEqualTo(values.get(i));
    }
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(Await.result(client.getBytes("object-" + i), LIMIT))
          .as("object-" + i + " after the kill")
          .isEqualTo(values.get(i));
    }
  }

  @Test
  @Order(3)
  void aNodeThatIsToldToStopUnmountsItsMemoryAndEndsWithZero() throws Exception {
    LocalNode leaving = cluster.nodes().getFirst();
    assertThat(Await.result(client.segments(), LIMIT))
        .anyMatch(segment -> segment.nodeId().equals(leaving.id()));
    leaving.process().handle().destroy();
    assertThat(leaving.process().awaitStopped(Duration.ofMinutes(1))).isZero();
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(Await.result(client.segments(), LIMIT))
                    .hasSize(2)
                    .noneMatch(segment -> segment.nodeId().equals(leaving.id())));
  }

  @Test
  @Order(1)
  void theCommandLineDoesWhatItSays() throws Exception {
    byte[] value = new byte[(3 << 20) + 17];
    new Random(1).nextBytes(value);
    Path file = folder.resolve("value.bin");
    Files.write(file, value);
    Map<String, String> master =
        Map.of("MOONPOOL_MASTER", cluster.host() + ":" + cluster.masterPort());

    // Parts of 1 MiB: four of them.
    Result put =
        run(master, "put", "value.bin", "--key", "v", "--part-size", "1MiB", "--output", "json");
    assertThat(put.exitCode()).as(put.err()).isZero();
    assertThat(put.out()).contains("\"key\":\"v\"").contains("\"size\":" + value.length);
    assertThat(run(master, "put", "value.bin", "--key", "v").exitCode()).isEqualTo(1);
    assertThat(run(master, "put", "value.bin", "--key", "v", "--ignore-existing").exitCode())
        .isZero();

    assertThat(run(master, "get", "v", "--to", "back.bin").exitCode()).isZero();
    assertThat(Files.readAllBytes(folder.resolve("back.bin"))).isEqualTo(value);
    assertThat(run(master, "get", "none", "--to", "none.bin").exitCode()).isEqualTo(4);
    assertThat(folder.resolve("none.bin")).doesNotExist();

    assertThat(run(master, "exists", "v", "none").exitCode()).isEqualTo(4);
    assertThat(run(master, "exists", "v").out()).isEqualTo("yes  v\n");
    assertThat(run(master, "ls").out())
        .contains("3145745", " v  (in 4 parts)\n")
        .doesNotContain(".part-");
    assertThat(run(master, "stat", "v").exitCode()).isZero();
    assertThat(run(master, "segments").out()).contains("node-1", "node-2", "node-3");

    assertThat(run(master, "rm", "v", "--force").out()).isEqualTo("removed 1 object\n");
    assertThat(run(master, "exists", "v").exitCode()).isEqualTo(4);
    assertThat(Await.result(client.list("", 100).nextPage(), LIMIT)).isEmpty();
  }

  @Test
  @Order(2)
  void theCommandLineDrainsANodeAndTakesItIntoUseAgain() throws Exception {
    Map<String, String> master = Map.of("MOONPOOL_ADMIN", cluster.masterAdmin());
    byte[] value = new byte[SIZE];
    new Random(1).nextBytes(value);
    for (int i = 0; i < OBJECTS; i++) {
      Await.result(client.put("drained-" + i, value, WriteOptions.replicas(1)), LIMIT);
    }
    Result drained = run(master, "drain", "node-1", "--wait");
    assertThat(drained.exitCode()).as(drained.out() + drained.err()).isZero();
    assertThat(drained.out()).contains("node-1 is drained: ", "succeeded");
    assertThat(Await.result(client.segments(), LIMIT))
        .filteredOn(segment -> segment.nodeId().equals(cluster.nodes().getFirst().id()))
        .allMatch(segment -> segment.status() == SegmentStatus.DRAINED && segment.usedBytes() == 0);
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(Await.result(client.getBytes("drained-" + i), LIMIT)).isEqualTo(value);
    }
    assertThat(run(master, "undrain", "node-1").out()).contains("node-1-0 takes objects again");
    Result nobody = run(master, "drain", "nobody", "--wait");
    assertThat(nobody.exitCode()).isEqualTo(4);
    assertThat(nobody.err()).contains("no node is called 'nobody'");
  }

  private Result run(Map<String, String> environment, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("client"));
    all.addAll(List.of(arguments));
    return FatJar.run(folder, environment, all.toArray(String[]::new));
  }
}
