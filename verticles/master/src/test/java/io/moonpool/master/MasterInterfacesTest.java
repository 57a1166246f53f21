package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.master.admin.RestCaller;
import io.moonpool.master.grpc.GrpcInterface;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentSpec;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.UnregisterNode;
import io.moonpool.protocol.grpc.ClientsGrpcClient;
import io.moonpool.protocol.grpc.ClusterGrpcClient;
import io.moonpool.protocol.grpc.EndRequest;
import io.moonpool.protocol.grpc.ListClientsRequest;
import io.moonpool.protocol.grpc.ListObjectsRequest;
import io.moonpool.protocol.grpc.NamedRequest;
import io.moonpool.protocol.grpc.ObjectsGrpcClient;
import io.moonpool.protocol.grpc.StartRequest;
import io.moonpool.protocol.grpc.StartedObject;
import io.moonpool.protocol.grpc.SummaryRequest;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.client.InvalidStatusException;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole master through REST, gRPC and the event bus at once. */
class MasterInterfacesTest {
  private static final long MIB = 1 << 20;
  private static final String WRITER = UUID.randomUUID().toString();

  private WholeMaster whole;
  private TestMaster test;
  private RestCaller rest;
  private ObjectsGrpcClient grpc;

  @BeforeEach
  void start() {
    start(MasterConfig.builder());
  }

  private void start(MasterConfig.Builder config) {
    whole = WholeMaster.start(config);
    test = whole.test();
    rest = whole.rest();
    grpc = ObjectsGrpcClient.create(whole.grpcClient(), whole.grpcAddress());
  }

  @AfterEach
  void stop() {
    whole.close();
  }

  private JsonObject ask(String address, JsonObject body) {
    return whole.ask(address, body);
  }

  private static StartRequest.Builder start(String key, long size) {
    return StartRequest.newBuilder().setWriter(WRITER).setKey(key).setSize(size);
  }

  private void put(String key, long size) {
    StartedObject started = TestMaster.await(grpc.putStart(start(key, size).build()));
    TestMaster.await(
        grpc.end(
            EndRequest.newBuilder()
                .setWriter(WRITER)
                .setKey(key)
                .setVersion(started.getVersion())
                .build()));
  }

  private GrpcStatus refused(StartRequest.Builder request) {
    try {
      TestMaster.await(grpc.putStart(request.build()));
    } catch (InvalidStatusException e) {
      return e.actualStatus();
    }
    return GrpcStatus.OK;
  }

  @Test
  void allInterfacesSeeTheSameObject() {
    SegmentSpec segment = test.node(1, 4 * MIB).segments().getFirst();
    put("kv/1", 1_000);

    JsonObject described = rest.get("/api/v1/objects/kv%2F1").json();
    assertThat(described.getLong("size")).isEqualTo(1_000);
    assertThat(described.getJsonArray("segments").getJsonObject(0).getString("id"))
        .isEqualTo(segment.id().toString());
    JsonObject located = ask("moonpool.v1.objects.locate", new JsonObject().put("key", "kv/1"));
    assertThat(located.getString("version")).isEqualTo(described.getString("version"));
    NamedRequest named = NamedRequest.newBuilder().setKey("kv/1").build();
    assertThat(TestMaster.await(grpc.describe(named)).getLeaseRemainingMillis()).isPositive();

    // Located a moment ago, so under a lease.
    assertThat(rest.delete("/api/v1/objects/kv%2F1").error()).isEqualTo("OBJECT_HAS_LEASE");
    assertThat(rest.delete("/api/v1/objects/kv%2F1?force=true").status()).isEqualTo(200);
    assertThat(TestMaster.await(grpc.exists(named)).getExists()).isFalse();
    assertThat(rest.get("/api/v1/objects/kv%2F1").error()).isEqualTo("OBJECT_NOT_FOUND");
  }

