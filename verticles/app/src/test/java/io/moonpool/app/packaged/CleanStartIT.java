package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.app.cluster.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master and a node that have all that they need have nothing to warn of. */
@Timeout(300)
class CleanStartIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** What is true of some machines. */
  private static final List<Pattern> OF_THIS_MACHINE =
      List.of(
          Pattern.compile("the kernel grants socket buffers of"),
          Pattern.compile("no shared memory here"),
          Pattern.compile("the heartbeat thread keeps the default scheduling"),
          Pattern.compile("refuses O_DIRECT"));

  @TempDir Path folder;

  @Test
  void noLineWarns() throws Exception {
    ServerProcess master =
        ServerProcess.start(
            FatJar.JAVA,
            "master",
            "master",
            folder,
            settings("rpc_port", "grpc_port", "heartbeat_port", "http_port"),
            256);
    ServerProcess node = null;
    try {
      Map<String, String> ports = master.awaitReady(LIMIT);
      // The rehearsal plays with lost nodes and bad requests, on a master of its own.
      await().atMost(LIMIT).until(() -> Files.readString(log("master")).contains("rehearsed"));
      Map<String, String> settings = settings("data_port", "http_port");
      settings.put("master_port", ports.get("rpc"));
      settings.put("segment_bytes", "64MiB");
      settings.put("disk_dir", "disk");
      settings.put("disk_staging_bytes", "64MiB");
      settings.put("disk_quota_bytes", "256MiB");
      node = ServerProcess.start(FatJar.JAVA, "node", "node", folder, settings, 256);
      useIt(node.awaitReady(LIMIT).get("http"), ports.get("http"));
      node.handle().destroy();
      assertThat(node.handle().onExit().get().isAlive()).isFalse();
      master.handle().destroy();
      assertThat(master.handle().onExit().get().isAlive()).isFalse();
    } finally {
      if (node != null) {
        node.handle().destroyForcibly();
      }
      master.handle().destroyForcibly();
    }
    assertThat(warnings("master")).isEmpty();
    assertThat(warnings("node")).isEmpty();
  }

  /** Directories, and ports that are any free ones. */
  private static Map<String, String> settings(String... ports) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("data_dir", ports[0].startsWith("rpc") ? "master-data" : "node-data");
    for (String port : ports) {
      settings.put(port, "0");
    }
    return settings;
  }

  private static void useIt(String nodePort, String masterPort)
      throws IOException, InterruptedException {
    URI object = URI.create("http://127.0.0.1:" + nodePort + "/v1/objects/clean");
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest put = HttpRequest.newBuilder(object).PUT(BodyPublishers.ofString("v")).build();
      assertThat(http.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
      HttpRequest get = HttpRequest.newBuilder(object).build();
      assertThat(http.send(get, BodyHandlers.ofString()).body()).isEqualTo("v");
      HttpRequest metrics =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + masterPort + "/metrics")).build();
      assertThat(http.send(metrics, BodyHandlers.ofString()).body())
          .as("the gauge whose repeated registration is not warned of")
          .contains("vertx_eventbus_handlers");
    }
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }

  private List<String> warnings(String name) throws IOException {
    try (Stream<String> lines = Files.lines(log(name))) {
      return lines
          .filter(line -> line.matches(".* (WARN|ERROR) .*|.*(WARNING|SEVERE|Exception).*"))
          .filter(line -> OF_THIS_MACHINE.stream().noneMatch(known -> known.matcher(line).find()))
          .toList();
    }
  }
}
