package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static io.moonpool.node.RoundTripTest.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.model.ErrorCode;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The node's REST interface over a whole cluster. */
class RestTest {
  private static final int PART = 4 << 20;

  @TempDir Path directory;
  private Cluster cluster;
  private Node node;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void start() {
    cluster =
        new Cluster(
            directory, settings -> settings.clientActiveTtlMillis(2_000).leaseTtlMillis(4_000));
    node = cluster.node("a");
  }

  @AfterEach
  void close() {
    http.close();
    cluster.close();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.httpPort() + path))
        .timeout(Duration.ofSeconds(60));
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private HttpResponse<byte[]> get(String key) {
    return send(request("/v1/objects/" + key));
  }

  private HttpResponse<byte[]> range(String key, String range) {
    return send(request("/v1/objects/" + key).header("Range", range));
  }

  private HttpResponse<byte[]> put(String key, BodyPublisher body) {
    return send(request("/v1/objects/" + key).PUT(body));
  }

  private HttpResponse<byte[]> put(String key, byte[] value) {
    return put(key, BodyPublishers.ofByteArray(value));
  }

  private HttpResponse<byte[]> delete(String key) {
    return send(request("/v1/objects/" + key).DELETE());
  }

  private static BodyPublisher unannounced(byte[] value) {
    return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(value));
  }

  private static void assertRefused(HttpResponse<byte[]> response, int status, ErrorCode code) {
    String text = new String(response.body(), StandardCharsets.UTF_8);
    assertThat(response.statusCode()).as(text).isEqualTo(status);
    JsonObject json = new JsonObject(text);
    assertThat(json.getString("error")).isEqualTo(code.name());
    assertThat(json.getInteger("code")).isEqualTo(code.number());
    assertThat(json.getString("message")).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4_096, 1 << 20, PART, PART + 1, 3 * PART + 17})
  void valuesGoInAndComeOut(int size) {
    byte[] value = random(size, size);
    HttpResponse<byte[]> stored = put("announced", value);
    assertThat(stored.statusCode()).isEqualTo(201);
    assertThat(new JsonObject(new String(stored.body(), StandardCharsets.UTF_8)))
        .isEqualTo(new JsonObject().put("key", "announced").put("size", size));
    assertThat(put("unannounced", unannounced(value)).statusCode()).isEqualTo(201);
    for (String key : List.of("announced", "unannounced")) {
      HttpResponse<byte[]> got = get(key);
      assertThat(got.statusCode()).isEqualTo(200);
      assertThat(got.body()).isEqualTo(value);
      assertThat(got.headers().firstValueAsLong("Content-Length")).hasValue(size);
      String tag = got.headers().firstValue("ETag").orElseThrow();
      HttpResponse<byte[]> head =
          send(request("/v1/objects/" + key).method("HEAD", BodyPublishers.noBody()));
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(size);
      assertThat(head.headers().firstValue("ETag")).hasValue(tag);
      assertThat(send(request("/v1/objects/" + key).header("If-None-Match", tag)).statusCode())
          .isEqualTo(304);
      assertRefused(delete(key), 409, ErrorCode.OBJECT_HAS_LEASE);
      assertThat(delete(key + "?force=true").statusCode()).isEqualTo(204);
      assertRefused(get(key), 404, ErrorCode.OBJECT_NOT_FOUND);
      assertRefused(delete(key), 404, ErrorCode.OBJECT_NOT_FOUND);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b/c",
        "a%2Fb",
        "a//b",
        "a/../b",
        "with%20space",
        "plus+plus",
        "%F0%9F%98%80",
        "a%3Fb%23"
      })
  void keysAreTakenAsTheyAre(String key) {
    byte[] value = key.getBytes(StandardCharsets.UTF_8);
    assertThat(put(key, value).statusCode()).isEqualTo(201);
    assertThat(get(key).body()).isEqualTo(value);
    String decoded = java.net.URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    assertThat(await(cluster.client().getBytes(decoded))).isEqualTo(value);
  }

  @Test
  void rangesOfLongAndShortValues() {
    byte[] value = random(2 * PART + 1_000, 1);
    put("long", value);
    put("short", Arrays.copyOf(value, 1_000));
    for (String key : List.of("long", "short")) {
      int size = key.equals("long") ? value.length : 1_000;
      byte[] whole = Arrays.copyOf(value, size);
      HttpResponse<byte[]> middle = range(key, "bytes=10-19");
      assertThat(middle.statusCode()).isEqualTo(206);
      assertThat(middle.body()).isEqualTo(Arrays.copyOfRange(whole, 10, 20));
      assertThat(middle.headers().firstValue("Content-Range")).hasValue("bytes 10-19/" + size);
      assertThat(range(key, "bytes=-5").body())
          .isEqualTo(Arrays.copyOfRange(whole, size - 5, size));
      assertThat(range(key, "bytes=" + (size - 3) + "-").body())
          .isEqualTo(Arrays.copyOfRange(whole, size - 3, size));
      assertThat(range(key, "bytes=0-99999999999").body()).isEqualTo(whole);
      HttpResponse<byte[]> outside = range(key, "bytes=" + size + "-");
      assertRefused(outside, 416, ErrorCode.INVALID_PARAMS);
      assertThat(outside.headers().firstValue("Content-Range")).hasValue("bytes */" + size);
      assertThat(range(key, "bytes=1-2,4-5").statusCode()).isEqualTo(200);
      assertThat(range(key, "lines=1-2").statusCode()).isEqualTo(200);
    }
    HttpResponse<byte[]> crossing = range("long", "bytes=" + (PART - 100) + "-" + (PART + 99));
    assertThat(crossing.body()).isEqualTo(Arrays.copyOfRange(value, PART - 100, PART + 100));
    String tag = crossing.headers().firstValue("ETag").orElseThrow();
    assertThat(
            send(request("/v1/objects/long").header("Range", "bytes=0-9").header("If-Range", tag))
                .statusCode())
        .isEqualTo(206);
    assertThat(
            send(request("/v1/objects/long")
                    .header("Range", "bytes=0-9")
                    .header("If-Range", "\"other\""))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void anExistingObjectIsReplacedOnlyOnRequest() {
    byte[] old = random(2 * PART, 2);
    put("key", old);
    assertRefused(put("key", random(10, 3)), 409, ErrorCode.OBJECT_ALREADY_EXISTS);
    assertRefused(put("key", random(3 * PART, 3)), 409, ErrorCode.OBJECT_ALREADY_EXISTS);
    assertThat(get("key").body()).isEqualTo(old);
    byte[] changed = random(10, 4);
    assertThat(put("key?upsert=true", changed).statusCode()).isEqualTo(201);
    assertThat(get("key").body()).isEqualTo(changed);
    byte[] again = random(PART + 5, 5);
    assertThat(put("key?upsert=true", unannounced(again)).statusCode()).isEqualTo(201);
    assertThat(get("key").body()).isEqualTo(again);
  }

  @Test
  void replicasAreStoredOnAsManyNodes() {
    cluster.node("b");
    byte[] value = random(1 << 20, 6);
    assertThat(put("key?replicas=2", value).statusCode()).isEqualTo(201);
    assertThat(await(cluster.client().segments()))
        .allMatch(segment -> segment.usedBytes() >= value.length);
    assertThat(get("key").body()).isEqualTo(value);
  }

  @Test
  void wrongRequestsAreToldWhatIsWrong() {
    assertRefused(put("key", new byte[0]), 400, ErrorCode.INVALID_PARAMS);
    assertRefused(put("key", unannounced(new byte[0])), 400, ErrorCode.INVALID_PARAMS);
    assertRefused(put("", new byte[1]), 400, ErrorCode.INVALID_PARAMS);
    assertRefused(put("key?replicas=0", new byte[1]), 400, ErrorCode.INVALID_PARAMS);
    assertRefused(put("key?upsert=maybe", new byte[1]), 400, ErrorCode.INVALID_PARAMS);
    assertRefused(get("%ff"), 400, ErrorCode.INVALID_KEY);
    assertRefused(
        send(request("/v1/objects/key").POST(BodyPublishers.ofString("x"))),
        405,
        ErrorCode.NOT_SUPPORTED);
    assertRefused(send(request("/elsewhere")), 404, ErrorCode.NOT_SUPPORTED);
    assertRefused(
        send(request("/v1/objects/key").header("Moonpool-Tenant", "_x")),
        400,
        ErrorCode.INVALID_PARAMS);
    String longKey = "x".repeat(65_536);
    assertRefused(put(longKey, new byte[1]), 400, ErrorCode.INVALID_KEY);
    assertThat(put("x".repeat(65_535), new byte[1]).statusCode()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE"})
  void aMisspeltParameterNeverMeansItsDefault(String method) {
    assertThat(put("key", new byte[] {1}).statusCode()).isEqualTo(201);
    HttpResponse<byte[]> response =
        send(
            request("/v1/objects/key?forse=true")
                .method(method, BodyPublishers.ofByteArray(new byte[] {2})));
    if (method.equals("HEAD")) {
      assertThat(response.statusCode()).isEqualTo(400);
    } else {
      assertRefused(response, 400, ErrorCode.INVALID_PARAMS);
      assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("forse");
    }
    assertThat(get("key").body()).isEqualTo(new byte[] {1});
  }

  @ParameterizedTest
  @CsvSource({
    "400, no HTTP at all",
    "400, PUT /v1/objects/key HTTP/1.1|Content-Length: -5||",
    "400, PUT /v1/objects/key HTTP/1.1|Content-Length: 3|Content-Length: 4||",
    "414, GET /v1/objects/@300000 HTTP/1.1||",
    "431, GET /v1/objects/key HTTP/1.1|X: @20000||"
  })
  void whatIsNoRequestIsAnsweredLikeOtherErrors(int status, String sent) throws IOException {
    String bytes = sent.replace("|", "\r\n") + "\r\n";
    bytes =
        Pattern.compile("@([0-9]+)")
            .matcher(bytes)
            .replaceAll(filler -> "x".repeat(Integer.parseInt(filler.group(1))));
    try (Socket socket = new Socket("127.0.0.1", node.httpPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      assertThat(answer.readLine()).contains(" " + status + " ");
      List<String> rest = answer.readAllLines(); // ends, since the connection is closed
      assertThat(new JsonObject(rest.getLast()).getString("error")).isEqualTo("INVALID_PARAMS");
    }
  }

  @Test
  void theLongestKeyGoesThroughWhateverVersionOfHttpIsAskedFor() throws Exception {
    String key = "x".repeat(65_535);
    for (HttpClient.Version version : HttpClient.Version.values()) {
      try (HttpClient client = HttpClient.newBuilder().version(version).build()) {
        // Without TLS it is answered in HTTP/1.1.
        client.send(request("/health/live").build(), BodyHandlers.discarding());
        HttpResponse<byte[]> response =
            client.send(
                request("/v1/objects/" + key + "?upsert=true")
                    .PUT(BodyPublishers.ofString("long"))
                    .build(),
                BodyHandlers.ofByteArray());
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(response.statusCode()).as(version.name()).isEqualTo(201);
      }
    }
  }

  @Test
  void valuesThatCanNeverFitAreRefusedWithTheReason() {
    HttpResponse<byte[]> tooLarge = put("key", random(65 << 20, 7));
    assertRefused(tooLarge, 413, ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(new String(tooLarge.body(), StandardCharsets.UTF_8))
        .contains("all memory and disks together");
    Node small =
        cluster.node(
            cluster.settings("small").partBytes(128 << 20).stagingBytes(256 << 20).build());
    node = small;
    HttpResponse<byte[]> oneSegment = put("key", random(100 << 20, 7));
    assertRefused(oneSegment, 413, ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(new String(oneSegment.body(), StandardCharsets.UTF_8)).contains("largest");
  }

  @Test
  void aFullPoolIsAnotherMatter() {
    MoonpoolClient client = cluster.client();
    byte[] value = random(PART, 8);
    for (int i = 0; i < 15; i++) {
      await(client.put("key-" + i, value, Cluster.PINNED));
    }
    assertRefused(put("one-more", random(PART + 100, 9)), 507, ErrorCode.NO_AVAILABLE_HANDLE);
    assertRefused(put("large", random(2 * PART, 9)), 507, ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(get("key-1").body()).isEqualTo(value);
  }

  @Test
  void whatBreaksOffLeavesNothing() throws IOException {
    for (int i = 0; i < 12; i++) { // more often than there is staging memory
      for (int announced : new int[] {PART, 3 * PART}) {
        try (Socket socket = new Socket("127.0.0.1", node.httpPort())) {
          socket
              .getOutputStream()
              .write(
                  ("PUT /v1/objects/broken HTTP/1.1\r\nHost: x\r\nContent-Length: "
                          + announced
                          + "\r\n\r\n")
                      .getBytes(StandardCharsets.US_ASCII));
          socket.getOutputStream().write(random(announced - PART / 2, 10));
        }
      }
    }
    MoonpoolClient client = cluster.client();
    byte[] value = random(3 * PART, 11);
    // The space of what was broken off comes back when its leases are over.
    with().atMost(Duration.ofSeconds(30)).until(() -> put("whole", value).statusCode() == 201);
    assertThat(get("whole").body()).isEqualTo(value);
    assertThat(await(client.exists("broken"))).isFalse();
    assertThat(delete("whole?force=true").statusCode()).isEqualTo(204);
    with()
        .atMost(Duration.ofSeconds(30))
        .until(() -> await(client.segments()).getFirst().usedBytes() < PART);
  }

  @Test
  void aReaderThatTakesItsTimeGetsEverything() throws Exception {
    byte[] value = random(5 * PART, 12);
    put("key", value);
    HttpResponse<java.io.InputStream> response =
        http.send(request("/v1/objects/key").build(), BodyHandlers.ofInputStream());
    try (var body = response.body()) {
      byte[] head = body.readNBytes(1_000);
      // Others are served meanwhile, more than there is staging memory for at once.
      for (int i = 0; i < 10; i++) {
        assertThat(get("key").body()).isEqualTo(value);
      }
      byte[] rest = body.readAllBytes();
      assertThat(head).isEqualTo(Arrays.copyOf(value, 1_000));
      assertThat(rest).isEqualTo(Arrays.copyOfRange(value, 1_000, value.length));
    }
  }

  @Test
  void waitsForPermissionToSendTheBody() {
    byte[] value = random(PART + 1, 13);
    HttpRequest.Builder asking =
        request("/v1/objects/key").expectContinue(true).PUT(BodyPublishers.ofByteArray(value));
    assertThat(send(asking).statusCode()).isEqualTo(201);
    assertRefused(send(asking), 409, ErrorCode.OBJECT_ALREADY_EXISTS);
  }

  @Test
  void healthAndMetricsTellTheState() {
    with().until(node::isReady);
    HttpResponse<byte[]> ready = send(request("/health/ready"));
    assertThat(ready.statusCode()).isEqualTo(200);
    JsonObject details = new JsonObject(new String(ready.body(), StandardCharsets.UTF_8));
    assertThat(details.getString("state")).isEqualTo("mounted");
    assertThat(details.getString("node_id")).isEqualTo(node.id().toString());
    put("key", random(1_000, 14));
    String metrics = new String(send(request("/metrics")).body(), StandardCharsets.UTF_8);
    assertThat(metrics)
        .contains("moonpool_node_segment_bytes 6.7108864E7")
        .contains("moonpool_node_mounted 1.0")
        .contains("moonpool_node_http_received_bytes_total 1000.0")
        .contains("moonpool_node_transfer_puts_total{transport=\"local\"} 1.0")
        .contains("moonpool_node_client_checksum_mismatches_total 0.0");

    cluster.stopMaster();
    with().until(() -> send(request("/health/ready")).statusCode() == 503 || !node.isReady());
    assertThat(send(request("/health/live")).statusCode()).isEqualTo(200);
    assertRefused(get("key"), 503, ErrorCode.RPC_FAIL);
    cluster.restartMaster();
  }

  @Test
  void aTokenGuardsAllButHealth() {
    node =
        cluster.node(cluster.settings("guarded").adminToken("t0ken").httpHost("127.0.0.1").build());
    assertThat(send(request("/health/live")).statusCode()).isEqualTo(200);
    assertRefused(get("key"), 401, ErrorCode.ILLEGAL_CLIENT);
    assertRefused(send(request("/metrics")), 401, ErrorCode.ILLEGAL_CLIENT);
    assertRefused(
        send(request("/v1/objects/key").header("Authorization", "Bearer wrong")),
        401,
        ErrorCode.ILLEGAL_CLIENT);
    assertRefused(
        send(request("/v1/objects/key").header("Authorization", "Bearer t0ken")),
        404,
        ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void tenantsNeedToBeRegisteredToWrite() {
    try (Cluster other =
        new Cluster(
            directory.resolve("tenants"),
            settings -> settings.multiTenants(true).tenants(List.of("red", "blue")))) {
      node = other.node("t");
      assertThat(
              send(request("/v1/objects/key")
                      .header("Moonpool-Tenant", "red")
                      .PUT(BodyPublishers.ofString("red")))
                  .statusCode())
          .isEqualTo(201);
      assertRefused(
          send(
              request("/v1/objects/key")
                  .header("Moonpool-Tenant", "green")
                  .PUT(BodyPublishers.ofString("green"))),
          404,
          ErrorCode.TENANT_NOT_REGISTERED);
      assertThat(send(request("/v1/objects/key").header("Moonpool-Tenant", "red")).body())
          .isEqualTo("red".getBytes(StandardCharsets.UTF_8));
      assertRefused(
          send(request("/v1/objects/key").header("Moonpool-Tenant", "blue")),
          404,
          ErrorCode.OBJECT_NOT_FOUND);
    }
  }
}
