package io.moonpool.master.admin.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.CallTimes;
import io.moonpool.master.MasterCall;
import io.moonpool.master.MasterStats.CallCounts;
import io.moonpool.master.MasterStats.Snapshot;
import io.moonpool.master.admin.FakeStats;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rates are differences of counters over the time between two readings. */
class FigureSampleTest {
  private static FigureSample at(long millis, Map<MasterCall, CallCounts> calls) {
    Snapshot base = new FakeStats().snapshot();
    Map<MasterCall, CallCounts> all = new HashMap<>(base.calls());
    all.putAll(calls);
    Snapshot stats =
        new Snapshot(
            all,
            base.objects(),
            base.index(),
            base.memoryUsedBytes(),
            base.memoryCapacityBytes(),
            base.quarantinedBytes(),
            base.evictedObjects() + millis,
            base.evictedBytes(),
            base.reapedWrites(),
            base.offloads(),
            base.promotions(),
            base.pings() + 3 * millis,
            base.clients(),
            base.suspectedTransitions(),
            base.recoveries(),
            base.offlineTransitions(),
            base.departures(),
            base.journal(),
            base.drains(),
            base.frames(),
            base.ports(),
            base.liveness(),
            base.loops());
    return new FigureSample(millis, stats, CallTimes.NONE, CallTimes.NONE);
  }

  private static CallCounts items(long items, long failed) {
    return new CallCounts(1, items, 0, failed);
  }

  @Test
  void ratesAndHitRatioAreThoseOfTheInterval() {
    FigureSample before =
        at(
            0,
            Map.of(
                MasterCall.LOCATE, items(1_000, 900),
                MasterCall.END, items(50, 10),
                MasterCall.PUT_START, items(60, 1),
                MasterCall.UPSERT_START, items(0, 0)));
    FigureSample after =
        at(
            2_000,
            Map.of(
                MasterCall.LOCATE, items(1_400, 1_000),
                MasterCall.END, items(110, 30),
                MasterCall.PUT_START, items(160, 7),
                MasterCall.UPSERT_START, items(4, 4)));
    JsonObject json = after.since(before);
    assertThat(json.getLong("at_ms")).isEqualTo(2_000);
    assertThat(json.getDouble("gets_per_second")).isEqualTo(200);
    assertThat(json.getDouble("get_misses_per_second")).isEqualTo(50);
    assertThat(json.getDouble("hit_ratio")).isEqualTo(0.75);
    assertThat(json.getDouble("puts_per_second")).isEqualTo(20);
    assertThat(json.getDouble("put_failures_per_second")).isEqualTo(5);
    assertThat(json.getDouble("evictions_per_second")).isEqualTo(1_000);
    assertThat(json.getDouble("pings_per_second")).isEqualTo(3_000);
    assertThat(json.getInteger("active_clients")).isEqualTo(3);
    assertThat(json.getBoolean("offline_held")).isTrue();
  }

  @Test
  void whatNobodyCanTellIsAbsent() {
    Map<MasterCall, CallCounts> same = Map.of(MasterCall.LOCATE, items(10, 1));
    JsonObject json = at(2_000, same).since(at(0, same));
    assertThat(json.fieldNames())
        .doesNotContain("hit_ratio", "get_p50_us", "get_p99_us", "put_p50_us", "put_p99_us");
    assertThat(json.getDouble("gets_per_second")).isZero();
  }
}
