package io.moonpool.master;

import static io.moonpool.master.Rehearsal.await;
import static io.moonpool.master.Rehearsal.awaitEnd;

import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.grpc.BatchEndRequest;
import io.moonpool.protocol.grpc.BatchNamedRequest;
import io.moonpool.protocol.grpc.BatchRemoveRequest;
import io.moonpool.protocol.grpc.BatchRevokeRequest;
import io.moonpool.protocol.grpc.BatchStartRequest;
import io.moonpool.protocol.grpc.ClientsGrpcClient;
import io.moonpool.protocol.grpc.ClusterGrpcClient;
import io.moonpool.protocol.grpc.DrainRequest;
import io.moonpool.protocol.grpc.DrainsGrpcClient;
import io.moonpool.protocol.grpc.EndRequest;
import io.moonpool.protocol.grpc.ListClientsRequest;
import io.moonpool.protocol.grpc.ListDrainsRequest;
import io.moonpool.protocol.grpc.ListObjectsRequest;
import io.moonpool.protocol.grpc.ListSegmentsRequest;
import io.moonpool.protocol.grpc.ListTasksRequest;
import io.moonpool.protocol.grpc.NamedRequest;
import io.moonpool.protocol.grpc.ObjectsGrpcClient;
import io.moonpool.protocol.grpc.RemoveMatchingRequest;
import io.moonpool.protocol.grpc.RemoveRequest;
import io.moonpool.protocol.grpc.RevokeRequest;
import io.moonpool.protocol.grpc.SegmentsGrpcClient;
import io.moonpool.protocol.grpc.StartRequest;
import io.moonpool.protocol.grpc.SummaryRequest;
import io.moonpool.protocol.grpc.TasksGrpcClient;
import io.moonpool.protocol.grpc.UnmountRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The part of a {@link Rehearsal} that goes through REST, gRPC and event bus. On its thread. */
final class RehearsedInterfaces {
  private static final String HOST = "127.0.0.1";
  private static final String WRITER = new UUID(1, 3).toString();
  private static final int ROUNDS = 3;

  /** One answer that does not come must not end the rehearsal of all that follows. */
  private static final int PATIENCE_SECONDS = 5;

  private final Master master;
  private final HttpClientOptions net = new HttpClientOptions();

  RehearsedInterfaces(Master master, boolean tls) {
    this.master = master;
    if (tls) {
      // It speaks to itself on loopback, whatever name its certificate has.
      net.setSsl(true).setTrustAll(true).setVerifyHost(false);
    }
  }

  /** Everything but an unmount, of a node and a segment that are there. */
  void play(UUID nodeId, UUID segmentId)
      throws InterruptedException, ExecutionException, TimeoutException {
    for (int round = 0; round < ROUNDS; round++) {
      playGrpc("grpc/" + round);
      playBus("bus/" + round);
      playHttp("grpc/" + round, nodeId, segmentId);
    }
  }

  private void playHttp(String key, UUID nodeId, UUID segmentId)
      throws InterruptedException, ExecutionException, TimeoutException {
    String object = "/api/v1/objects/" + key.replace("/", "%2F");
    // A connection a round: accepting one is rehearsed, too.
    HttpClient http = httpClient(master.vertx(), net);
    List<String> pages =
        List.of(
            "/metrics",
            "/health/live",
            "/health/ready",
            "/api/v1/openapi.json",
            "/api/v1/openapi.yaml",
            "/api/v1/cluster",
            "/api/v1/clients",
            "/api/v1/clients/" + nodeId,
            "/api/v1/segments",
            "/api/v1/segments/" + segmentId,
            "/api/v1/drain_jobs",
            "/api/v1/drain_jobs/" + nodeId,
            "/api/v1/drain_jobs/" + nodeId + "/events",
            "/api/v1/tasks",
            "/api/v1/objects?limit=5",
            "/api/v1/objects?cursor=-1",
            object,
            object + "/exists",
            "/no/such/page");
    for (String page : pages) {
      awaitEnd(request(http, HttpMethod.GET, page, ""));
    }
    awaitEnd(request(http, HttpMethod.DELETE, object, ""));
    awaitEnd(request(http, HttpMethod.POST, "/api/v1/object-removals", "{\"prefix\":\"grpc/\"}"));
    awaitEnd(request(http, HttpMethod.POST, "/api/v1/object-removals", "no JSON"));
    awaitEnd(request(http, HttpMethod.POST, "/api/v1/drain_jobs", "{}"));
    awaitEnd(
        request(http, HttpMethod.POST, "/api/v1/segments/" + new UUID(9, 9) + "/unmount", "{}"));
    await(http.close());
  }

