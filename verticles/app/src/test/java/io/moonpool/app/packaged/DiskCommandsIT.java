package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.packaged.FatJar.Result;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged commands for disks, over a cluster with two of them. */
@Timeout(300)
class DiskCommandsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int VALUE_BYTES = 300_000;

  @TempDir Path folder;

  private Result client(LocalCluster cluster, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("client"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--output", "json", "--master", "127.0.0.1:" + cluster.masterPort()));
    return FatJar.run(folder, command.toArray(String[]::new));
  }

  private static List<JsonObject> lines(Result result) {
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result.out().lines().map(JsonObject::new).toList();
  }

  private static long sum(List<JsonObject> disks, String member) {
    return disks.stream().mapToLong(disk -> disk.getLong(member)).sum();
  }

  @Test
  void disksAreListedAndCollected() throws Exception {
    Path file = Files.write(folder.resolve("value"), new byte[VALUE_BYTES]);
    LocalCluster cluster =
        LocalCluster.start(
            FatJar.JAVA,
            folder,
            2,
            new LocalCluster.Lent(32L << 20, folder.resolve("ssd"), 1L << 30));
    try {
      assertThat(lines(client(cluster, "segments")))
          .extracting(segment -> segment.getString("name") + " " + segment.getString("kind"))
          .containsExactlyInAnyOrder(
              "node-1-0 memory", "node-1-disk local_disk",
              "node-2-0 memory", "node-2-disk local_disk");
      assertThat(client(cluster, "put", file.toString(), "--key", "k").exitCode()).isZero();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(sum(lines(client(cluster, "disk", "ls")), "objects")).isEqualTo(1));
      List<JsonObject> full = lines(client(cluster, "disk", "ls"));
      assertThat(full).hasSize(2).allMatch(disk -> disk.getLong("quota_bytes") == 1L << 30);
      assertThat(sum(full, "used_bytes")).isGreaterThan(VALUE_BYTES);

      assertThat(client(cluster, "rm", "k", "--force").exitCode()).isZero();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(sum(lines(client(cluster, "disk", "ls")), "objects")).isZero());
      List<JsonObject> collected = lines(client(cluster, "disk", "gc"));
      assertThat(collected).extracting(disk -> disk.getString("name")).hasSize(2);
      assertThat(sum(collected, "freed_bytes")).isGreaterThan(VALUE_BYTES);
      List<JsonObject> one = lines(client(cluster, "disk", "stat", "node-2-disk"));
      assertThat(one).hasSize(1);
      assertThat(one.getFirst().getJsonObject("collection").getBoolean("running")).isFalse();

      Result unknown = client(cluster, "disk", "gc", "nowhere");
      assertThat(unknown.exitCode()).isEqualTo(4);
      assertThat(unknown.err()).contains("no disk is called nowhere", "node-1-disk");

      Result wrong = client(cluster, "disk", "gc", "--dead-ratio", "7");
      assertThat(wrong.exitCode()).isEqualTo(1);
      assertThat(wrong.err()).contains("INVALID_PARAMS", "dead_ratio");
    } finally {
      cluster.stop();
    }
  }
}
