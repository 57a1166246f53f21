package io.moonpool.app.packaged;

import static io.moonpool.app.packaged.DiskServers.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.blocking.Await;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A client process that is stopped with SIGSTOP and goes on: after more than the active TTL nothing
 * is lost, after more than both it comes back by itself with what is on its disk.
 */
@Isolated("it measures how long nodes are silent")
@Timeout(300)
class StoppedClientIT {
  private static final int OBJECTS = 20;
  private static final int BYTES = 100_000;

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final Map<Integer, UUID> nodeIds = new HashMap<>();
  private DiskServers servers;
  private MoonpoolClient client;
  private FrameClient frames;

  private void start(LivenessTimes times) throws Exception {
    servers =
        new DiskServers(
            folder,
            "32MiB",
            times.master(),
            Map.of("heartbeat_interval_ms", String.valueOf(times.heartbeatMillis())));
    servers.startMaster();
    frames = FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", servers.port()));
    startNode(0, true);
    startNode(1, true);
    startNode(2, false);
    client = servers.connect(vertx);
  }

  private void startNode(int number, boolean withDisk) throws Exception {
    Set<UUID> before = clients().stream().map(ClientInfo::nodeId).collect(Collectors.toSet());
    if (withDisk) {
      servers.startNode(number);
    } else {
      servers.startMemoryNode(number);
    }
    clients().stream()
        .map(ClientInfo::nodeId)
        .filter(id -> !before.contains(id))
        .forEach(id -> nodeIds.put(number, id));
  }

  @AfterEach
  void stop() throws Exception {
    Await.result(client.close(), LIMIT);
    Await.result(frames.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    servers.close();
  }

  private List<ClientInfo> clients() throws Exception {
    return Await.result(frames.call(Calls.CLIENTS, new ListClients()), LIMIT);
  }

  private Optional<ClientInfo> info(int node) throws Exception {
    return clients().stream().filter(each -> each.nodeId().equals(nodeIds.get(node))).findFirst();
  }

  private ClientState state(int node) throws Exception {
    return info(node).map(ClientInfo::state).orElse(ClientState.OFFLINE);
  }

  private static ConditionFactory soon() {
    return Awaitility.await().atMost(LIMIT).pollInterval(Duration.ofMillis(20));
  }

  private static String key(int node, int number) {
    return "node-" + node + "/object-" + number;
  }

  private static byte[] value(String key) {
    byte[] value = new byte[BYTES];
    new SplittableRandom(key.hashCode()).nextBytes(value);
    return value;
  }

  /** Puts objects on the memory of one node, and waits until they are on its disk if it has one. */
  private void put(int node, boolean withDisk) throws Exception {
    ReplicateConfig there =
        new ReplicateConfig(
            1,
            ReplicateConfig.DEFAULT.softPinAction(),
            ReplicateConfig.DEFAULT.softPinTtlMillis(),
            false,
            List.of("node-" + node + "-0"),
            false,
            ReplicateConfig.DEFAULT.dataType(),
            "",
            List.of());
    for (int i = 0; i < OBJECTS; i++) {
      String key = key(node, i);
      Await.result(client.put(key, value(key), WriteOptions.of(there)), LIMIT);
    }
    Set<ReplicaType> wanted =
        withDisk ? Set.of(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK) : Set.of(ReplicaType.MEMORY);
    soon().until(() -> replicasOf(node).values().stream().allMatch(wanted::equals));
    assertThat(replicasOf(node)).hasSize(OBJECTS);
  }

  /** The kinds of replicas that the objects of a node have. */
  private Map<String, Set<ReplicaType>> replicasOf(int node) throws Exception {
    Map<String, Set<ReplicaType>> found = new HashMap<>();
    var pages = client.list("^node-" + node + "/", 10_000);
    for (List<ObjectInfo> page = Await.result(pages.nextPage(), LIMIT);
        !page.isEmpty();
        page = Await.result(pages.nextPage(), LIMIT)) {
      for (ObjectInfo object : page) {
        found.put(
            object.key(),
            object.replicas().stream().map(each -> each.type()).collect(Collectors.toSet()));
      }
    }
    return found;
  }

  private List<String> readable(int node) throws Exception {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      if (Await.result(client.exists(key(node, i)), LIMIT)) {
        keys.add(key(node, i));
      }
    }
    return keys;
  }

