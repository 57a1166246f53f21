package io.moonpool.app.packaged;

import static io.moonpool.app.packaged.DiskServers.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.blocking.Await;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaType;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects are removed by pattern while the node whose disk has some of them is dead: they do not
 * come back with it, not after the master was killed too, and what was written later does.
 */
@Timeout(300)
class DiskPatternRemovalIT {
  private static final int OBJECTS = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();

  /** The values that must be there. */
  private final Map<String, String> expected = new TreeMap<>();

  private DiskServers servers;
  private MoonpoolClient client;

  @AfterEach
  void stop() throws Exception {
    Await.result(client.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    servers.close();
  }

  @Test
  void whatWasRemovedByPatternStaysAwayWhenItsDiskComesBack() throws Exception {
    servers = new DiskServers(folder, "32MiB", Map.of("lease_ttl_ms", "10000"));
    servers.startMaster();
    servers.startNode(0);
    servers.startNode(1);
    client = servers.connect(vertx);
    for (int i = 0; i < OBJECTS; i++) {
      put("a/" + i, "first");
      put("b/" + i, "first");
    }
    awaitAllOnDisk();

    servers.killNode(0);
    Awaitility.await().atMost(PATIENCE).until(() -> onDisk().size() < expected.size());
    long removed = Await.result(client.removeMatching("^a/", true), LIMIT);
    assertThat(removed).as("node 0 has some of them, and is away").isBetween(1L, OBJECTS - 1L);
    expected.keySet().removeIf(key -> key.startsWith("a/"));
    for (int i = 0; i < OBJECTS; i += 2) {
      put("a/" + i, "second");
    }
    // What is in memory only goes with the master that knows it.
    Set<String> written = new TreeSet<>(expected.keySet());
    written.removeIf(key -> !key.startsWith("a/"));
    Awaitility.await().atMost(PATIENCE).until(() -> onDisk().containsAll(written));
    servers.killMaster();
    servers.startMaster();
    servers.startNode(0);
    check("after the master was killed and the node is back");

    servers.killMaster();
    servers.killNodes();
    servers.startMaster();
    servers.startNodesAgain();
    check("after everything was killed");
  }

  private void put(String key, String text) {
    Buffer value = Buffer.buffer(key + " " + text);
    Outcome<Void> put =
        Await.result(client.putBatch(List.of(key), List.of(value), WriteOptions.DEFAULT), LIMIT)
            .getFirst();
    assertThat(put.ok()).as(key).isTrue();
    expected.put(key, value.toString());
  }

  private void awaitAllOnDisk() {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(onDisk()).isEqualTo(expected.keySet()));
  }

  private Set<String> onDisk() throws Exception {
    Set<String> keys = new TreeSet<>();
    var pages = client.list("", 10_000);
    for (List<ObjectInfo> page = Await.result(pages.nextPage(), LIMIT);
        !page.isEmpty();
        page = Await.result(pages.nextPage(), LIMIT)) {
      page.stream()
          .filter(
              object ->
                  object.replicas().stream()
                      .anyMatch(each -> each.type() == ReplicaType.LOCAL_DISK))
          .forEach(object -> keys.add(object.key()));
    }
    return keys;
  }

  /** All that must be there is, with its last value, and nothing else. */
  private void check(String when) throws Exception {
    awaitAllOnDisk();
    List<String> keys = List.copyOf(expected.keySet());
    List<Outcome<Buffer>> found = Await.result(client.getBatch(keys), LIMIT);
    for (int i = 0; i < keys.size(); i++) {
      assertThat(found.get(i).get().toString(StandardCharsets.UTF_8))
          .as(keys.get(i) + " " + when)
          .isEqualTo(expected.get(keys.get(i)));
    }
    for (int i = 1; i < OBJECTS; i += 2) {
      assertThat(Await.result(client.exists("a/" + i), LIMIT)).as("a/" + i + " " + when).isFalse();
    }
  }
}
