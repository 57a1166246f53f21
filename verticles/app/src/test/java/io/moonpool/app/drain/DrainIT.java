package io.moonpool.app.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.app.packaged.FatJar;
import io.moonpool.app.packaged.FreePorts;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Drains during which a process is killed with SIGKILL: they end, and every object that was on a
 * disk is there and equal afterwards.
 */
@Timeout(600)
class DrainIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int OBJECTS = 40;
  private static final int BYTES = 250_000;
  private static final long SLOWLY = 2L << 20;

  @TempDir private Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, ServerProcess> nodes = new LinkedHashMap<>();
  private final Map<String, String> ids = new LinkedHashMap<>();
  private Map<String, String> settings;
  private ServerProcess master;
  private MasterRest rest;
  private DrainJobs drains;
  private MoonpoolClient client;

  @BeforeEach
  void start() throws Exception {
    settings = new LinkedHashMap<>();
    settings.put("rpc_host", "127.0.0.1");
    settings.put("data_dir", "master");
    settings.put("client_active_ttl_ms", "1000");
    settings.put("client_suspicion_ttl_ms", "1000");
    settings.put("lease_ttl_ms", "500");
    settings.put("rehearsal", "false");
    settings.put("metadata_loops", "2");
    for (String name : List.of("rpc", "grpc", "heartbeat", "http")) {
      settings.put(name + "_port", String.valueOf(FreePorts.any()));
    }
    startMaster();
    rest = MasterRest.open("127.0.0.1:" + settings.get("http_port"), "", "");
    drains = new DrainJobs(rest);
    startNode("source");
    client =
        Await.result(
            MoonpoolClient.connect(
                vertx,
                ClientOptions.of("127.0.0.1", Integer.parseInt(settings.get("rpc_port")))
                    .but()
                    .transports(List.of("tcp"))
                    .build()),
            LIMIT);
    for (int i = 0; i < OBJECTS; i++) {
      Await.result(client.put(key(i), Pattern.value(i, BYTES), WriteOptions.DEFAULT), LIMIT);
    }
    Awaitility.await()
        .atMost(LIMIT)
        .until(() -> keys(places -> places.contains("source-disk")) == OBJECTS);
    startNode("target");
  }

  @AfterEach
  void stop() throws Exception {
    Await.result(client.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    nodes.values().forEach(ServerProcess::close);
    for (ServerProcess node : nodes.values()) {
      node.awaitStopped(LIMIT);
    }
    kill(master);
    rest.close();
  }

  private static String key(int number) {
    return "key-" + number;
  }

  private void startNode(String name) throws Exception {
    Map<String, String> some = new LinkedHashMap<>();
    some.put("master_host", "127.0.0.1");
    some.put("master_port", settings.get("rpc_port"));
    some.put("name", name);
    some.put("data_dir", name);
    some.put("disk_dir", name + "-files");
    some.put("disk_bucket_linger_ms", "10");
    some.put("disk_staging_bytes", "32MiB");
    some.put("segment_bytes", "64MiB");
    some.put("data_port", "0");
    some.put("http_port", "0");
    some.put("heartbeat_interval_ms", "100");
    ServerProcess node = ServerProcess.start(FatJar.JAVA, "node", name, folder, some, 256);
    nodes.put(name, node);
    ids.put(name, node.awaitReady(LIMIT).get("id"));
  }

  private void startMaster() throws Exception {
    master = ServerProcess.start(FatJar.JAVA, "master", "master", folder, settings, 256);
    master.awaitReady(LIMIT);
  }

  private void kill(String name) throws Exception {
    kill(nodes.get(name));
  }

  private static void kill(ServerProcess process) throws Exception {
    process.close();
    process.awaitStopped(LIMIT);
  }

  /** Where the complete replicas of an object are; empty when it is not known. */
  private List<String> places(String key) {
    Map<Long, String> names =
        Await.result(client.segments(), LIMIT).stream()
            .collect(Collectors.toMap(SegmentInfo::generation, each -> each.spec().name()));
    try {
      return Await.result(client.describe(key), LIMIT).replicas().stream()
          .filter(replica -> replica.status() == ReplicaStatus.COMPLETE)
          .map(replica -> names.getOrDefault(replica.generation(), "?"))
          .toList();
    } catch (StoreException e) {
      if (e.code() == ErrorCode.OBJECT_NOT_FOUND) {
        return List.of();
      }
      throw e;
    }
  }

  private int keys(Predicate<List<String>> where) {
    int count = 0;
    for (int i = 0; i < OBJECTS; i++) {
      count += where.test(places(key(i))) ? 1 : 0;
    }
    return count;
  }

  private static boolean isOn(List<String> places, String node) {
    return places.stream().anyMatch(place -> place.startsWith(node + "-"));
  }

  /** Starts to drain the source. */
  private String drain(long maxBytesPerSecond) {
    return drains
        .create(
            new JsonObject()
                .put("node", ids.get("source"))
                .put("max_bytes_per_second", maxBytesPerSecond))
        .getString("job_id");
  }

  private static boolean isOnADisk(List<String> places) {
    return places.stream().anyMatch(place -> place.endsWith("-disk"));
  }

  private String drainAndWaitForTheMiddle() throws Exception {
    String job = drain(SLOWLY);
    awaitJob(job, state -> state.getLong("succeeded_units") >= 5);
    return job;
  }

  private JsonObject awaitJob(String id, Predicate<JsonObject> condition) {
    List<JsonObject> seen = new ArrayList<>();
    try {
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                seen.add(drains.job(id));
                return condition.test(seen.getLast());
              });
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError("the job is still " + seen.getLast(), e);
    }
    return seen.getLast();
  }

  private void assertStatus(String node, SegmentStatus status) {
    assertThat(Await.result(client.segments(), LIMIT))
        .filteredOn(segment -> segment.spec().name().startsWith(node + "-"))
        .hasSize(2)
        .extracting(SegmentInfo::status)
        .containsOnly(status);
  }

  private void assertAllEqual() {
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(Await.result(client.getBytes(key(i)), LIMIT))
          .as(key(i))
          .isEqualTo(Pattern.value(i, BYTES));
    }
  }

  @Test
  void aTargetIsKilledAndAnotherOneTakesTheRest() throws Exception {
    startNode("spare");
    String id = drainAndWaitForTheMiddle();

    kill("target");

    JsonObject job = awaitJob(id, DrainJobs::hasEnded);
    assertThat(job.getString("status")).as(job.getString("message")).isEqualTo("succeeded");
    assertThat(job.getLong("failed_units")).isZero();
    assertThat(job.getLong("succeeded_units"))
        .as("what moved twice counts once")
        .isEqualTo(OBJECTS);
    assertStatus("source", SegmentStatus.DRAINED);
    assertThat(keys(places -> isOn(places, "source"))).isZero();
    kill("source");
    startNode("target");
    Awaitility.await().atMost(LIMIT).until(() -> keys(DrainIT::isOnADisk) == OBJECTS);
    assertAllEqual();
  }

  @Test
  void aSourceIsKilledAndDrainedWhenItIsBack() throws Exception {
    String id = drainAndWaitForTheMiddle();

    kill("source");

    JsonObject job = awaitJob(id, DrainJobs::hasEnded);
    assertThat(job.getString("status")).as(job.getString("message")).isEqualTo("failed");
    assertThat(job.getLong("lost_units")).as("units of %s", job).isPositive();
    // What was under way is counted when its task has ended, a moment later.
    awaitJob(
        id,
        all ->
            all.getLong("succeeded_units") + all.getLong("lost_units") + all.getLong("failed_units")
                == OBJECTS);
    startNode("source");
    Awaitility.await().atMost(LIMIT).until(() -> keys(List::isEmpty) == 0);
    // Its memory is new and empty; its disk is the one that was to be drained.
    assertThat(Await.result(client.segments(), LIMIT))
        .filteredOn(segment -> segment.spec().name().equals("source-disk"))
        .extracting(SegmentInfo::status)
        .containsExactly(SegmentStatus.DRAINING);
    assertAllEqual();

    JsonObject second = awaitJob(drain(0), DrainJobs::hasEnded);
    assertThat(second.getString("status")).as(second.getString("message")).isEqualTo("succeeded");
    assertStatus("source", SegmentStatus.DRAINED);
    assertThat(keys(places -> isOn(places, "source"))).isZero();
    kill("source");
    assertAllEqual();
  }

  @Test
  void theMasterIsKilledAndTheJobGoesOnWhenItIsBack() throws Exception {
    String id = drainAndWaitForTheMiddle();

    kill(master);
    startMaster();

    JsonObject job = awaitJob(id, DrainJobs::hasEnded);
    assertThat(job.getString("status")).as(job.getString("message")).isEqualTo("succeeded");
    assertThat(job.getLong("failed_units")).isZero();
    assertStatus("source", SegmentStatus.DRAINED);
    assertThat(keys(places -> isOn(places, "source"))).isZero();
    assertThat(keys(DrainIT::isOnADisk)).isEqualTo(OBJECTS);
    kill("source");
    assertAllEqual();
  }
}