  /** A drain of that segment begins, and somebody watches it. */
  void playDrain(UUID segmentId) throws InterruptedException, ExecutionException, TimeoutException {
    HttpClient http = httpClient(master.vertx(), net);
    // Patiently: what follows moves nothing unless the drain has begun.
    awaitEnd(
        exchange(
            http.request(HttpMethod.POST, master.ports().http(), HOST, "/api/v1/drain_jobs"),
            "{\"segments\":[\"" + segmentId + "\"]}"));
    awaitEnd(request(http, HttpMethod.GET, "/api/v1/drain_jobs", ""));
    awaitEnd(request(http, HttpMethod.GET, "/api/v1/segments", ""));
    await(http.close());
  }

  private Future<Buffer> request(HttpClient http, HttpMethod method, String path, String body) {
    return exchange(http.request(method, master.ports().http(), HOST, path), body)
        .timeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Sends a request and reads the whole answer.
   *
   * <p>All steps but the first are chained inside of it, on the loop of the connection. Chained one
   * behind the other by this thread, which gives way to all others, a step could come after what it
   * waits for: Vert.x throws away the body of an answer that nobody has asked for yet.
   */
  static Future<Buffer> exchange(Future<HttpClientRequest> opened, String body) {
    return opened.compose(
        request -> {
          Future<HttpClientResponse> answer =
              body.isEmpty()
                  ? request.send()
                  : request.putHeader("Content-Type", "application/json").send(body);
          return answer.compose(response -> response.body());
        });
  }

  /**
   * A client for REST. It has a copy of the options: Vert.x writes the protocols that it will offer
   * in the handshake into those that it is given, and gRPC clients would then offer HTTP/1.1 only.
   */
  static HttpClient httpClient(Vertx vertx, HttpClientOptions net) {
    return vertx.createHttpClient(new HttpClientOptions(net));
  }

  /** A client that asks for HTTP/2 in the handshake when there is one: gRPC knows nothing else. */
  static GrpcClient grpcClient(Vertx vertx, HttpClientOptions net) {
    return GrpcClient.client(vertx, new HttpClientOptions(net).setUseAlpn(net.isSsl()));
  }

  private void playGrpc(String key)
      throws InterruptedException, ExecutionException, TimeoutException {
    GrpcClient grpc = grpcClient(master.vertx(), net);
    SocketAddress address = SocketAddress.inetSocketAddress(master.ports().grpc(), HOST);
    ObjectsGrpcClient objects = ObjectsGrpcClient.create(grpc, address);
    StartRequest start =
        StartRequest.newBuilder().setWriter(WRITER).setKey(key).setSize(100).build();
    long version =
        await(objects.putStart(start).map(started -> started.getVersion()).otherwise(0L));
    awaitEnd(objects.putStart(start));
    awaitEnd(
        objects.end(
            EndRequest.newBuilder().setWriter(WRITER).setKey(key).setVersion(version).build()));
    awaitEnd(objects.upsertStart(start));
    awaitEnd(objects.revoke(RevokeRequest.newBuilder().setWriter(WRITER).setKey(key).build()));
    NamedRequest named = NamedRequest.newBuilder().setKey(key).build();
    awaitEnd(objects.locate(named));
    awaitEnd(objects.exists(named));
    awaitEnd(objects.describe(named));
    awaitEnd(objects.remove(RemoveRequest.newBuilder().setKey(key + "/none").build()));
    awaitEnd(objects.list(ListObjectsRequest.newBuilder().setLimit(5).build()));
    awaitEnd(objects.removeMatching(RemoveMatchingRequest.newBuilder().setPrefix("none").build()));
    playGrpcBatches(objects, key);
    awaitEnd(
        SegmentsGrpcClient.create(grpc, address).list(ListSegmentsRequest.getDefaultInstance()));
    awaitEnd(SegmentsGrpcClient.create(grpc, address).unmount(UnmountRequest.getDefaultInstance()));
    awaitEnd(ClientsGrpcClient.create(grpc, address).list(ListClientsRequest.getDefaultInstance()));
    awaitEnd(ClusterGrpcClient.create(grpc, address).summary(SummaryRequest.getDefaultInstance()));
    DrainsGrpcClient drains = DrainsGrpcClient.create(grpc, address);
    awaitEnd(drains.list(ListDrainsRequest.getDefaultInstance()));
    awaitEnd(drains.create(DrainRequest.getDefaultInstance()));
    awaitEnd(TasksGrpcClient.create(grpc, address).list(ListTasksRequest.getDefaultInstance()));
    // An empty message asks for the health of everything; "*" for the names of all services.
    awaitEnd(raw(grpc, address, "grpc.health.v1", "Health", "Check", Buffer.buffer()));
    awaitEnd(
        raw(
            grpc,
            address,
            "grpc.reflection.v1",
            "ServerReflection",
            "ServerReflectionInfo",
            Buffer.buffer(new byte[] {0x3a, 1, '*'})));
    awaitEnd(grpc.close());
  }

  private static void playGrpcBatches(ObjectsGrpcClient objects, String key)
      throws InterruptedException, ExecutionException, TimeoutException {
    BatchNamedRequest named = BatchNamedRequest.newBuilder().addKeys(key).addKeys("none").build();
    BatchStartRequest start =
        BatchStartRequest.newBuilder().setWriter(WRITER).addKeys(key + "/1").addSizes(100).build();
    awaitEnd(objects.batchPutStart(start));
    awaitEnd(objects.batchUpsertStart(start));
    awaitEnd(
        objects.batchEnd(
            BatchEndRequest.newBuilder()
                .setWriter(WRITER)
                .addKeys(key + "/1")
                .addVersions(1)
                .build()));
    awaitEnd(
        objects.batchRevoke(
            BatchRevokeRequest.newBuilder()
                .setWriter(WRITER)
                .addKeys(key + "/1")
                .addVersions(1)
                .build()));
    awaitEnd(objects.batchLocate(named));
    awaitEnd(objects.batchExists(named));
    awaitEnd(objects.batchDescribe(named));
    awaitEnd(objects.batchRemove(BatchRemoveRequest.newBuilder().addKeys("none").build()));
  }

  private static Future<Void> raw(
      GrpcClient grpc,
      SocketAddress address,
      String packageName,
      String service,
      String method,
      Buffer message) {
    return grpc.request(
            address,
            ServiceMethod.client(
                ServiceName.create(packageName, service),
                method,
                GrpcMessageEncoder.IDENTITY,
                GrpcMessageDecoder.IDENTITY))
        .compose(
            request ->
                request
                    .end(message)
                    .compose(sent -> request.response())
                    .compose(response -> response.end()));
  }

  private void playBus(String key)
      throws InterruptedException, ExecutionException, TimeoutException {
    JsonObject named = new JsonObject().put("key", key);
    JsonObject start = named.copy().put("writer", WRITER).put("size", 100);
    JsonObject started = await(ask(Addresses.PUT_START, start).otherwise(new JsonObject()));
    JsonObject end =
        named.copy().put("writer", WRITER).put("version", started.getString("version", "0"));
    awaitEnd(ask(Addresses.END, end));
    awaitEnd(ask(Addresses.UPSERT_START, start));
    awaitEnd(ask(Addresses.REVOKE, end));
    awaitEnd(ask(Addresses.LOCATE, named));
    awaitEnd(ask(Addresses.EXISTS, named));
    awaitEnd(ask(Addresses.DESCRIBE, named));
    awaitEnd(ask(Addresses.REMOVE, named));
    awaitEnd(ask(Addresses.REMOVE_MATCHING, new JsonObject().put("prefix", "none")));
    for (String address :
        List.of(
            Addresses.LIST_OBJECTS,
            Addresses.LIST_SEGMENTS,
            Addresses.LIST_CLIENTS,
            Addresses.CLUSTER_SUMMARY,
            Addresses.LIST_DRAINS,
            Addresses.CREATE_DRAIN,
            Addresses.LIST_TASKS,
            Addresses.UNMOUNT_SEGMENT)) {
      awaitEnd(ask(address, new JsonObject()));
    }
  }

  private Future<JsonObject> ask(String address, JsonObject body) {
    return master
        .vertx()
        .eventBus()
        .<JsonObject>request(address, body)
        .map(answer -> answer.body());
  }
}