  private void assertWhole(int node) throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      String key = key(node, i);
      assertThat(Await.result(client.getBytes(key), LIMIT)).as(key).isEqualTo(value(key));
    }
  }

  private static void holdFor(Duration time) {
    Awaitility.await().atMost(time.plus(LIMIT)).pollDelay(time).until(() -> true);
  }

  @Test
  void longerThanTheActiveTtlItIsSuspectedAndComesBackWithAllItHad() throws Exception {
    LivenessTimes times = LivenessTimes.FOR_A_SHORT_STOP;
    start(times);
    put(0, true);
    put(1, true);
    ClientInfo before = info(0).orElseThrow();
    Map<String, Set<ReplicaType>> replicas = replicasOf(0);
    try (PausedProcess ignored = PausedProcess.stop(servers.nodePid(0))) {
      long stopped = System.nanoTime();
      soon().until(() -> state(0) == ClientState.SUSPECTED);
      // The last ping was sent up to an interval before, and all of this takes time.
      assertThat(Duration.ofNanos(System.nanoTime() - stopped).toMillis())
          .isGreaterThan(times.activeMillis() - times.heartbeatMillis() - 300);
      soon().until(() -> readable(0).isEmpty());
      assertThat(readable(1)).hasSize(OBJECTS);
      assertThat(replicasOf(0)).as("hidden, not freed").isEqualTo(replicas);
      Duration left = times.shortStop().minusNanos(System.nanoTime() - stopped);
      if (left.isPositive()) {
        holdFor(left);
      }
      assertThat(state(0)).isEqualTo(ClientState.SUSPECTED);
    }
    soon().until(() -> state(0) == ClientState.ACTIVE);
    assertThat(info(0).orElseThrow().incarnation()).isEqualTo(before.incarnation());
    assertThat(replicasOf(0)).isEqualTo(replicas);
    assertWhole(0);
    assertWhole(1);
    assertThat(Files.readString(servers.nodeLog(0))).doesNotContain("mounting again");
  }

  @Test
  void longerThanBothTtlsItIsOfflineAndMountsAgainByItself() throws Exception {
    LivenessTimes times = LivenessTimes.FOR_A_LONG_STOP;
    start(times);
    put(0, true);
    put(1, true);
    put(2, false);
    Map<String, Set<ReplicaType>> untouched = replicasOf(1);
    long before = info(0).orElseThrow().incarnation();
    long incarnationOfOther = info(1).orElseThrow().incarnation();
    long stopped = System.nanoTime();
    try (PausedProcess withDisk = PausedProcess.stop(servers.nodePid(0));
        PausedProcess withoutDisk = PausedProcess.stop(servers.nodePid(2))) {
      soon().until(() -> state(0) == ClientState.OFFLINE && state(2) == ClientState.OFFLINE);
      assertThat(Duration.ofNanos(System.nanoTime() - stopped).toMillis())
          .isGreaterThan(
              times.activeMillis() + times.suspicionMillis() - times.heartbeatMillis() - 300);
      Duration left = times.longStop().minusNanos(System.nanoTime() - stopped);
      if (left.isPositive()) {
        holdFor(left);
      }
      assertThat(readable(0)).isEmpty();
      assertThat(readable(2)).isEmpty();
      assertThat(readable(1)).hasSize(OBJECTS);
      assertThat(replicasOf(1)).isEqualTo(untouched);
    }
    soon().until(() -> state(0) == ClientState.ACTIVE && state(2) == ClientState.ACTIVE);
    assertThat(info(0).orElseThrow().incarnation()).isNotEqualTo(before);
    soon().until(() -> readable(0).size() == OBJECTS);
    assertThat(replicasOf(0).values())
        .as("its disk objects are back, its memory objects are gone")
        .allMatch(Set.of(ReplicaType.LOCAL_DISK)::equals)
        .hasSize(OBJECTS);
    assertThat(replicasOf(2)).as("what was in memory only is gone").isEmpty();
    assertWhole(0);
    assertThat(replicasOf(1)).isEqualTo(untouched);
    assertThat(info(1).orElseThrow().incarnation()).isEqualTo(incarnationOfOther);
    assertWhole(1);
    // All of it takes new objects again.
    put(2, false);
    assertWhole(2);
  }
}
