package io.moonpool.app.packaged;

import static io.moonpool.app.packaged.DiskServers.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.blocking.Await;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a node with SIGKILL while it offloads, starts it again, and compares: what the master had
 * taken note of is there and equal, what it had not may be missing, nothing is wrong. The number of
 * rounds is the system property {@code moonpool.crash.rounds}.
 */
@Timeout(1_800)
class DiskCrashIT {
  private static final int ROUNDS = Integer.getInteger("moonpool.crash.rounds", 3);
  private static final long SEED = Long.getLong("moonpool.crash.seed", System.nanoTime());
  private static final int OBJECTS_A_ROUND = 60;
  private static final int MAX_BYTES = 512 << 10;

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final SplittableRandom random = new SplittableRandom(SEED);

  /** The seed of each object's bytes. */
  private final Map<String, Long> written = new HashMap<>();

  /** Objects that the master knew to be on disk, until they are removed. */
  private final Map<String, Long> acknowledged = new TreeMap<>();

  private final List<String> removed = new ArrayList<>();
  private DiskServers servers;
  private MoonpoolClient client;

  @AfterEach
  void stop() throws Exception {
    Await.result(client.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    servers.close();
  }

  private static byte[] value(long seed) {
    SplittableRandom bytes = new SplittableRandom(seed);
    byte[] value = new byte[1 + bytes.nextInt(MAX_BYTES)];
    bytes.nextBytes(value);
    return value;
  }

  @Test
  void whatWasAcknowledgedIsThereAfterEveryKill() throws Exception {
    servers = new DiskServers(folder, "128MiB");
    servers.startMaster();
    servers.startNode(0);
    client = servers.connect(vertx);
    for (int round = 0; round < ROUNDS; round++) {
      write(round);
      servers.killNode(0);
      servers.startNode(0);
      compare("round " + round + " of seed " + SEED);
    }
  }

  /** Writes and removes until a random moment. */
  private void write(int round) throws Exception {
    int stopAfter = 5 + random.nextInt(OBJECTS_A_ROUND);
    for (int i = 0; i < stopAfter; i++) {
      String key = "object-" + round + "-" + i;
      long seed = random.nextLong();
      Await.result(client.put(key, value(seed), WriteOptions.DEFAULT), LIMIT);
      written.put(key, seed);
      if (i % 8 == 0) {
        acknowledge();
      }
      if (i % 16 == 15 && !acknowledged.isEmpty()) {
        String victim = acknowledged.keySet().iterator().next();
        Await.result(client.remove(victim, true), LIMIT);
        acknowledged.remove(victim);
        removed.add(victim);
      }
    }
    acknowledge();
  }

  private void acknowledge() throws Exception {
    var pages = client.list("", 10_000);
    for (List<ObjectInfo> page = Await.result(pages.nextPage(), LIMIT);
        !page.isEmpty();
        page = Await.result(pages.nextPage(), LIMIT)) {
      for (ObjectInfo object : page) {
        if (object.replicas().stream().anyMatch(each -> each.type() == ReplicaType.LOCAL_DISK)) {
          acknowledged.put(object.key(), written.get(object.key()));
        }
      }
    }
  }

  private void compare(String when) throws Exception {
    Awaitility.await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              for (String key : acknowledged.keySet()) {
                assertThat(Await.result(client.exists(key), LIMIT)).as(key + ", " + when).isTrue();
              }
            });
    for (Map.Entry<String, Long> object : written.entrySet()) {
      String key = object.getKey();
      byte[] found = find(key);
      if (removed.contains(key)) {
        assertThat(found).as(key + " was removed, " + when).isNull();
      } else if (acknowledged.containsKey(key) || found != null) {
        assertThat(found).as(key + ", " + when).isEqualTo(value(object.getValue()));
      }
    }
  }

  private byte[] find(String key) throws Exception {
    try {
      return Await.result(client.getBytes(key), LIMIT);
    } catch (StoreException e) {
      if (e.code() == ErrorCode.OBJECT_NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }
}
