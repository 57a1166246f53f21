package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stops a node with SIGTERM whose objects are in memory only: they get to its disk or are named.
 */
@Timeout(600)
class NodeStopIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int OBJECTS = 12;
  private static final int BYTES = 2 << 20;

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private ServerProcess master;
  private ServerProcess node;
  private int port;
  private MoonpoolClient client;

  @BeforeEach
  void start() throws Exception {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("rpc_host", "127.0.0.1");
    for (String name : List.of("rpc", "grpc", "heartbeat", "http")) {
      settings.put(name + "_port", "0");
    }
    settings.put("offload_on_evict", "true");
    settings.put("rehearsal", "false");
    master = ServerProcess.start(FatJar.JAVA, "master", "master", folder, settings, 256);
    port = Integer.parseInt(master.awaitReady(LIMIT).get("rpc"));
    client =
        Await.result(
            MoonpoolClient.connect(
                vertx,
                ClientOptions.of("127.0.0.1", port).but().transports(List.of("tcp")).build()),
            LIMIT);
  }

  @AfterEach
  void stop() throws Exception {
    Await.result(client.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    node.close();
    master.close();
  }

  private void startNode(Map<String, String> more) throws Exception {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("master_host", "127.0.0.1");
    settings.put("master_port", String.valueOf(port));
    settings.put("name", "node");
    settings.put("data_dir", "node");
    settings.put("disk_dir", "disk");
    settings.put("segment_bytes", "64MiB");
    settings.put("data_port", "0");
    settings.put("http_port", "0");
    settings.putAll(more);
    node = ServerProcess.start(FatJar.JAVA, "node", "node", folder, settings, 256);
    node.awaitReady(LIMIT);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private void put() throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      Await.result(client.put("object-" + i, value(i), WriteOptions.DEFAULT), LIMIT);
    }
  }

  @Test
  void whatIsInMemoryOnlyIsThereAgainAfterAStop() throws Exception {
    startNode(Map.of());
    put();
    node.handle().destroy();
    assertThat(node.awaitStopped(LIMIT)).isZero();

    startNode(Map.of());
    for (int i = 0; i < OBJECTS; i++) {
      String key = "object-" + i;
      Awaitility.await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(Await.result(client.exists(key), LIMIT)).isTrue());
      assertThat(Await.result(client.getBytes(key), LIMIT)).isEqualTo(value(i));
    }
  }

  @Test
  void whatDoesNotGetToDiskIsNamed() throws Exception {
    startNode(Map.of("disk_quota_bytes", "8MiB", "disk_shutdown_ms", "1500"));
    put();
    node.handle().destroy();
    assertThat(node.awaitStopped(LIMIT)).isEqualTo(1);
    assertThat(Files.readString(node.log()))
        .contains("were in memory only and are lost")
        .contains("object-");
  }
}
