package io.moonpool.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Probe;
import io.moonpool.app.blocking.Await;
import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.cluster.LocalCluster.LocalNode;
import io.moonpool.app.packaged.FatJar;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the manifest of the nodes has a pod do before it is stopped, done to a node that runs. */
@Timeout(300)
class PreStopIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** More than the memory of three nodes holds, so that some are on a disk only. */
  private static final int OBJECTS = 60;

  private static final int BYTES = 1 << 20;

  /** Where the image has the application. */
  private static final String IN_THE_IMAGE = "/opt/moonpool";

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private LocalCluster cluster;
  private MoonpoolClient client;

  @BeforeEach
  void layOutTheApplication() throws Exception {
    Path home = Files.createDirectories(folder.resolve("image/conf")).getParent();
    for (String file : List.of("moonpool", "docker/stop-node")) {
      Path from = FatJar.ROOT.resolve(file);
      Files.copy(
          from, home.resolve(from.getFileName()), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.copy(FatJar.ROOT.resolve("conf/jvm.options"), home.resolve("conf/jvm.options"));
  }

  @AfterEach
  void stop() throws Exception {
    Await.result(client.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    cluster.stop();
  }

  private void start(int nodes, Map<String, String> more) throws Exception {
    Map<String, String> master = new LinkedHashMap<>();
    master.put("rehearsal", "false");
    master.put("lease_ttl_ms", "500");
    master.putAll(more);
    Map<String, String> node =
        Map.of(
            "segment_bytes", "16MiB",
            "disk_dir", folder.resolve("disks").toString(),
            "disk_quota_bytes", "512MiB",
            "disk_staging_bytes", "64MiB",
            "disk_bucket_linger_ms", "20");
    cluster =
        LocalCluster.start(FatJar.JAVA, folder, master, java.util.Collections.nCopies(nodes, node));
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

  private static byte[] value(int number) {
    byte[] value = new byte[BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private void put(int objects) {
    for (int i = 0; i < objects; i++) {
      Await.result(
          client.put("object-" + i, value(i), WriteOptions.DEFAULT.withSpaceWaitMillis(30_000)),
          LIMIT);
    }
  }

  /** Runs the command of the manifest, with the time to wait replaced when one is given. */
  private int preStop(LocalNode node, String time) throws Exception {
    Container container =
        Manifests.container(Manifests.read().set("moonpool-node").getSpec().getTemplate());
    Map<String, String> pod =
        Map.of("metadata.name", node.process().name(), "status.podIP", cluster.host());
    List<String> command =
        container.getLifecycle().getPreStop().getExec().getCommand().stream()
            .map(word -> word.replace(IN_THE_IMAGE, folder.resolve("image").toString()))
            .map(word -> time.isEmpty() ? word : word.replaceAll(" \\d+s$", " " + time))
            .toList();
    Path said = folder.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("MOONPOOL_"));
    Map<String, String> environment = Manifests.environment(container, pod, "the-admin-token");
    builder.environment().putAll(environment);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("MOONPOOL_JAR", FatJar.JAR.toString());
    assertThat(environment).containsKeys("MOONPOOL_MASTER", "MOONPOOL_ADMIN");
    builder.environment().put("MOONPOOL_MASTER", cluster.host() + ":" + cluster.masterPort());
    builder.environment().put("MOONPOOL_ADMIN", cluster.masterAdmin());
    Process process = builder.start();
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** What the kubelet does afterwards. */
  private static int terminate(LocalNode node) throws InterruptedException {
    node.process().handle().destroy();
    return node.process().awaitStopped(LIMIT);
  }

  private void allIsThere(int objects) {
    for (int i = 0; i < objects; i++) {
      assertThat(Await.result(client.getBytes("object-" + i), LIMIT))
          .as("object %d", i)
          .isEqualTo(value(i));
    }
  }

  @Test
  void aNodeThatIsStoppedLeavesNothingBehind() throws Exception {
    start(3, Map.of());
    probesAreAnswered();
    put(OBJECTS);
    LocalNode node = cluster.nodes().getFirst();
    assertThat(preStop(node, "")).as(Files.readString(folder.resolve("said"))).isZero();
    assertThat(terminate(node)).isZero();
    allIsThere(OBJECTS);
  }

  private void probesAreAnswered() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (Map.Entry<String, String> server :
          Map.of(
                  "moonpool-master", cluster.masterUrl(),
                  "moonpool-node", cluster.nodes().getFirst().url())
              .entrySet()) {
        Container container =
            Manifests.container(Manifests.read().set(server.getKey()).getSpec().getTemplate());
        for (Probe probe :
            List.of(
                container.getStartupProbe(),
                container.getLivenessProbe(),
                container.getReadinessProbe())) {
          URI address = URI.create(server.getValue() + probe.getHttpGet().getPath());
          assertThat(
                  http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                      .statusCode())
              .as("%s", address)
              .isEqualTo(200);
        }
      }
    }
  }

  @Test
  void aNodeThatCannotBeDrainedInTimeWritesToItsDiskWhatIsInMemory() throws Exception {
    start(1, Map.of("offload_on_evict", "true"));
    put(3);
    LocalNode node = cluster.nodes().getFirst();
    assertThat(preStop(node, "1s")).as(Files.readString(folder.resolve("said"))).isEqualTo(8);
    assertThat(terminate(node)).isZero();
    cluster.restartNode(0);
    org.awaitility.Awaitility.await()
        .atMost(LIMIT)
        .until(() -> Await.result(client.exists("object-0"), LIMIT));
    allIsThere(3);
  }
}
