package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.model.Checksum;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.node.Node;
import io.moonpool.node.NodeConfig;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A master process that is stopped with SIGSTOP for longer than both TTLs and goes on: it declares
 * none of its clients dead, nor suspects one. The system properties {@code moonpool.liveness.full}
 * and {@code moonpool.liveness.keys} make it the real thing.
 */
@Isolated("it measures how long nodes are silent")
@Timeout(600)
class StoppedMasterIT {
  private static final LivenessTimes TIMES = LivenessTimes.FOR_A_LONG_STOP;
  private static final int KEYS = Integer.getInteger("moonpool.liveness.keys", 24_000);
  private static final int CLIENTS = 12;
  private static final int BATCH = 8_000;
  private static final int OBJECT_BYTES = 64;
  private static final int HEAP_MEGABYTES = 256 + (int) (KEYS * 500L >> 20);
  private static final long SEGMENT_BYTES = Math.max(1 << 20, 4L * KEYS * OBJECT_BYTES / CLIENTS);
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final UUID WRITER = new UUID(1, 2);
  private static final String OBSERVED = "moonpool_observed_seconds_total";
  private static final String SUSPECTED = "moonpool_client_transitions_total{to=\"suspected\"}";
  private static final String OFFLINE = "moonpool_client_transitions_total{to=\"offline\"}";

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final List<Node> nodes = new ArrayList<>();
  private ServerProcess master;
  private Map<String, String> ports;
  private FrameClient frames;

  private void start() throws Exception {
    Map<String, String> settings = new LinkedHashMap<>(TIMES.master());
    settings.put("rpc_host", "127.0.0.1");
    settings.put("rehearsal", "false");
    for (String name : List.of("rpc", "grpc", "heartbeat", "http")) {
      settings.put(name + "_port", "0");
    }
    master = ServerProcess.start(FatJar.JAVA, "master", "master", folder, settings, HEAP_MEGABYTES);
    ports = master.awaitReady(LIMIT);
    int rpc = Integer.parseInt(ports.get("rpc"));
    frames = FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", rpc));
    for (int i = 0; i < CLIENTS; i++) {
      nodes.add(
          Await.result(
              Node.start(
                  vertx,
                  NodeConfig.builder()
                      .ephemeral()
                      .masterPort(rpc)
                      .name("node-" + i)
                      .dataDir(folder.resolve("node-" + i).toString())
                      .segmentBytes(List.of(String.valueOf(SEGMENT_BYTES)))
                      .transports(List.of("tcp"))
                      .heartbeatIntervalMillis(TIMES.heartbeatMillis())
                      .build()),
              LIMIT));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (Node node : nodes) {
      Await.result(node.close(), LIMIT);
    }
    Await.result(frames.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    master.close();
  }

  private static KeyBatch keys(int first, int count) {
    List<String> keys = new ArrayList<>(count);
    for (int i = first; i < first + count; i++) {
      keys.add("stopped-master/key-" + i);
    }
    return KeyBatch.of(keys);
  }

  /** Puts objects, as far as the master is concerned: it never sees a byte of a value. */
  private void fill() {
    for (int first = 0; first < KEYS; first += BATCH) {
      KeyBatch keys = keys(first, Math.min(BATCH, KEYS - first));
      long[] sizes = new long[keys.size()];
      Arrays.fill(sizes, OBJECT_BYTES);
      List<Outcome<StartedObject>> started =
          Await.result(
              frames.call(
                  Calls.PUT_START,
                  new StartObjects(WRITER, "", keys, sizes, ReplicateConfig.DEFAULT)),
              LIMIT);
      long[] versions = started.stream().mapToLong(each -> each.get().version()).toArray();
      List<Outcome<Void>> ended =
          Await.result(
              frames.call(
                  Calls.END,
                  new EndObjects(
                      WRITER, "", keys, versions, Collections.nCopies(keys.size(), Checksum.NONE))),
              LIMIT);
      assertThat(ended).allMatch(Outcome::ok);
    }
  }

  private long readable() {
    long found = 0;
    for (int first = 0; first < KEYS; first += BATCH) {
      found +=
          Await.result(
                  frames.call(
                      Calls.EXISTS,
                      new NamedObjects("", keys(first, Math.min(BATCH, KEYS - first)))),
                  LIMIT)
              .stream()
              .filter(Outcome::get)
              .count();
    }
    return found;
  }

  private Map<UUID, Long> incarnations() {
    List<ClientInfo> clients = Await.result(frames.call(Calls.CLIENTS, new ListClients()), LIMIT);
    assertThat(clients).allMatch(each -> each.state() == ClientState.ACTIVE);
    return clients.stream().collect(Collectors.toMap(ClientInfo::nodeId, ClientInfo::incarnation));
  }

  private double metric(String name) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + ports.get("http") + "/metrics");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void declaresNobodyDeadForItsOwnAbsence() throws Exception {
    start();
    fill();
    assertThat(readable()).isEqualTo(KEYS);
    Map<UUID, Long> before = incarnations();
    assertThat(before).hasSize(CLIENTS);
    double observedBefore = metric(OBSERVED);
    long stopped;
    try (PausedProcess ignored = PausedProcess.stop(master.pid())) {
      stopped = System.nanoTime();
      Awaitility.await()
          .atMost(TIMES.longStop().plus(LIMIT))
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> Duration.ofNanos(System.nanoTime() - stopped).compareTo(TIMES.longStop()) >= 0);
      assertThat(nodes).as("they have noticed").noneMatch(Node::isReady);
    }
    double observedAfter = metric(OBSERVED);
    double wentByMillis = (System.nanoTime() - stopped) / 1e6;
    assertThat((observedAfter - observedBefore) * 1_000)
        .as("the time of the stop did not count")
        .isLessThan(wentByMillis - 0.8 * TIMES.longStop().toMillis());
    // Until everybody had time to be suspected, if anybody were.
    Awaitility.await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                (metric(OBSERVED) - observedAfter) * 1_000 > TIMES.activeMillis() + 500
                    && nodes.stream().allMatch(Node::isReady));
    assertThat(incarnations()).isEqualTo(before);
    assertThat(metric(SUSPECTED)).isZero();
    assertThat(metric(OFFLINE)).isZero();
    assertThat(readable()).isEqualTo(KEYS);
    System.out.printf(
        "master stopped for %d ms: %d clients ACTIVE, %.0f SUSPECTED, %.0f OFFLINE, %d keys%n",
        TIMES.longStop().toMillis(), before.size(), metric(SUSPECTED), metric(OFFLINE), KEYS);
  }
}
