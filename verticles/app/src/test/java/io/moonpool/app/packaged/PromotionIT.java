package io.moonpool.app.packaged;

import static io.moonpool.app.packaged.DiskServers.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.blocking.Await;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects that are on disk only, since their node was killed, come back into memory when they are
 * read; also when the node is killed again in the midst of that. Real processes, real files.
 */
@Timeout(600)
class PromotionIT {
  private static final int OBJECTS = 40;
  private static final int MAX_BYTES = 3 << 20;

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
    SplittableRandom bytes = new SplittableRandom(number);
    byte[] value = new byte[1 + bytes.nextInt(MAX_BYTES)];
    bytes.nextBytes(value);
    return value;
  }

  private List<ReplicaDescriptor> replicas(int number) {
    return Await.result(client.describe(key(number)), LIMIT).replicas();
  }

  private boolean has(int number, ReplicaType type) {
    return replicas(number).stream()
        .anyMatch(each -> each.type() == type && each.status() == ReplicaStatus.COMPLETE);
  }

  private void awaitAll(ReplicaType type) {
    Awaitility.await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              for (int i = 0; i < OBJECTS; i++) {
                assertThat(has(i, type)).as(key(i)).isTrue();
              }
            });
  }

  private void killAndStartAgain() throws Exception {
    servers.killNode(0);
    servers.startNode(0);
    Awaitility.await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              for (int i = 0; i < OBJECTS; i++) {
                assertThat(Await.result(client.exists(key(i)), LIMIT)).as(key(i)).isTrue();
              }
            });
  }

  private void readAllTwice() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < OBJECTS; i++) {
        assertThat(Await.result(client.getBytes(key(i)), LIMIT)).as(key(i)).isEqualTo(value(i));
      }
    }
  }

  private long metric(String name) throws Exception {
    Matcher matcher =
        Pattern.compile("(?m)^moonpool_" + name + " ([0-9.E+]+)$").matcher(servers.metrics());
    assertThat(matcher.find()).as(name).isTrue();
    return (long) Double.parseDouble(matcher.group(1));
  }

  @Test
  void whatIsReadIsInMemoryAgain() throws Exception {
    servers =
        new DiskServers(
            folder, "256MiB", Map.of("promotion_on_hit", "true", "write_grant_ms", "3000"));
    servers.startMaster();
    servers.startNode(0);
    client = servers.connect(vertx);
    for (int i = 0; i < OBJECTS; i++) {
      Await.result(client.put(key(i), value(i), WriteOptions.DEFAULT), LIMIT);
    }
    awaitAll(ReplicaType.LOCAL_DISK);

    killAndStartAgain();
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(has(i, ReplicaType.MEMORY)).as(key(i)).isFalse();
    }
    readAllTwice();
    killAndStartAgain();
    readAllTwice();
    awaitAll(ReplicaType.MEMORY);
    awaitAll(ReplicaType.LOCAL_DISK);
    readAllTwice();

    assertThat(metric("promotions_completed_total")).isGreaterThanOrEqualTo(OBJECTS);
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(metric("promotions_open")).isZero();
              assertThat(metric("promotions_waiting")).isZero();
              assertThat(metric("promotions_admitted_total"))
                  .isEqualTo(
                      metric("promotions_completed_total")
                          + metric("promotions_failed_total")
                          + metric("promotions_expired_total")
                          + metric("promotions_cancelled_total"));
            });
  }
}
