package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.master.OffloadConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.node.disk.DiskConfig;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node's REST interface tells about its disk, and how it collects it. */
class DiskRestTest {
  private static final int OBJECT_BYTES = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private Cluster cluster;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void start() {
    cluster = new Cluster(directory);
  }

  @AfterEach
  void close() {
    http.close();
    cluster.close();
  }

  private NodeConfig.Builder withDisk(String name) {
    return cluster.settings(name).disk(DiskConfig.in(directory.resolve("disk-" + name)));
  }

  private HttpResponse<String> send(Node node, String method, String path, String token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.httpPort() + path))
            .header("Authorization", "Bearer " + token)
            .method(method, BodyPublishers.noBody());
    return answer(request, BodyHandlers.ofString());
  }

  private <T> HttpResponse<T> answer(HttpRequest.Builder request, BodyHandler<T> body) {
    try {
      return http.send(request.timeout(Duration.ofSeconds(60)).build(), body);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private JsonObject status(Node node) {
    HttpResponse<String> answer = send(node, "GET", "/v1/disk", "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  private void assertRefused(
      Node node, String method, String path, int status, ErrorCode code, String words) {
    HttpResponse<String> answer = send(node, method, path, "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(new JsonObject(answer.body()).getString("error")).isEqualTo(code.name());
    assertThat(answer.body()).contains(words);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[OBJECT_BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  @Test
  void deadObjectsAreGivenBackOnRequestAndTheOthersStay() {
    NodeConfig config = withDisk("a").build();
    Node node = cluster.node(config);
    MoonpoolClient client = cluster.client();
    for (int i = 0; i < 8; i++) {
      await(client.put("k" + i, value(i), WriteOptions.DEFAULT));
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(node.diskStats().offloaded()).isEqualTo(8));
    JsonObject full = status(node);
    assertThat(full.getString("name")).isEqualTo("a-disk");
    assertThat(full.getString("directory")).endsWith("disk-a");
    assertThat(full.getBoolean("writable")).isTrue();
    assertThat(full.getLong("objects")).isEqualTo(8);
    assertThat(full.getLong("live_bytes")).isEqualTo(8L * OBJECT_BYTES);
    assertThat(full.getLong("used_bytes")).isGreaterThan(8L * OBJECT_BYTES);
    assertThat(full.getLong("quota_bytes")).isPositive();
    assertThat(full.containsKey("collection")).isFalse();

    for (int i = 0; i < 7; i++) {
      await(client.remove("k" + i, true));
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(status(node).getLong("objects")).isEqualTo(1));
    assertThat(status(node).getLong("used_bytes")).isGreaterThan(8L * OBJECT_BYTES);

    HttpResponse<String> begun = send(node, "POST", "/v1/disk/gc?dead_ratio=0.1", "");
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(status(node).getJsonObject("collection").getBoolean("running"))
                    .isFalse());
    JsonObject collected = status(node);
    JsonObject collection = collected.getJsonObject("collection");
    assertThat(collection.containsKey("error")).as(collection.encode()).isFalse();
    assertThat(collection.getLong("freed_bytes")).isGreaterThan(5L * OBJECT_BYTES);
    assertThat(collected.getLong("used_bytes")).isLessThan(3L * OBJECT_BYTES);

    // What was copied is what is read when memory is gone.
    await(node.close());
    Node again = cluster.node(config);
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(again.diskStats().scans()).isEqualTo(1));
    assertThat(await(client.get("k7")).getBytes()).isEqualTo(value(7));
    assertThat(await(client.exists("k0"))).isFalse();
  }

  @Test
  void wrongRequestsAreToldWhatIsWrong() {
    Node node = cluster.node(withDisk("a").build());
    assertRefused(node, "POST", "/v1/disk", 405, ErrorCode.NOT_SUPPORTED, "GET, HEAD");
    assertRefused(node, "GET", "/v1/disk/gc", 405, ErrorCode.NOT_SUPPORTED, "POST");
    for (String ratio : new String[] {"0", "1.01", "-1", "NaN", "half"}) {
      assertRefused(
          node,
          "POST",
          "/v1/disk/gc?dead_ratio=" + ratio,
          400,
          ErrorCode.INVALID_PARAMS,
          "dead_ratio");
    }
    assertThat(status(node).containsKey("collection")).isFalse();
  }

  @Test
  void aNodeWithoutADiskSaysSo() {
    Node node = cluster.node("plain");
    assertRefused(node, "GET", "/v1/disk", 404, ErrorCode.NOT_SUPPORTED, "disk_dir");
    assertRefused(node, "POST", "/v1/disk/gc", 404, ErrorCode.NOT_SUPPORTED, "disk_dir");
  }

  @Test
  void theTokenGuardsTheDiskToo() {
    Node node = cluster.node(withDisk("guarded").adminToken("t0ken").httpHost("127.0.0.1").build());
    assertRefused(node, "GET", "/v1/disk", 401, ErrorCode.ILLEGAL_CLIENT, "admin_token");
    assertRefused(node, "POST", "/v1/disk/gc", 401, ErrorCode.ILLEGAL_CLIENT, "admin_token");
    assertThat(send(node, "GET", "/v1/disk", "t0ken").statusCode()).isEqualTo(200);
  }

  private int put(Node node, String key, byte[] value) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + node.httpPort() + "/v1/objects/" + key))
            .PUT(BodyPublishers.ofByteArray(value));
    HttpResponse<String> answer = answer(request, BodyHandlers.ofString());
    assertThat(answer.body()).contains(key);
    return answer.statusCode();
  }

  private byte[] get(Node node, String key) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + node.httpPort() + "/v1/objects/" + key));
    return answer(request, BodyHandlers.ofByteArray()).body();
  }

  @Test
  void aBodyMayBeLargerThanAllMemory() {
    Node node =
        cluster.node(
            withDisk("a").segmentBytes(List.of("32MiB")).putSpaceWaitMillis(30_000).build());
    byte[] value = new byte[80 << 20];
    new SplittableRandom(80).nextBytes(value);

    assertThat(put(node, "large", value)).isEqualTo(201);

    assertThat(get(node, "large")).isEqualTo(value);
  }

  @Test
  void putsWaitUntilWhatIsInTheirPlaceIsOnDisk() {
    cluster.close();
    cluster =
        new Cluster(
            directory.resolve("patient"),
            settings ->
                settings
                    .putSpaceWaitMillis(0)
                    .evictionRatio(0.2)
                    .offload(new OffloadConfig(true, true, false, 10_000, 0.5, 60_000)));
    Node node =
        cluster.node(
            withDisk("b").segmentBytes(List.of("32MiB")).putSpaceWaitMillis(30_000).build());
    for (int i = 0; i < 48; i++) { // 96 MiB into 32
      byte[] value = new byte[2 << 20];
      new SplittableRandom(i).nextBytes(value);
      assertThat(put(node, "k" + i, value)).isEqualTo(201);
    }
    assertThat(node.diskStats().offloaded()).isGreaterThan(16);
  }
}