  @Test
  void listsPageByPageOverRestAndGrpc() {
    test.node(1, 4 * MIB);
    String[] keys = IntStream.range(0, 230).mapToObj(i -> "kv/" + i).toArray(String[]::new);
    test.put(10, keys);
    test.put(10, "other");

    List<String> overRest = new ArrayList<>();
    String cursor = "0";
    do {
      JsonObject page = rest.get("/api/v1/objects?prefix=kv/&limit=50&cursor=" + cursor).json();
      page.getJsonArray("objects").forEach(o -> overRest.add(((JsonObject) o).getString("key")));
      cursor = page.getString("next_cursor");
    } while (!cursor.equals("0"));
    assertThat(overRest).containsExactlyInAnyOrder(keys);

    List<String> overGrpc = new ArrayList<>();
    long next = 0;
    do {
      var page =
          TestMaster.await(
              grpc.list(
                  ListObjectsRequest.newBuilder()
                      .setPattern("^kv/.*[05]$")
                      .setCursor(next)
                      .build()));
      page.getObjectsList().forEach(o -> overGrpc.add(o.getKey()));
      next = page.getNextCursor();
    } while (next != 0);
    assertThat(overGrpc).hasSize(46).doesNotHaveDuplicates();

    assertThat(
            rest.post("/api/v1/object-removals", "{\"prefix\":\"kv/1\"}").json().getLong("removed"))
        .isEqualTo(111);
    assertThat(rest.get("/api/v1/objects?pattern=(").error()).isEqualTo("INVALID_PARAMS");
  }

  @Test
  void refusesCursorsThatNoPageAnswered() {
    for (long cursor : MasterWalkTest.BAD_CURSORS) {
      RestCaller.Reply page = rest.get("/api/v1/objects?cursor=" + cursor);
      assertThat(page.error()).as("cursor %d", cursor).isEqualTo("INVALID_PARAMS");
      assertThat(page.message()).contains("cursor must be");
      assertThatThrownBy(
              () ->
                  TestMaster.await(
                      grpc.list(ListObjectsRequest.newBuilder().setCursor(cursor).build())))
          .isInstanceOfSatisfying(
              InvalidStatusException.class,
              refused -> assertThat(refused.actualStatus()).isEqualTo(GrpcStatus.INVALID_ARGUMENT));
      assertThatThrownBy(
              () ->
                  ask(
                      "moonpool.v1.objects.list",
                      new JsonObject().put("cursor", Long.toString(cursor))))
          .hasMessageContaining("cursor must be")
          .isInstanceOfSatisfying(
              ReplyException.class,
              refused ->
                  assertThat(refused.failureCode()).isEqualTo(ErrorCode.INVALID_PARAMS.number()));
    }
    for (String cursor : List.of("abc", "1.5", "", "0x10", "99999999999999999999")) {
      assertThat(rest.get("/api/v1/objects?cursor=" + cursor).error())
          .as("cursor '%s'", cursor)
          .isEqualTo("INVALID_PARAMS");
      assertThatThrownBy(
              () -> ask("moonpool.v1.objects.list", new JsonObject().put("cursor", cursor)))
          .hasMessageContaining("cursor must be");
    }
    assertThatThrownBy(() -> ask("moonpool.v1.objects.list", new JsonObject().put("cursor", 42)))
        .hasMessageContaining("cursor must be");
  }

  @Test
  void aNodeThatLeftIsListedNowhere() {
    TestMaster.Node node = test.node(1, 4 * MIB);
    TestMaster.Node other = test.node(2, 4 * MIB);
    test.call(
        Calls.UNREGISTER_NODE, new UnregisterNode(node.id(), node.registration().incarnation()));
    String left = node.id().toString();
    String there = other.id().toString();
    for (String list : List.of("clients", "segments")) {
      String overRest = rest.get("/api/v1/" + list).json().encode();
      assertThat(overRest).contains(there).doesNotContain(left);
      String overBus = ask("moonpool.v1." + list + ".list", new JsonObject()).encode();
      assertThat(overBus).contains(there).doesNotContain(left);
    }
    assertThat(rest.get("/api/v1/clients/" + left).error()).isEqualTo("CLIENT_NOT_FOUND");
    String clients =
        TestMaster.await(
                ClientsGrpcClient.create(whole.grpcClient(), whole.grpcAddress())
                    .list(ListClientsRequest.getDefaultInstance()))
            .toString();
    assertThat(clients).contains(there).doesNotContain(left);
    assertThat(rest.get("/api/v1/cluster").json().getInteger("clients")).isEqualTo(1);
    assertThat(rest.get("/metrics").response().body())
        .contains("moonpool_client_departures_total 1.0");
  }

