package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load test of heartbeats, small. What it counts must be right on any machine. */
@Isolated("it measures how long nodes are silent")
@Timeout(240)
class HeartbeatRigIT {
  /** The time-outs stay as they are: the machine may keep clients from pinging for seconds. */
  private static final List<String> BRIEF = List.of("--seconds=4", "--load-threads=2");

  @TempDir Path folder;

  private record Run(JsonObject figures, FatJar.Result result) {}

  private Run run(String scenario, String... more) throws IOException, InterruptedException {
    Path json = folder.resolve("figures.json");
    List<String> line =
        new ArrayList<>(
            List.of(
                "bench",
                "heartbeat",
                "--scenario=" + scenario,
                "--keys=20000",
                "--cold",
                "--output=json",
                "--clients=3",
                "--json=" + json,
                "--html=" + folder.resolve("page.html")));
    line.addAll(List.of(more));
    FatJar.Result result = FatJar.run(folder, line.toArray(String[]::new));
    assertThat(json).as(result.out() + result.err()).exists();
    JsonObject figures = new JsonObject(Files.readString(json));
    assertThat(new JsonObject(result.out())).isEqualTo(figures);
    assertThat(result.exitCode()).isEqualTo(figures.getBoolean("passed") ? 0 : 1);
    assertThat(figures.getJsonArray("misses").isEmpty()).isEqualTo(figures.getBoolean("passed"));
    assertThat(figures.getDouble("worst_gap_ms")).isGreaterThan(900);
    assertThat(figures.getLong("keys_end")).isEqualTo(figures.getLong("keys_ledger"));
    assertThat(Files.readString(folder.resolve("page.html"))).contains("<polyline");
    return new Run(figures, result);
  }

  /** Pings go to the heartbeat port in the one and to the main port in the other. */
  @ParameterizedTest
  @CsvSource({"s1, 20000, ''", "s2, 10001, --fallback", "s2, 10001, --mooncake"})
  void countsWhatStaysInAStorm(String scenario, long keysEnd, String pings)
      throws IOException, InterruptedException {
    List<String> more = new ArrayList<>(BRIEF);
    boolean fallback = !pings.isEmpty();
    if (fallback) {
      more.add(pings);
    }
    JsonObject figures = run(scenario, more.toArray(String[]::new)).figures();
    assertThat(figures.getString("scenario")).isEqualTo(scenario);
    assertThat(figures.getBoolean("fallback")).isEqualTo(fallback);
    assertThat(figures.getBoolean("mooncake")).isEqualTo(pings.equals("--mooncake"));
    assertThat(figures.containsKey("trip_goal_ms")).isEqualTo(fallback);
    assertThat(figures.getLong("remounts")).isZero();
    assertThat(figures.getLong("keys_start")).isEqualTo(20_000);
    assertThat(figures.getLong("keys_end")).isEqualTo(keysEnd);
    assertThat(figures.getLong("offline")).isZero();
  }

  @Test
  void timesTheEndOfAClient() throws IOException, InterruptedException {
    JsonObject figures = run("s3", "--active-ttl-ms=5000", "--suspicion-ttl-ms=2500").figures();
    assertThat(figures.getLong("keys_end")).isEqualTo(20_000 - 20_000 / 3);
    assertThat(figures.getLong("offline")).isOne();
    assertThat(figures.getDouble("died_suspected_ms")).isGreaterThan(4_700);
    assertThat(figures.getDouble("died_offline_ms")).isGreaterThan(7_200);
  }

  @Test
  void keepsItsLedgerWhileEverythingHappens() throws IOException, InterruptedException {
    Run run = run("s4", BRIEF.toArray(String[]::new));
    assertThat(run.figures().getLong("offline")).isZero();
    assertThat(run.figures().getDouble("max_slice_ms")).isPositive();
    assertThat(run.figures().getString("max_slice_handler")).isNotEmpty();
    assertThat(run.figures().getJsonArray("slices").encode())
        .contains("moonpool-heartbeat", "moonpool-control", "moonpool-metadata-0");
    assertThat(run.figures().getJsonArray("notes").encode())
        .contains("connections", "objects were evicted", "moved by a drain");
  }

  /** What either ablation does to answers is tested without processes. */
  @Test
  void runsWithoutAProtection() throws IOException, InterruptedException {
    List<String> more = new ArrayList<>(BRIEF);
    more.add("--ablation=lock");
    JsonObject figures = run("s1", more.toArray(String[]::new)).figures();
    assertThat(figures.getString("ablation")).isEqualTo("lock");
    assertThat(figures.getLong("keys_end")).isEqualTo(20_000);
  }
}
