package io.moonpool.bench.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeartbeatFiguresTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;

  @TempDir Path folder;

  private static ClientGaps gaps(int client, long... ackSeconds) {
    List<PingSender.Ack> acks = new ArrayList<>();
    for (long second : ackSeconds) {
      acks.add(new PingSender.Ack(second * SECOND, second * SECOND + 2 * MILLI));
    }
    return ClientGaps.of(client, acks, 2 * SECOND, 10 * SECOND);
  }

  private static HeartbeatFigures figures(ClientGaps... clients) {
    return new HeartbeatFigures(
        new HeartbeatSettings(
            Scenario.S1, 1_000, 2, 4, 1, PingWay.HEARTBEAT_PORT, 8, 10_000, 20_000, ""),
        1_000,
        1_000,
        1_000,
        List.of(clients),
        80,
        0,
        0,
        0,
        List.of(
            new MasterUnderTest.Slice("loop-0", 1.5, "find"),
            new MasterUnderTest.Slice("loop-1", 2.5, "walk")),
        new HeartbeatFigures.Pauses(0.1, 0.2, 0, 0),
        0.7,
        12,
        800,
        0,
        0,
        List.of("<note>"),
        List.of());
  }

  @Test
  void gapsAreThoseOfTheMeasurement() {
    // The gap of five seconds ended before it began.
    HeartbeatFigures figures = figures(gaps(0, 0, 1, 2, 3, 4, 7, 8, 9), gaps(1, -5, 1, 2, 3, 9));
    assertThat(figures.worstGapMillis()).isCloseTo(6_000, within(10.0));
    assertThat(figures(gaps(0, 0, 1, 2, 3, 4, 7, 8, 9)).worstGapMillis())
        .isCloseTo(3_000, within(5.0));
    assertThat(figures.gapGoalMillis()).isEqualTo(1_120);
  }

  @Test
  void whatComesAfterTheMeasurementDoesNotCount() {
    HeartbeatFigures figures = figures(gaps(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21));
    assertThat(figures.worstGapMillis()).isCloseTo(1_000, within(5.0));
  }

  @Test
  void aPingThatIsNeverAnsweredIsAGap() {
    assertThat(figures(gaps(0, 1, 2, 3)).worstGapMillis()).isCloseTo(6_998, within(10.0));
  }

  @Test
  void programsGetWhatPeopleGet() {
    HeartbeatFigures figures = figures(gaps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    JsonObject json = figures.toJson();
    assertThat(json.fieldNames())
        .contains(
            "scenario",
            "keys_start",
            "keys_end",
            "worst_gap_ms",
            "p9999_gap_ms",
            "suspected",
            "offline",
            "max_slice_ms",
            "max_gc_pause_ms");
    assertThat(json.getString("scenario")).isEqualTo("s1");
    assertThat(json.getBoolean("passed")).isTrue();
    assertThat(json.getDouble("max_slice_ms")).isEqualTo(2.5);
    assertThat(json.getString("max_slice_handler")).isEqualTo("walk");
    assertThat(figures.toText()).contains("all goals met", "1.50 ms of CPU, loop-0: find");
    HeartbeatFigures missed = figures.withMisses(List.of("too late"));
    assertThat(missed.toJson().getBoolean("passed")).isFalse();
    assertThat(missed.toText()).contains("MISSED: too late");
  }

  @Test
  void thePageNeedsNothingElse() {
    String page = HeartbeatPage.of(figures(gaps(0, 1, 2, 3, 4, 5), gaps(1, 1, 2, 3, 4, 5)));
    assertThat(page).contains("<svg", "<polyline", "client 1", "&lt;note&gt;");
    assertThat(page).doesNotContain("http:", "https:", "<script", "NaN");
  }

  @Test
  void pausesAndStallsAreReadFromTheLogBehindAMark() throws IOException {
    Path log = folder.resolve("gc.log");
    assertThat(GcLog.since(log, GcLog.mark(log)).longestPauseMillis()).isZero();
    Files.writeString(log, "[1.0s][info][gc,phases] GC(0) Y: Pause Mark Start 9.000ms\n");
    long mark = GcLog.mark(log);
    Files.writeString(
        log,
        """
        [1.0s][info][gc,phases] GC(0) Y: Pause Mark Start 9.000ms
        [2.0s][info][gc,phases] GC(1) Y: Pause Mark Start 0.012ms
        [2.0s][info][gc,phases] GC(1) Y: Pause Mark End 0.340ms
        [2.0s][info][safepoint] Safepoint "ZMarkEndYoung", Time since last: 5 ns, Reaching safepoint: 2500000 ns, Cleanup: 0 ns, At safepoint: 7 ns, Leaving safepoint: 3 ns, Total: 2500010 ns, Threads: 1 runnable, 20 total
        [2.1s][info][gc] Allocation Stall (moonpool-metadata-0) 1.500ms
        [2.2s][info][gc] Allocation Stall (moonpool-heartbeat) 2.500ms
        """);
    GcLog read = GcLog.since(log, mark);
    assertThat(read.longestPauseMillis()).isEqualTo(0.34);
    assertThat(read.longestReachMillis()).isEqualTo(2.5);
    assertThat(read.stalls()).isEqualTo(2);
    assertThat(read.heartbeatStalls()).isOne();
  }
}