  @Test
  void refusesWhatCannotBeStored() {
    test.node(1, 4 * MIB);
    put("there", 10);
    assertThat(refused(start("there", 10))).isEqualTo(GrpcStatus.ALREADY_EXISTS);
    assertThat(refused(start("zero", 0))).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    assertThat(refused(start("negative", -1))).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    assertThat(refused(start("", 1))).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    assertThat(refused(start("k".repeat(65_536), 1))).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    assertThat(refused(start("k".repeat(65_535), 1))).isEqualTo(GrpcStatus.OK);
    assertThat(refused(start("large", 100 * MIB))).isEqualTo(GrpcStatus.RESOURCE_EXHAUSTED);

    assertThat(rest.get("/api/v1/objects/").error()).isEqualTo("INVALID_KEY");
    assertThat(rest.get("/api/v1/objects/" + "k".repeat(65_536)).error()).isEqualTo("INVALID_KEY");
    assertThat(rest.get("/api/v1/objects/" + "k".repeat(65_535)).status()).isEqualTo(200);
    assertThat(rest.get("/api/v1/objects//exists").error()).isEqualTo("INVALID_KEY");
    assertThat(rest.delete("/api/v1/objects/").error()).isEqualTo("INVALID_KEY");
    assertThatThrownBy(
            () ->
                ask(
                    "moonpool.v1.objects.put-start",
                    new JsonObject()
                        .put("writer", WRITER)
                        .put("key", "large")
                        .put("size", 100 * MIB)))
        .isInstanceOfSatisfying(
            ReplyException.class, failure -> assertThat(failure.failureCode()).isEqualTo(-200));
  }

  @Test
  void refusesTenantsThatAreNotRegistered() {
    whole.close();
    start(MasterConfig.builder().multiTenants(true).tenants(List.of("red")));
    test.node(1, 4 * MIB);
    assertThat(refused(start("k", 1).setTenant("blue"))).isEqualTo(GrpcStatus.NOT_FOUND);
    assertThat(refused(start("k", 1).setTenant("red"))).isEqualTo(GrpcStatus.OK);
    assertThat(rest.get("/api/v1/objects/k?tenant=red").json().getString("tenant"))
        .isEqualTo("red");
    assertThat(rest.get("/api/v1/objects/k").error()).isEqualTo("OBJECT_NOT_FOUND");
    assertThat(rest.get("/api/v1/objects/k?tenant=_x").error()).isEqualTo("INVALID_PARAMS");
    assertThat(rest.get("/api/v1/objects?tenant=blue").json().getJsonArray("objects")).isEmpty();
  }

