package io.moonpool.bench.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.json.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MasterFiguresTest {
  private static final MasterSettings SETTINGS =
      new MasterSettings(
          1_000,
          4,
          128,
          5,
          10_000,
          10_000,
          100,
          List.of(),
          CallProtocol.FRAMES,
          EnumSet.of(RowGroup.BATCH));

  private static MasterRow batchPut(long keys, double cpuSeconds) {
    Histogram nanos = new Histogram(3);
    nanos.recordValue(TimeUnit.MICROSECONDS.toNanos(100));
    nanos.recordValue(TimeUnit.MICROSECONDS.toNanos(300));
    return MasterRow.of(
        "batch put",
        new ClosedLoop.Seen(nanos, keys, 3, 2),
        new MasterProbe.Used(cpuSeconds, keys * 50, 0.5));
  }

  @Test
  void aRowTellsRatesTimesAndWhatTheMasterUsed() {
    JsonObject row = batchPut(1_000_000, 4).toJson();
    assertThat(row.getDouble("ops_per_s")).isEqualTo(500_000);
    assertThat(row.getDouble("ops_per_cpu_s")).isEqualTo(250_000);
    assertThat(row.getDouble("master_cpu_s")).isEqualTo(4);
    assertThat(row.getDouble("allocated_bytes_per_op")).isEqualTo(50);
    assertThat(row.getDouble("failed")).isEqualTo(3);
    assertThat(row.getDouble("p50_us")).isBetween(99.0, 101.0);
    assertThat(row.getDouble("max_us")).isBetween(299.0, 301.0);
  }

  @Test
  void theProtocolIsTold() {
    MasterSettings mooncake =
        new MasterSettings(
            1_000,
            4,
            128,
            5,
            10_000,
            10_000,
            100,
            List.of(),
            CallProtocol.MOONCAKE,
            EnumSet.of(RowGroup.BATCH));
    MasterFigures figures =
        new MasterFigures(mooncake, List.of(batchPut(1_000_000, 4)), ReferenceFigures.NONE);
    assertThat(figures.toJson().getString("protocol")).isEqualTo("mooncake");
    assertThat(figures.toText()).contains("Mooncake");
    assertThat(MasterPage.of(figures)).contains("4 clients of Mooncake");
  }

  @Test
  void goalsStandBesideTheReference() {
    ReferenceFigures reference =
        ReferenceFigures.parse(
            "{\"about\": \"x\", \"rows\": [{\"name\": \"batch put\", \"ops_per_s\": 300000,"
                + " \"ops_per_cpu_s\": 190000}]}");
    MasterFigures good = new MasterFigures(SETTINGS, List.of(batchPut(1_000_000, 4)), reference);
    assertThat(good.misses()).isEmpty();
    assertThat(good.toText()).contains("reference").contains("met");
    // 1.2 times 300,000 a second, in two seconds, is 720,000.
    MasterFigures slow = new MasterFigures(SETTINGS, List.of(batchPut(719_000, 3)), reference);
    assertThat(slow.misses()).singleElement().asString().contains("ops_per_s", "360,000");
    assertThat(slow.toJson().getJsonArray("goals").encode()).contains("\"met\":false");
    assertThat(MasterPage.of(slow)).contains("<rect", "batch put", "MISSED");
  }

  @Test
  void goalsWithoutAReferenceAreJudgedToo() {
    List<MasterRow> rows =
        List.of(
            new MasterRow(LoadRun.MEMORY, Map.of(LoadRun.BYTES_PER_KEY, 191.0)),
            new MasterRow("overfill 0.05 put", Map.of(MasterRow.FAILED, 1.0)),
            new MasterRow(
                "overfill 0.05 read",
                Map.of(MasterRow.P99, 4_000.0, MasterRow.MAX, 44_000.0, LoadRun.HICCUP, 30.0)),
            new MasterRow(EvictionRun.NAME, Map.of(EvictionRun.LONGEST_SLICE, 1.1)));
    MasterFigures figures = new MasterFigures(SETTINGS, rows, ReferenceFigures.NONE);
    assertThat(figures.misses())
        .hasSize(3)
        .noneMatch(miss -> miss.contains("read"))
        .anyMatch(miss -> miss.contains("memory"));
    assertThat(figures.toJson().getDouble("bytes_per_key")).isEqualTo(191.0);
  }

  @Test
  void aRunCanBeTheReferenceOfAnother() {
    MasterFigures figures =
        new MasterFigures(SETTINGS, List.of(batchPut(1_000, 1)), ReferenceFigures.NONE);
    ReferenceFigures read = ReferenceFigures.parse(figures.toJson().encode());
    assertThat(read.figure("batch put", "ops_per_s")).isEqualTo(500);
    assertThat(read.figure("batch put", "nothing")).isNaN();
    assertThat(read.figure("nothing", "ops_per_s")).isNaN();
  }

  @Test
  void whatIsNoReferenceIsRefused() {
    for (String text : List.of("", "[]", "{}", "{\"rows\": 1}", "{\"rows\": [{\"x\": 1}]}")) {
      assertThatIllegalArgumentException().as(text).isThrownBy(() -> ReferenceFigures.parse(text));
    }
  }
}
