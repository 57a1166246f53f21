package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.node.disk.DiskConfig;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What master and reader hear of an object on disk that cannot be read, for good or just now. */
class DiskDamageTest {
  private static final int OBJECT_BYTES = 100_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private Cluster cluster;
  private Node node;
  private MoonpoolClient client;
  private Path buckets;

  /** Three objects, each in a bucket of its own, on disk only. */
  @BeforeEach
  void start() {
    cluster = new Cluster(directory);
    NodeConfig config =
        cluster.settings("a").disk(DiskConfig.in(directory.resolve("disk"))).build();
    buckets = directory.resolve("disk").resolve("buckets");
    Node first = cluster.node(config);
    client = cluster.client();
    for (int i = 0; i < 3; i++) {
      await(client.put("k" + i, value(i), WriteOptions.DEFAULT));
      long stored = i + 1;
      eventually(() -> assertThat(first.diskStats().offloaded()).isEqualTo(stored));
    }
    await(first.close());
    node = cluster.node(config);
    eventually(() -> assertThat(node.diskStats().scans()).isEqualTo(1));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static void eventually(org.awaitility.core.ThrowingRunnable assertion) {
    Awaitility.await().atMost(PATIENCE).untilAsserted(assertion);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[OBJECT_BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private List<Path> dataFiles() throws IOException {
    try (Stream<Path> files = Files.list(buckets)) {
      return new ArrayList<>(
          files.filter(file -> file.toString().endsWith(".data")).sorted().toList());
    }
  }

  private ErrorCode failureOfGetting(String key) {
    StoreException[] failure = new StoreException[1];
    assertThatThrownBy(() -> await(client.get(key)))
        .isInstanceOfSatisfying(StoreException.class, failed -> failure[0] = failed);
    return failure[0].code();
  }

  private HttpResponse<byte[]> rest(HttpClient http, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.httpPort() + "/v1/objects/k1"))
            .timeout(PATIENCE);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofByteArray());
  }

  private void assertReadable(int number) {
    assertThat(await(client.get("k" + number)).getBytes()).isEqualTo(value(number));
  }

  @Test
  void theMasterForgetsWhatIsDamagedAndNothingElse() throws IOException {
    Path file = dataFiles().get(1);
    byte[] bytes = Files.readAllBytes(file);
    bytes[77] ^= 1;
    Files.write(file, bytes);

    assertThat(failureOfGetting("k1")).isNotEqualTo(ErrorCode.OBJECT_NOT_FOUND);

    eventually(() -> assertThat(await(client.exists("k1"))).isFalse());
    assertReadable(0);
    assertReadable(2);
    eventually(() -> assertThat(node.diskStats().store().objects()).isEqualTo(2));
    // Its key is free for a new value.
    await(client.put("k1", value(7), WriteOptions.DEFAULT));
    assertThat(await(client.get("k1")).getBytes()).isEqualTo(value(7));
  }

  @Test
  void whatIsAwayForAWhileIsKept() throws IOException {
    Path away = directory.resolve("away");
    Files.move(buckets, away);

    for (int i = 0; i < 3; i++) {
      assertThat(failureOfGetting("k" + i)).isNotEqualTo(ErrorCode.OBJECT_NOT_FOUND);
      assertThat(await(client.exists("k" + i))).isTrue();
    }
    Files.move(away, buckets);

    for (int i = 0; i < 3; i++) {
      assertReadable(i);
    }
    eventually(() -> assertThat(node.diskStats().store().readFailures()).isGreaterThanOrEqualTo(3));
    assertThat(node.diskStats().store().damagedObjects()).isZero();
  }

  /** An error has nothing of the value's headers: its length least of all. */
  @Test
  void restAnswersWhatCannotBeReadOnAConnectionThatGoesOn() throws Exception {
    Path away = directory.resolve("away");
    Files.move(buckets, away);

    try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (String[] headers : new String[][] {{}, {"Range", "bytes=0-4"}, {"Range", "bytes=9-"}}) {
        HttpResponse<byte[]> failed = rest(http, headers);
        assertThat(failed.statusCode()).isGreaterThanOrEqualTo(500);
        assertThat(new JsonObject(Buffer.buffer(failed.body())).getString("error")).isNotEmpty();
        assertThat(failed.headers().map()).doesNotContainKeys("content-range", "etag");
      }
      Files.move(away, buckets);
      assertThat(rest(http).body()).isEqualTo(value(1));
    }
  }
}