  @Test
  void unmountsASegmentAndTellsListeners() {
    List<String> events = new CopyOnWriteArrayList<>();
    test.master()
        .vertx()
        .eventBus()
        .<JsonObject>consumer(
            "moonpool.v1.segment.events",
            message ->
                events.add(
                    message.body().getString("event")
                        + " "
                        + message.body().getJsonObject("segment").getString("name")));
    test.node(1, 4 * MIB);
    TestMaster.Node second = test.node(2, 4 * MIB);
    put("a", 10);
    put("b", 10);
    String segment = second.segments().getFirst().id().toString();
    assertThat(rest.get("/api/v1/segments/" + segment).json().getString("status")).isEqualTo("ok");

    RestCaller.Reply reply = rest.post("/api/v1/segments/" + segment + "/unmount", "{}");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(rest.get("/api/v1/segments/" + segment).error()).isEqualTo("SEGMENT_NOT_FOUND");
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(events)
                    .contains(
                        "mounted segment-1-0", "mounted segment-2-0", "unmounted segment-2-0"));
    JsonObject client = rest.get("/api/v1/clients/" + second.id()).json();
    assertThat(client.getInteger("segments")).isZero();
    assertThat(client.getString("state")).isEqualTo("active");
  }

  @Test
  void unmountsWithAGracePeriod() {
    TestMaster.Node node = test.node(1, 4 * MIB);
    put("a", 10);
    String segment = node.segments().getFirst().id().toString();
    RestCaller.Reply reply =
        rest.post("/api/v1/segments/" + segment + "/unmount", "{\"grace_ms\":600000}");
    assertThat(reply.status()).isEqualTo(202);
    assertThat(rest.get("/api/v1/segments/" + segment).json().getString("status"))
        .isEqualTo("gracefully_unmounting");
    assertThat(test.locate("a").ok()).isTrue();
    assertThat(refused(start("b", 10))).isEqualTo(GrpcStatus.RESOURCE_EXHAUSTED);
  }

  @Test
  void sumsUpAndIsReady() {
    test.node(1, 4 * MIB);
    put("a", 1_000);
    JsonObject summary = rest.get("/api/v1/cluster").json();
    assertThat(summary.getLong("capacity")).isEqualTo(4 * MIB);
    assertThat(summary.getLong("used")).isGreaterThanOrEqualTo(1_000);
    assertThat(summary.getInteger("segments")).isEqualTo(1);
    var overGrpc =
        TestMaster.await(
            ClusterGrpcClient.create(whole.grpcClient(), whole.grpcAddress())
                .summary(SummaryRequest.getDefaultInstance()));
    assertThat(overGrpc.getClusterId()).isEqualTo("moonpool");
    assertThat(Long.toString(overGrpc.getMasterEpoch()))
        .isEqualTo(summary.getString("master_epoch"));
    assertThat(ask("moonpool.v1.cluster.summary", null).getString("version"))
        .isEqualTo(summary.getString("version"));

    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(rest.get("/health/ready").status()).isEqualTo(200));
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(rest.get("/metrics").response().body())
                    .contains("moonpool_objects 1.0\n")
                    .contains("moonpool_clients{state=\"active\"} 1.0\n")
                    .contains("moonpool_segments{status=\"ok\"} 1.0\n")
                    .contains("moonpool_memory_capacity_bytes 4194304.0\n")
                    .contains("moonpool_calls_total{call=\"put_start\"} 1.0\n"));
  }

  @Test
  void doesNotStartWhereItWouldBeOpenToEverybody() {
    assertThatThrownBy(
            () ->
                TestMaster.await(
                    Master.start(
                        MasterConfig.builder().ephemeral().adminHost("0.0.0.0").build(),
                        new VertxOptions(),
                        builder -> builder,
                        List.of(new GrpcInterface()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set admin_token, or listen on 127.0.0.1");
  }

  private MasterStats.PortCounts port(String name) {
    return test.master().stats().snapshot().ports().get(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "grpc"})
  void connectionsBeyondTheLimitOfAPortAreClosedAtOnce(String name) throws IOException {
    whole.close();
    start(MasterConfig.builder().maxConnections(2));
    int port = name.equals("http") ? test.master().ports().http() : test.master().ports().grpc();
    try (Socket first = new Socket("127.0.0.1", port);
        Socket second = new Socket("127.0.0.1", port)) {
      // They never say a word, and count all the same.
      Awaitility.await().until(() -> port(name).connections() == 2);
      try (Socket third = new Socket("127.0.0.1", port)) {
        third.setSoTimeout(20_000);
        assertThat(third.getInputStream().read()).isEqualTo(-1);
      }
      assertThat(port(name)).isEqualTo(new MasterStats.PortCounts(2, 1, 0));
      String other = name.equals("http") ? "grpc" : "http";
      assertThat(port(other)).isEqualTo(new MasterStats.PortCounts(0, 0, 0));
      assertThat(first.isConnected() && second.isConnected()).isTrue();
    }
    Awaitility.await().until(() -> port(name).connections() == 0);
    if (name.equals("http")) {
      assertThat(rest.get("/health/live").status()).isEqualTo(200);
    } else {
      NamedRequest named = NamedRequest.newBuilder().setKey("none").build();
      assertThat(TestMaster.await(grpc.exists(named)).getExists()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no JSON            | it cannot be read from line 1, column 4 on",
        "{\"prefix\": oops} | it cannot be read from line 1, column 17 on",
        "{\"prefix\": \"a\" | it ends at line 1, column 15, before the object does",
        "[1, 2]             | it is a value of another kind",
        "{} {}              | it is a value of another kind, or something follows the object"
      })
  void aBodyThatIsNoJsonObjectIsRefusedInWordsOfOurOwn(String body, String why) {
    RestCaller.Reply answer = rest.post("/api/v1/object-removals", body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.message())
        .contains("the body is not a JSON object: " + why)
        .doesNotContain("token", "Source", "JsonParser", "Unexpected", "decode");
  }
}
