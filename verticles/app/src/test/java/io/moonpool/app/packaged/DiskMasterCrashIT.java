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
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the master, and then everything, right after a tenth of the objects was removed: the others
 * are back within seconds without anybody's help, and none of the removed ones is. The number of
 * objects is the system property {@code moonpool.crash.objects}.
 */
@Timeout(900)
class DiskMasterCrashIT {
  private static final int OBJECTS = Integer.getInteger("moonpool.crash.objects", 3_000);
  private static final int BATCH = 1_000;
  private static final int NODES = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** How long after the master is there again all objects may take to be. */
  private static final Duration BACK_WITHIN =
      Duration.ofSeconds(Integer.getInteger("moonpool.crash.seconds", 60));

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private DiskServers servers;
  private MoonpoolClient client;

  @AfterEach
  void stop() throws Exception {
    Await.result(client.close(), LIMIT);
    Await.result(vertx.close(), LIMIT);
    servers.close();
  }

  private static String key(int number) {
    return "object-" + number;
  }

  private static byte[] value(int number) {
    return ("value of " + number + ";").repeat(1 + number % 50).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theOthersAreBackAndTheRemovedOnesAreNot() throws Exception {
    servers = new DiskServers(folder, "128MiB");
    servers.startMaster();
    for (int i = 0; i < NODES; i++) {
      servers.startNode(i);
    }
    client = servers.connect(vertx);
    put();
    awaitAllOnDisk();

    remove(0, OBJECTS / 10);
    servers.killMaster();
    servers.startMaster();
    compare(OBJECTS / 10, "after the master was killed");

    remove(OBJECTS / 10, OBJECTS / 5);
    servers.killMaster();
    servers.killNodes();
    servers.startMaster();
    servers.startNodesAgain();
    compare(OBJECTS / 5, "after everything was killed");
  }

  private void put() throws Exception {
    for (int first = 0; first < OBJECTS; first += BATCH) {
      List<String> keys = new ArrayList<>();
      List<byte[]> values = new ArrayList<>();
      for (int i = first; i < Math.min(OBJECTS, first + BATCH); i++) {
        keys.add(key(i));
        values.add(value(i));
      }
      assertThat(
              Await.result(
                  client.putBatch(
                      keys, values.stream().map(Buffer::buffer).toList(), WriteOptions.DEFAULT),
                  LIMIT))
          .allMatch(Outcome::ok);
    }
  }

  private void awaitAllOnDisk() {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(onDisk()).isEqualTo(OBJECTS));
  }

  private int onDisk() throws Exception {
    int onDisk = 0;
    var pages = client.list("", 10_000);
    for (List<ObjectInfo> page = Await.result(pages.nextPage(), LIMIT);
        !page.isEmpty();
        page = Await.result(pages.nextPage(), LIMIT)) {
      for (ObjectInfo object : page) {
        onDisk +=
            object.replicas().stream().anyMatch(each -> each.type() == ReplicaType.LOCAL_DISK)
                ? 1
                : 0;
      }
    }
    return onDisk;
  }

  private void remove(int from, int to) throws Exception {
    List<String> keys = new ArrayList<>();
    for (int i = from; i < to; i++) {
      keys.add(key(i));
    }
    assertThat(Await.result(client.removeBatch(keys, true), LIMIT)).allMatch(Outcome::ok);
  }

  private void compare(int removed, String when) throws Exception {
    long startedNanos = System.nanoTime();
    Awaitility.await()
        .atMost(BACK_WITHIN)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .until(() -> onDisk() == OBJECTS - removed);
    System.out.printf(
        "%d objects were back %.1f s %s%n",
        OBJECTS - removed, (System.nanoTime() - startedNanos) / 1e9, when);
    for (int first = 0; first < OBJECTS; first += BATCH) {
      List<String> keys = new ArrayList<>();
      for (int i = first; i < Math.min(OBJECTS, first + BATCH); i++) {
        keys.add(key(i));
      }
      List<Outcome<Buffer>> found = Await.result(client.getBatch(keys), LIMIT);
      for (int i = 0; i < found.size(); i++) {
        int number = first + i;
        if (number < removed) {
          assertThat(found.get(i).ok()).as(key(number) + " was removed, " + when).isFalse();
        } else {
          assertThat(found.get(i).get().getBytes())
              .as(key(number) + " " + when)
              .isEqualTo(value(number));
        }
      }
    }
  }
}
