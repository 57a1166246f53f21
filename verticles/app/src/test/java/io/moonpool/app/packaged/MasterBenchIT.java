package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The load test of the master, small. What it counts must be right on any machine. */
@Timeout(240)
class MasterBenchIT {
  @TempDir Path folder;

  private record Run(JsonObject figures, String out) {
    Map<String, JsonObject> rows() {
      Map<String, JsonObject> rows = new LinkedHashMap<>();
      JsonArray all = figures.getJsonArray("rows");
      for (int i = 0; i < all.size(); i++) {
        rows.put(all.getJsonObject(i).getString("name"), all.getJsonObject(i));
      }
      return rows;
    }
  }

  private Run run(String... more) throws IOException, InterruptedException {
    Path json = folder.resolve("figures.json");
    List<String> line =
        new ArrayList<>(
            List.of(
                "bench",
                "master",
                "--cold",
                "--seconds=1",
                "--json=" + json,
                "--html=" + folder.resolve("page.html")));
    line.addAll(List.of(more));
    FatJar.Result result = FatJar.run(folder, line.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    return new Run(new JsonObject(Files.readString(json)), result.out());
  }

  @Test
  void measuresCallsOfBothProtocols() throws IOException, InterruptedException {
    Path reference = folder.resolve("reference.json");
    Files.writeString(
        reference, "{\"rows\": [{\"name\": \"batch put\", \"ops_per_s\": 1000000000}]}");
    Run run =
        run(
            "--rows=load,batch,single,grpc",
            "--keys=20000",
            "--clients=2",
            "--batch=100",
            "--reference=" + reference);
    Map<String, JsonObject> rows = run.rows();
    assertThat(run.figures().getDouble("bytes_per_key")).isGreaterThan(190);
    assertThat(rows.get("memory").getLong("keys")).isEqualTo(20_000);
    for (String prefix : List.of("batch", "single", "grpc batch", "grpc single")) {
      for (String call : List.of("put", "locate", "exists")) {
        JsonObject row = rows.get(prefix + " " + call);
        assertThat(row).as(prefix + " " + call).isNotNull();
        assertThat(row.getDouble("failed")).as(row.encode()).isZero();
        assertThat(row.getDouble("ops_per_s")).isGreaterThan(10);
        assertThat(row.getDouble("p50_us")).isPositive();
        assertThat(row.getDouble("p99_us")).isGreaterThanOrEqualTo(row.getDouble("p50_us"));
        assertThat(row.getDouble("max_us")).isGreaterThanOrEqualTo(row.getDouble("p99_us"));
        assertThat(row.getDouble("master_cpu_s")).isPositive();
        assertThat(row.getDouble("allocated_bytes_per_op")).isPositive();
      }
    }
    assertThat(run.out()).contains("MISSED batch put: ops_per_s");
    assertThat(Files.readString(folder.resolve("page.html"))).contains("<rect", "grpc single put");
  }

  @Test
  void measuresEvictionAndWhatFewOfManyKeysCost() throws IOException, InterruptedException {
    Map<String, JsonObject> rows =
        run(
                "--rows=OVERFILL,evict,touch",
                "--overfill-puts=40000",
                "--evict-keys=40000",
                "--touched=500",
                "--pool-keys=4000")
            .rows();
    for (String ratio : List.of("0.05", "0.5")) {
      JsonObject put = rows.get("overfill " + ratio + " put");
      assertThat(put.getDouble("failed")).isZero();
      // 40,000 are put where there is room for 20,971.
      assertThat(put.getDouble("evicted")).isGreaterThan(40_000 - 20_972);
      assertThat(rows.get("overfill " + ratio + " read").getDouble("failed")).isZero();
    }
    assertThat(rows.get("evict half").getDouble("evicted")).isBetween(19_000.0, 24_000.0);
    JsonObject touched = rows.get("touch 4000");
    assertThat(touched.getDouble("touched")).isEqualTo(500);
    for (String time : List.of("remount_ms", "unmount_ms", "offline_ms", "drain_first_task_ms")) {
      assertThat(touched.getDouble(time)).as(time).isPositive();
    }
  }

  @Test
  void replaysATraceThatDoesNotFit() throws IOException, InterruptedException {
    Path trace = folder.resolve("trace.jsonl");
    JsonObject made = replay("--requests=2000", "--save=" + trace);
    assertThat(made.getLong("requests")).isEqualTo(2_000);
    assertThat(made.getLong("evicted")).isPositive();
    assertThat(made.getLong("hit_blocks")).isPositive().isLessThan(made.getLong("blocks"));
    assertThat(made.getJsonObject("put").getDouble("p50_us")).isPositive();
    // All of it fits, and one client takes every request in its turn: what was seen is there.
    JsonObject read = replay(trace.toString(), "--pool-gib=1024", "--clients=1");
    assertThat(read.getLong("blocks")).isEqualTo(made.getLong("blocks"));
    assertThat(read.getLong("evicted")).isZero();
    assertThat(read.getLong("failed_puts")).isZero();
    assertThat(read.getLong("hit_blocks")).isEqualTo(knownBlocks(trace));
  }

  private JsonObject replay(String... more) throws IOException, InterruptedException {
    Path json = folder.resolve("replay.json");
    List<String> line =
        new ArrayList<>(List.of("bench", "replay", "--cold", "--output=json", "--json=" + json));
    line.addAll(List.of(more));
    if (!line.stream().anyMatch(each -> each.startsWith("--pool-gib"))) {
      line.add("--pool-gib=32");
    }
    FatJar.Result result = FatJar.run(folder, line.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    JsonObject figures = new JsonObject(Files.readString(json));
    assertThat(new JsonObject(result.out())).isEqualTo(figures);
    return figures;
  }

  private static long knownBlocks(Path trace) throws IOException {
    Set<Object> seen = new HashSet<>();
    long known = 0;
    for (String line : Files.readAllLines(trace)) {
      for (Object block : new JsonObject(line).getJsonArray("hash_ids")) {
        known += seen.add(block) ? 0 : 1;
      }
    }
    return known;
  }
}
