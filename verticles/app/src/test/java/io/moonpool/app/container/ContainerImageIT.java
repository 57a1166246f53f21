package io.moonpool.app.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.app.container.Container.Result;
import io.moonpool.app.packaged.FatJar;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Makes the image as {@code docker/build-image} does and runs a pool of its containers. */
@Timeout(600)
class ContainerImageIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int USER = 10_001;
  private static final String TOKEN = "a-token-of-the-test";

  @TempDir static Path folder;
  private static ImageLayout image;
  private static Path root;

  @BeforeAll
  static void build() throws Exception {
    Path log = folder.resolve("build.log");
    Path layout = folder.resolve("image");
    ProcessBuilder builder =
        new ProcessBuilder(
                FatJar.ROOT.resolve("docker/build-image").toString(),
                "oci",
                layout.toString(),
                "registry.example.com/moonpool:7")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("MOONPOOL_"));
    builder.environment().put("MOONPOOL_GZIP", "1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    assertThat(builder.start().waitFor()).as(() -> read(log)).isZero();
    image = ImageLayout.read(layout);
    JsonObject legacy =
        new JsonArray(Files.readString(layout.resolve("manifest.json"))).getJsonObject(0);
    assertThat(legacy.getJsonArray("RepoTags")).containsExactly("registry.example.com/moonpool:7");
    assertThat(legacy.getJsonArray("Layers")).hasSameSizeAs(image.layers());
    assertThat(layout.resolve(legacy.getString("Config"))).exists();
    if (Container.hindrance().isEmpty()) {
      // Containers cannot write to it, so all of them have the same.
      root = folder.resolve("root");
      image.unpack(root);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void theDockerfileSaysOfItsContainersWhatTheImageSays() throws IOException {
    String last =
        Files.readString(FatJar.ROOT.resolve("docker/Dockerfile")).split("FROM scratch\n", 2)[1];
    String file = last.replaceAll(" *\\\\\n *", " ");
    JsonObject settings = image.settings();
    assertThat(instruction(file, "USER")).isEqualTo(settings.getString("User"));
    assertThat(instruction(file, "WORKDIR")).isEqualTo(settings.getString("WorkingDir"));
    assertThat(instruction(file, "STOPSIGNAL")).isEqualTo(settings.getString("StopSignal"));
    assertThat(List.of(instruction(file, "VOLUME")))
        .containsExactlyElementsOf(settings.getJsonObject("Volumes").fieldNames());
    assertThat(new JsonArray(instruction(file, "ENTRYPOINT")))
        .isEqualTo(settings.getJsonArray("Entrypoint"));
    assertThat(new JsonArray(instruction(file, "CMD"))).isEqualTo(settings.getJsonArray("Cmd"));
    assertThat(List.of((Object[]) instruction(file, "ENV").split(" ")))
        .isEqualTo(settings.getJsonArray("Env").getList());
    JsonObject health = settings.getJsonObject("Healthcheck");
    assertThat(instruction(file, "HEALTHCHECK"))
        .isEqualTo(
            "--interval=%ds --timeout=%ds --start-period=%ds --retries=%d CMD %s"
                .formatted(
                    health.getLong("Interval") / 1_000_000_000,
                    health.getLong("Timeout") / 1_000_000_000,
                    health.getLong("StartPeriod") / 1_000_000_000,
                    health.getInteger("Retries"),
                    new JsonArray(List.of(health.getJsonArray("Test").getString(1))).encode()));
  }

  private static String instruction(String file, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + " (.*)$").matcher(file);
    assertThat(line.find()).as(name).isTrue();
    return line.group(1);
  }

  @Test
  void aPoolOfContainersKeepsItsObjectsWhenANodeIsStopped() throws Exception {
    assumeThat(Container.hindrance()).as("what is in the way").isEmpty();
    assertThat(Files.getAttribute(root.resolve("var/lib/moonpool"), "unix:uid")).isEqualTo(USER);
    assertThat(Files.getAttribute(root.resolve("opt/moonpool/moonpool"), "unix:uid")).isEqualTo(0);
    Container node = null;
    try (Container master = startMaster()) {
      assertThat(health(master).exitCode()).as("before it serves").isNotZero();
      String port = master.awaitReady(LIMIT).get("rpc");
      await().atMost(LIMIT).until(() -> health(master).exitCode() == 0);
      isConfined(master);

      node = startNode(port);
      node.awaitReady(LIMIT);
      Container first = node;
      await().atMost(LIMIT).until(() -> health(first).exitCode() == 0);
      isConfined(node);
      Map<String, String> at = Map.of("MOONPOOL_MASTER", "127.0.0.1:" + port);
      Result put =
          node.execute(
              at,
              "/usr/bin/moonpool",
              "client",
              "put",
              "/opt/moonpool/lib/moonpool-all.jar",
              "--key",
              "jar");
      assertThat(put.exitCode()).as(put.err()).isZero();

      // It has the object in memory only; told to stop, it writes it to its disk and leaves.
      assertThat(node.stop(LIMIT)).as(node.log()).isZero();
      assertThat(node.log()).contains("stopped");
      assertThat(segments(master, at)).doesNotContain("boxed");

      node = startNode(port);
      node.awaitReady(LIMIT);
      Container again = node;
      assertThat(segments(master, at)).contains("boxed-0", "boxed-disk");
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                Result got =
                    again.execute(
                        at,
                        "/usr/bin/bash",
                        "-c",
                        "moonpool client get jar --to /var/lib/moonpool/got 2>&1");
                assertThat(got.exitCode()).as(got.out()).isZero();
              });
      assertThat(folder.resolve("node/got")).hasSameBinaryContentAs(FatJar.JAR);
      assertThat(node.stop(LIMIT)).isZero();
      assertThat(master.stop(LIMIT)).as(master.log()).isZero();
    } finally {
      if (node != null) {
        node.close();
      }
    }
  }

  private static Path volume(String name) throws IOException {
    Path volume = Files.createDirectories(folder.resolve(name));
    Files.setAttribute(volume, "unix:uid", USER);
    return volume;
  }

  private static Container startMaster() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("master", "--set", "rpc_host=127.0.0.1"));
    for (String port : List.of("rpc", "grpc", "heartbeat", "http")) {
      arguments.addAll(List.of("--set", port + "_port=0"));
    }
    // Objects stay in memory only until it is wanted back.
    arguments.addAll(List.of("--set", "offload_on_evict=true", "--set", "rehearsal=false"));
    return Container.start(
        image,
        root,
        volume("master"),
        folder.resolve("master.log"),
        Map.of("MOONPOOL_MASTER_ADMIN_TOKEN", TOKEN),
        arguments);
  }

  private static Container startNode(String masterPort) throws IOException {
    return Container.start(
        image,
        root,
        volume("node"),
        folder.resolve("node.log"),
        Map.of(
            "MOONPOOL_NODE_ADMIN_TOKEN", TOKEN,
            "MOONPOOL_NODE_MASTER_PORT", masterPort,
            "MOONPOOL_NODE_HTTP_PORT", "0",
            "MOONPOOL_NODE_NAME", "boxed",
            "MOONPOOL_NODE_SEGMENT_BYTES", "128MiB",
            "MOONPOOL_NODE_DISK_DIR", "/var/lib/moonpool/disk",
            "MOONPOOL_NODE_DISK_QUOTA_BYTES", "512MiB"),
        List.of("node"));
  }

  private static Result health(Container container) throws Exception {
    return container.execute(Map.of(), "/opt/moonpool/health");
  }

  private static String segments(Container container, Map<String, String> at) throws Exception {
    Result listed = container.execute(at, "/opt/moonpool/moonpool", "client", "segments");
    assertThat(listed.exitCode()).as(listed.err()).isZero();
    return listed.out();
  }

  /** The server is process number one of a user without privileges, and its files are fixed. */
  private static void isConfined(Container container) throws Exception {
    assertThat(container.status())
        .containsPattern("(?m)^NSpid:\\s+\\d+\\s+1$")
        .containsPattern("(?m)^Uid:\\s+10001\\s+10001\\s+10001\\s+10001$")
        .containsPattern("(?m)^CapEff:\\s+0+$")
        .containsPattern("(?m)^NoNewPrivs:\\s+1$");
    Result write =
        container.execute(Map.of(), "/bin/sh", "-c", "echo > /opt/moonpool/conf/master.yaml");
    assertThat(write.exitCode()).isNotZero();
    assertThat(write.err()).containsAnyOf("Read-only file system", "Permission denied");
  }

  @Test
  void classesComeFromTheCachesOfTheImage() throws Exception {
    assumeThat(Container.hindrance()).as("what is in the way").isEmpty();
    Path volume = volume("classes");
    for (String role : List.of("master", "node", "client")) {
      Map<String, String> trace =
          Map.of("MOONPOOL_JAVA_OPTS", "-Xlog:class+load:file=/var/lib/moonpool/" + role);
      try (Container container =
          Container.start(
              image, root, volume, folder.resolve("classes.log"), trace, List.of(role, "--help"))) {
        assertThat(container.awaitEnd(LIMIT)).as(container.log()).isZero();
      }
      assertThat(Files.readString(volume.resolve(role)))
          .containsPattern("io\\.moonpool\\.\\S+ source: shared objects file");
    }
  }
}
