package io.moonpool.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.MasterConfig;
import io.moonpool.master.MooncakeConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The paths of Mooncake's admin server, by a plain HTTP client. */
@Timeout(120)
class AdminPathsTest {
  private static final long BASE = 1L << 40;
  private static final int MIB = 1 << 20;
  private static final UUID NOBODY = new UUID(1, 2);

  private final HttpClient http = HttpClient.newHttpClient();
  private GatewayMaster master;

  @AfterEach
  void stop() {
    http.close();
    master.close();
  }

  private void start() {
    start(GatewayMaster.config());
  }

  private void start(MasterConfig.Builder config) {
    master = GatewayMaster.startWithAdmin(config);
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + master.master().ports().http() + path))
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private HttpResponse<String> get(String path) {
    return send("GET", path, "");
  }

  private HttpResponse<String> post(String path, String body) {
    return send("POST", path, body);
  }

  private JsonObject json(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type"))
        .contains("application/json; charset=utf-8");
    return new JsonObject(answer.body());
  }

  private String text(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    return answer.body();
  }

  private static JsonObject error(ErrorCode code) {
    return new JsonObject()
        .put("success", false)
        .put("error_code", code.number())
        .put("error_message", code.name());
  }

  private static String id(UUID id) {
    return Long.toUnsignedString(id.getMostSignificantBits())
        + "-"
        + Long.toUnsignedString(id.getLeastSignificantBits());
  }

  @Test
  void tellsThatItServes() {
    start();
    assertThat(json(get("/health"), 200))
        .isEqualTo(
            new JsonObject()
                .put("status", "ok")
                .put("role", "leader")
                .put("ha_state", "serving")
                .put("service_ready", true));
    assertThat(text(get("/role"), 200)).isEqualTo("leader");
    assertThat(text(get("/ha_status"), 200)).isEqualTo("serving");
    assertThat(json(get("/leader"), 200)).isEqualTo(new JsonObject().put("present", false));
    assertThat(json(get("/kv_events/status"), 200).getBoolean("enabled")).isFalse();
    HttpResponse<String> summary = get("/metrics/summary");
    assertThat(summary.statusCode()).isEqualTo(200);
    assertThat(summary.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    assertThat(summary.body())
        .startsWith("role=leader, state=serving, service_ready=true, master={")
        .contains("}, ha={");
  }

  @Test
  void tellsWhereAKeyIsAndLeasesIt() {
    start();
    try (LentMemory client = new LentMemory(master, "s", BASE, MIB)) {
      long address = client.put("a/b c", 100);
      JsonObject place =
          new JsonObject()
              .put("size_", 100)
              .put("buffer_address_", address)
              .put("protocol_", "tcp")
              .put("transport_endpoint_", client.segment.endpoint());
      JsonObject expected =
          new JsonObject().put("success", true).put("data", new JsonArray().add(place));
      assertThat(json(get("/query_key?key=a%2Fb%20c"), 200)).isEqualTo(expected);
      assertThat(json(get("/query_key?other=1&key=a/b+c"), 200)).isEqualTo(expected);
    }
  }

  /** Scripts for Mooncake's master send keys as they are, since it does not decode them. */
  @Test
  void aKeyIsMeantAsItWasSentFirst() {
    start();
    try (LentMemory client = new LentMemory(master, "s", BASE, MIB)) {
      client.put("100%", 1);
      client.put("a%20b", 2);
      client.put("a b", 3);
      assertThat(sizeOf("a%20b")).isEqualTo(2);
      assertThat(sizeOf("a%2520b")).isEqualTo(2);
      assertThat(raw("/query_key?key=100%")).contains("\"size_\":1");
    }
  }

  private long sizeOf(String key) {
    return json(get("/query_key?key=" + key), 200)
        .getJsonArray("data")
        .getJsonObject(0)
        .getLong("size_");
  }

  /** The Java client sends no percent sign that encodes nothing. */
  private String raw(String path) {
    try (Socket socket = new Socket("127.0.0.1", master.master().ports().http())) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void queryingAKeyCountsAsARead() {
    start();
    try (LentMemory client = new LentMemory(master, "s", BASE, MIB)) {
      client.put("k", 100);
      json(get("/batch_query_keys?keys=k"), 200);
      assertThat(leaseMillis("k")).as("a batch leases nothing").isZero();
      json(get("/query_key?key=k"), 200);
      assertThat(leaseMillis("k")).isPositive();
    }
  }

  private long leaseMillis(String key) {
    return new JsonObject(get("/api/v1/objects/" + key).body()).getLong("lease_remaining_ms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"?key=nothing", "?key=", "", "?keys=k"})
  void aKeyThatIsNotThereIs404(String query) {
    start();
    assertThat(json(get("/query_key" + query), 404)).isEqualTo(error(ErrorCode.OBJECT_NOT_FOUND));
  }

  /** What only Moonpool's clients reach has no address that would mean something. */
  @Test
  void memoryThatMooncakesClientsDoNotReachIsNotTold() {
    start();
    master.mountMoonpoolSegment();
    master.putOnMoonpoolSegment("k", 100);
    assertThat(json(get("/query_key?key=k"), 404)).isEqualTo(error(ErrorCode.REPLICA_IS_NOT_READY));
    assertThat(json(get("/batch_query_keys?keys=k"), 200).getJsonObject("data").getJsonObject("k"))
        .isEqualTo(new JsonObject().put("ok", false).put("error", "REPLICA_IS_NOT_READY"));
  }

  @Test
  void tellsOfSomeKeysWhichAreThere() {
    start();
    try (LentMemory client = new LentMemory(master, "s", BASE, MIB)) {
      client.put("one", 100);
      client.put("two", 200);
      JsonObject answer = json(get("/batch_query_keys?keys=one,two,none,,one"), 200);
      assertThat(answer.getBoolean("success")).isTrue();
      JsonObject data = answer.getJsonObject("data");
      assertThat(data.fieldNames()).containsExactly("one", "two", "none", "");
      assertThat(data.getJsonObject("none"))
          .isEqualTo(new JsonObject().put("ok", false).put("error", "OBJECT_NOT_FOUND"));
      assertThat(data.getJsonObject("two").getBoolean("ok")).isTrue();
      JsonObject value = data.getJsonObject("two").getJsonArray("values").getJsonObject(0);
      assertThat(value.getLong("size_")).isEqualTo(200);
      assertThat(value.getLong("buffer_address_")).isBetween(BASE, BASE + MIB);
      assertThat(data.getJsonObject("two").fieldNames()).containsExactly("ok", "values");
    }
  }

  /** More keys than one piece of the answer tells of, and a key that has to be quoted. */
  @Test
  void aLongListIsAnsweredInPieces() {
    start();
    try (LentMemory client = new LentMemory(master, "s", BASE, MIB)) {
      client.put("\"quoted\\", 1);
      StringBuilder keys = new StringBuilder("%22quoted%5C");
      for (int i = 0; i < 1_500; i++) {
        keys.append(",key-").append(i);
      }
      JsonObject data = json(get("/batch_query_keys?keys=" + keys), 200).getJsonObject("data");
      assertThat(data.size()).isEqualTo(1_501);
      assertThat(data.getJsonObject("\"quoted\\").getBoolean("ok")).isTrue();
      assertThat(data.getJsonObject("key-1499").getString("error")).isEqualTo("OBJECT_NOT_FOUND");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?keys=", "?key=k"})
  void aBatchWithoutKeysIs400(String query) {
    start();
    assertThat(json(get("/batch_query_keys" + query), 400))
        .isEqualTo(
            new JsonObject()
                .put("success", false)
                .put("error", "No keys provided. Use ?keys=key1,key2,..."));
  }

  @Test
  void listsAllKeys() {
    start();
    try (LentMemory client = new LentMemory(master, "s", BASE, 64 * MIB)) {
      Set<String> keys = new TreeSet<>();
      IntStream.range(0, 1_200).mapToObj(i -> "key-" + i).forEach(keys::add);
      keys.forEach(key -> client.put(key, 16));
      String listed = text(get("/get_all_keys"), 200);
      assertThat(listed).endsWith("\n");
      assertThat(listed.lines()).hasSize(1_200);
      assertThat(new TreeSet<>(listed.lines().toList())).isEqualTo(keys);
    }
  }

  @Test
  void aListOfNothingIsEmpty() {
    start();
    assertThat(text(get("/get_all_keys"), 200)).isEmpty();
    assertThat(text(get("/get_all_segments"), 200)).isEmpty();
    HttpResponse<String> head = send("HEAD", "/get_all_keys", "");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  /** Somebody asks for everything and does not read: nothing piles up, others are served. */
  @Test
  void aCallerWhoDoesNotReadHoldsNothingUp() throws IOException {
    start();
    try (LentMemory client = new LentMemory(master, "s", BASE, 64 * MIB)) {
      String padding = "x".repeat(20_000);
      for (int i = 0; i < 600; i++) {
        client.put(padding + i, 16);
      }
      try (Socket slow = new Socket()) {
        slow.setReceiveBufferSize(4_096);
        slow.connect(
            new java.net.InetSocketAddress("127.0.0.1", master.master().ports().http()), 5_000);
        slow.getOutputStream()
            .write(
                "GET /get_all_keys HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        long listedBefore = pagesListed();
        assertThat(text(get("/role"), 200)).isEqualTo("leader");
        await()
            .during(Duration.ofMillis(500))
            .atMost(Duration.ofSeconds(30))
            .until(() -> pagesListed() - listedBefore < 35);
        // Then it reads, and gets everything.
        InputStream in = slow.getInputStream();
        long bytes = in.transferTo(java.io.OutputStream.nullOutputStream());
        assertThat(bytes).isGreaterThan(600L * 20_000);
      }
    }
  }

  private long pagesListed() {
    return master.master().stats().snapshot().calls().entrySet().stream()
        .filter(call -> call.getKey().name().equals("LIST"))
        .mapToLong(call -> call.getValue().requests())
        .sum();
  }

  @Test
  void tellsOfSegments() {
    start();
    try (LentMemory client = new LentMemory(master, "seg 1", BASE, MIB)) {
      client.put("k", 1_000);
      assertThat(text(get("/get_all_segments"), 200)).isEqualTo("seg 1\n");
      String usage = text(get("/query_segment?segment=seg%201"), 200);
      assertThat(usage).matches("seg 1\nUsed\\(bytes\\): \\d+\nCapacity\\(bytes\\) : 1048576\n");
      assertThat(text(get("/query_segment?segment=seg+1"), 200)).isEqualTo(usage);

      JsonObject details = json(get("/get_segments_detail"), 200);
      assertThat(details.getInteger("total_segments")).isEqualTo(1);
      JsonObject detail = details.getJsonArray("segments").getJsonObject(0);
      assertThat(detail.getString("segment_name")).isEqualTo("seg 1");
      assertThat(detail.getString("segment_id")).isEqualTo(id(client.segment.id()));
      assertThat(detail.getString("client_id")).isEqualTo(id(client.id));
      assertThat(detail.getString("base_address")).isEqualTo("0x10000000000");
      assertThat(detail.getLong("size_bytes")).isEqualTo(MIB);
      assertThat(detail.getString("size_human")).endsWith(" GiB");
      assertThat(detail.getString("te_endpoint")).isEqualTo(client.segment.endpoint());
      assertThat(detail.getString("protocol")).isEqualTo("tcp");
      assertThat(detail.getString("status")).isEqualTo("OK");
      assertThat(detail.getLong("allocator_used_bytes")).isBetween(1_000L, 2_000L);
      assertThat(detail.getLong("allocator_capacity_bytes")).isEqualTo(MIB);
      assertThat(detail.getDouble("allocator_usage_percent")).isBetween(0.05, 0.2);

      assertThat(json(get("/api/v1/segments/status?segment=seg%201"), 200))
          .isEqualTo(
              new JsonObject()
                  .put("success", true)
                  .put("segment", "seg 1")
                  .put("status", 1)
                  .put("status_name", "OK")
                  .put("error_code", 0)
                  .put("error_message", ""));
    }
  }

  @Test
  void segmentsThatAreNotThereAreErrors() {
    start();
    assertThat(text(get("/query_segment?segment=nothing"), 500))
        .isEqualTo("Failed to query segment");
    assertThat(text(get("/query_segment"), 500)).isEqualTo("Failed to query segment");
    assertThat(json(get("/api/v1/segments/status?segment=nothing"), 404))
        .isEqualTo(error(ErrorCode.SEGMENT_NOT_FOUND));
    assertThat(json(get("/api/v1/segments/status"), 400).getString("error_message"))
        .isEqualTo("Missing segment query parameter");
  }

  /** The path that starts a job is Moonpool's own; its answer says what scripts look for. */
  @Test
  void aDrainJobIsStartedFollowedAndCancelled() {
    start(GatewayMaster.config().clientActiveTtlMillis(600_000));
    try (LentMemory from = new LentMemory(master, "from", BASE, MIB);
        LentMemory to = new LentMemory(master, "to", BASE, MIB)) {
      from.put("k", 100);
      HttpResponse<String> created =
          post(
              "/api/v1/drain_jobs",
              "{\"segments\":[\"from\"],\"target_segments\":[\"to\"],\"max_concurrency\":4}");
      assertThat(created.statusCode()).isEqualTo(201);
      JsonObject job = new JsonObject(created.body());
      assertThat(job.getBoolean("success")).isTrue();
      assertThat(job.getInteger("error_code")).isZero();
      assertThat(job.getString("error_message")).isEmpty();
      UUID uuid = UUID.fromString(job.getString("job_id"));

      JsonObject told = json(get("/api/v1/drain_jobs/query?job_id=" + id(uuid)), 200);
      assertThat(told.getBoolean("success")).isTrue();
      assertThat(told.getString("job_id")).isEqualTo(id(uuid));
      assertThat(told.getInteger("type")).isZero();
      assertThat(told.getString("type_name")).isEqualTo("DRAIN");
      assertThat(told.getInteger("status")).isBetween(0, 2);
      assertThat(told.getString("status_name")).isIn("CREATED", "PLANNING", "RUNNING");
      assertThat(told.getJsonArray("segments")).isEqualTo(new JsonArray().add("from"));
      assertThat(told.getLong("created_at_ms_epoch")).isPositive();
      assertThat(told.getLong("last_updated_at_ms_epoch"))
          .isGreaterThanOrEqualTo(told.getLong("created_at_ms_epoch"));
      for (String figure :
          List.of(
              "succeeded_units",
              "failed_units",
              "blocked_units",
              "active_units",
              "migrated_bytes")) {
        assertThat(told.getLong(figure)).as(figure).isNotNegative();
      }
      assertThat(told.getInteger("error_code")).isZero();
      // The form of UUIDs, as the answer to the start has it, will do as well.
      assertThat(json(get("/api/v1/drain_jobs/query?job_id=" + uuid), 200).getString("job_id"))
          .isEqualTo(id(uuid));
      assertThat(json(get("/api/v1/segments/status?segment=from"), 200).getString("status_name"))
          .isEqualTo("DRAINING");

      assertThat(json(post("/api/v1/drain_jobs/cancel?job_id=" + id(uuid), ""), 200))
          .isEqualTo(
              new JsonObject()
                  .put("success", true)
                  .put("job_id", id(uuid))
                  .put("status", "CANCELED")
                  .put("error_code", 0)
                  .put("error_message", ""));
      assertThat(
              json(get("/api/v1/drain_jobs/query?job_id=" + id(uuid)), 200)
                  .getString("status_name"))
          .isEqualTo("CANCELED");
      assertThat(json(post("/api/v1/drain_jobs/cancel?job_id=" + id(uuid), ""), 409))
          .isEqualTo(error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
    }
  }

  @ParameterizedTest
  @CsvSource({"GET, query", "POST, cancel"})
  void jobsThatAreNotThereAreErrors(String method, String what) {
    start();
    String path = "/api/v1/drain_jobs/" + what;
    for (String bad : List.of("", "?job_id=", "?job_id=x", "?job_id=1-2-3", "?job_id=-1")) {
      assertThat(json(send(method, path + bad, ""), 400))
          .isEqualTo(
              new JsonObject()
                  .put("success", false)
                  .put("error_code", ErrorCode.INVALID_PARAMS.number())
                  .put("error_message", "Missing or invalid job_id"));
    }
    assertThat(json(send(method, path + "?job_id=" + id(NOBODY), ""), 404))
        .isEqualTo(error(ErrorCode.JOB_NOT_FOUND));
  }

  @Test
  void removesEverything() {
    start();
    try (LentMemory client = new LentMemory(master, "s", BASE, MIB)) {
      client.put("one", 100);
      client.put("two", 100);
      client.locate("two");
      assertThat(json(post("/api/v1/remove_all", ""), 200))
          .isEqualTo(new JsonObject().put("success", true).put("removed_count", 1));
      assertThat(json(post("/api/v1/remove_all?force=1", ""), 200))
          .isEqualTo(new JsonObject().put("success", true).put("removed_count", 1));
      assertThat(text(get("/get_all_keys"), 200)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "DELETE"})
  void quotasOfTenantsAreNotOffered(String method) {
    start();
    assertThat(json(send(method, "/api/v1/tenant_quotas?tenant_id=t", ""), 409))
        .isEqualTo(error(ErrorCode.UNAVAILABLE_IN_CURRENT_MODE));
  }

  @Test
  void metricsHaveMooncakesNamesToo() {
    start();
    try (LentMemory client = new LentMemory(master, "s\"1", BASE, MIB)) {
      client.put("k", 1_000);
      client.call(SegmentCalls.PING, client.id);
      LentMemory.assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> client.locate("nothing"));
      HttpResponse<String> scrape = get("/metrics");
      assertThat(scrape.statusCode()).isEqualTo(200);
      assertThat(scrape.body())
          .contains("\nmoonpool_objects ")
          .contains("\n# TYPE master_key_count gauge\nmaster_key_count 1\n")
          .contains("\nmaster_total_capacity_bytes 1048576\n")
          .contains("\nsegment_total_capacity_bytes{segment=\"s\\\"1\"} 1048576\n")
          .contains("\nmaster_active_clients 1\n")
          .contains("\n# TYPE master_put_start_requests_total counter\n")
          .contains("\nmaster_put_start_requests_total 1\n")
          .contains("\nmaster_put_start_failures_total 0\n")
          .contains("\nmaster_get_replica_list_requests_total 1\n")
          .contains("\nmaster_get_replica_list_failures_total 1\n")
          .contains("\nmaster_batch_put_start_items_total 0\n")
          .contains("\nmaster_evicted_key_count 0\n")
          .contains("\nmaster_promotion_in_flight 0\n");
      // A series that is there twice would fail the whole scrape.
      List<String> series =
          scrape
              .body()
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.substring(0, line.lastIndexOf(' ')))
              .toList();
      assertThat(series).doesNotHaveDuplicates();
    }
  }

  @Test
  void allButHealthNeedTheToken() {
    start(GatewayMaster.config().adminToken("secret-secret-secret"));
    assertThat(get("/health").statusCode()).isEqualTo(200);
    for (String path :
        List.of(
            "/role",
            "/leader",
            "/ha_status",
            "/metrics/summary",
            "/kv_events/status",
            "/query_key?key=k",
            "/batch_query_keys?keys=k",
            "/get_all_keys",
            "/get_all_segments",
            "/get_segments_detail",
            "/query_segment?segment=s",
            "/api/v1/drain_jobs/query?job_id=1-2",
            "/api/v1/segments/status?segment=s",
            "/api/v1/tenant_quotas")) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(401);
    }
    for (String path : List.of("/api/v1/remove_all", "/api/v1/drain_jobs/cancel?job_id=1-2")) {
      assertThat(post(path, "").statusCode()).as(path).isEqualTo(401);
    }
    assertThat(send("GET", "/role", "", "Authorization", "Bearer secret-secret-secret").body())
        .isEqualTo("leader");
  }

  @Test
  void theyAreNotThereWhereTheGatewayIsOff() {
    start(GatewayMaster.config().mooncake(new MooncakeConfig(false, "2.0.0", 1)));
    assertThat(get("/health").statusCode()).isEqualTo(404);
    assertThat(get("/get_all_keys").statusCode()).isEqualTo(404);
    assertThat(get("/metrics").body()).contains("moonpool_objects").doesNotContain("master_key");
  }
}
