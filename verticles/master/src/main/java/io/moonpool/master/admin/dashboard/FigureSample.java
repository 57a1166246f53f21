package io.moonpool.master.admin.dashboard;

import io.moonpool.master.CallTimes;
import io.moonpool.master.MasterCall;
import io.moonpool.master.MasterStats;
import io.moonpool.master.MasterStats.CallCounts;
import io.moonpool.model.ClientState;
import io.vertx.core.json.JsonObject;

/**
 * What the pool is and did between two readings of the master's counters, as JSON.
 *
 * @param atMillis wall clock
 * @param stats the counters
 * @param gets how long {@code locate} took since the start
 * @param puts how long {@code put_start} and {@code upsert_start} took since the start
 */
record FigureSample(long atMillis, MasterStats.Snapshot stats, CallTimes gets, CallTimes puts) {
  private static final CallCounts NO_CALLS = new CallCounts(0, 0, 0, 0);

  /** Reads the counters, which waits for nobody. */
  static FigureSample read(MasterStats stats, long atMillis) {
    return new FigureSample(
        atMillis,
        stats.snapshot(),
        stats.times(MasterCall.LOCATE),
        stats.times(MasterCall.PUT_START).plus(stats.times(MasterCall.UPSERT_START)));
  }

  private CallCounts of(MasterCall call) {
    return stats.calls().getOrDefault(call, NO_CALLS);
  }

  private long ended() {
    return of(MasterCall.END).items() - of(MasterCall.END).failedItems();
  }

  private long failedPuts() {
    return of(MasterCall.PUT_START).failedItems() + of(MasterCall.UPSERT_START).failedItems();
  }

  /** This reading, and what happened since an earlier one. */
  JsonObject since(FigureSample earlier) {
    double seconds = Math.max(1, atMillis - earlier.atMillis) / 1e3;
    long asked = of(MasterCall.LOCATE).items() - earlier.of(MasterCall.LOCATE).items();
    long missed = of(MasterCall.LOCATE).failedItems() - earlier.of(MasterCall.LOCATE).failedItems();
    JsonObject json =
        new JsonObject()
            .put("at_ms", atMillis)
            .put("objects", stats.objects())
            .put("memory_used", stats.memoryUsedBytes())
            .put("memory_capacity", stats.memoryCapacityBytes())
            .put("active_clients", stats.clients().getOrDefault(ClientState.ACTIVE, 0))
            .put("suspected_clients", stats.clients().getOrDefault(ClientState.SUSPECTED, 0))
            .put("offline_held", stats.liveness().offlineHeld())
            .put("drain_jobs_live", stats.drains().liveJobs())
            .put("gets_per_second", rounded(asked / seconds))
            .put("get_misses_per_second", rounded(missed / seconds))
            .put("puts_per_second", rounded((ended() - earlier.ended()) / seconds))
            .put(
                "put_failures_per_second", rounded((failedPuts() - earlier.failedPuts()) / seconds))
            .put(
                "evictions_per_second",
                rounded((stats.evictedObjects() - earlier.stats.evictedObjects()) / seconds))
            .put("pings_per_second", rounded((stats.pings() - earlier.stats.pings()) / seconds));
    if (asked > 0) {
      json.put("hit_ratio", Math.round(1e4 * (asked - missed) / asked) / 1e4);
    }
    quantiles(json, "get", gets.since(earlier.gets));
    quantiles(json, "put", puts.since(earlier.puts));
    return json;
  }

  private static void quantiles(JsonObject json, String what, CallTimes times) {
    times.quantileMicros(0.5).ifPresent(it -> json.put(what + "_p50_us", rounded(it)));
    times.quantileMicros(0.99).ifPresent(it -> json.put(what + "_p99_us", rounded(it)));
  }

  private static double rounded(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
