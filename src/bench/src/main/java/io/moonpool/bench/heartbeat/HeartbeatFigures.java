package io.moonpool.bench.heartbeat;

import io.moonpool.bench.heartbeat.MasterUnderTest.Slice;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What one run measured.
 *
 * @param settings of the run
 * @param keysStart in the index when the measurement began
 * @param keysEnd in the index when it had ended
 * @param ledger what the rig itself reckons {@code keysEnd} to be
 * @param clients the originals, those that did not die
 * @param worstHiccupMillis of bare timer threads in the process of the clients
 * @param suspected transitions to SUSPECTED
 * @param offline transitions to OFFLINE
 * @param remounts pings whose sender the master did not know
 * @param slices the longest handlers of each loop of the master, one of each name
 * @param gc of the master
 * @param masterCpuShare CPU seconds of the master per second
 * @param stormMillis how long the storm took until its last call was answered
 * @param keysAsked for by the load
 * @param diedSuspectedMillis from the last ping of the client that dies to its suspicion; 0 when
 *     none dies
 * @param diedOfflineMillis to its end
 * @param notes what else happened
 * @param misses the goals that were missed, as sentences; empty when all were met
 */
public record HeartbeatFigures(
    HeartbeatSettings settings,
    long keysStart,
    long keysEnd,
    long ledger,
    List<ClientGaps> clients,
    double worstHiccupMillis,
    long suspected,
    long offline,
    long remounts,
    List<Slice> slices,
    Pauses gc,
    double masterCpuShare,
    double stormMillis,
    long keysAsked,
    double diedSuspectedMillis,
    double diedOfflineMillis,
    List<String> notes,
    List<String> misses) {

  /**
   * Of the master's collector.
   *
   * @param longestPauseMillis the longest pause
   * @param longestReachMillis the longest way to a safepoint
   * @param stalls how often threads waited for memory
   * @param heartbeatStalls how often the heartbeat's thread did
   */
  public record Pauses(
      double longestPauseMillis, double longestReachMillis, int stalls, int heartbeatStalls) {}

  private static final double MILLI = 1e6;

  /** Copies the lists. */
  public HeartbeatFigures {
    clients = List.copyOf(clients);
    slices = List.copyOf(slices);
    notes = List.copyOf(notes);
    misses = List.copyOf(misses);
  }

  /** The same with the goals that were missed. */
  HeartbeatFigures withMisses(List<String> missed) {
    return new HeartbeatFigures(
        settings,
        keysStart,
        keysEnd,
        ledger,
        clients,
        worstHiccupMillis,
        suspected,
        offline,
        remounts,
        slices,
        gc,
        masterCpuShare,
        stormMillis,
        keysAsked,
        diedSuspectedMillis,
        diedOfflineMillis,
        notes,
        missed);
  }

  /** The worst gap between two answers to an original client. */
  public double worstGapMillis() {
    return clients.stream().mapToDouble(each -> each.gaps().getMaxValue() / MILLI).max().orElse(0);
  }

  /** What the worst gap may be. */
  public double gapGoalMillis() {
    return Math.max(1_100, 1_000 + 1.5 * worstHiccupMillis);
  }

  /** The longest handler of all loops. */
  public Slice maxSlice() {
    return slices.stream()
        .max(Comparator.comparingDouble(Slice::millis))
        .orElse(new Slice("", 0, ""));
  }

  /** How long it took, in milliseconds of thread CPU time. */
  public double maxSliceMillis() {
    return maxSlice().millis();
  }

  private double gapMillis(double percentile) {
    Histogram all = new Histogram(3);
    clients.forEach(each -> all.add(each.gaps()));
    return all.getValueAtPercentile(percentile) / MILLI;
  }

  /** A percentile of the round trips of all clients. */
  public double tripMillis(double percentile) {
    Histogram all = new Histogram(3);
    clients.forEach(each -> all.add(each.trips()));
    return all.getValueAtPercentile(percentile) / MILLI;
  }

  /** For programs. */
  public JsonObject toJson() {
    JsonObject json =
        new JsonObject()
            .put("scenario", settings.scenario().name().toLowerCase(Locale.ROOT))
            .put("ablation", settings.ablation().isEmpty() ? "none" : settings.ablation())
            .put("fallback", settings.pings().isMainPort())
            .put("mooncake", settings.pings() == PingWay.MOONCAKE)
            .put("load_threads", settings.loadThreads())
            .put("load_pipeline", settings.pipeline())
            .put("keys_start", keysStart)
            .put("keys_end", keysEnd)
            .put("keys_ledger", ledger)
            .put("worst_gap_ms", worstGapMillis())
            .put("p9999_gap_ms", gapMillis(99.99))
            .put("p99_gap_ms", gapMillis(99))
            .put("worst_trip_ms", tripMillis(100))
            .put("p999_trip_ms", tripMillis(99.9))
            .put("p99_trip_ms", tripMillis(99))
            .put("gap_goal_ms", gapGoalMillis())
            .put("worst_hiccup_ms", worstHiccupMillis)
            .put("suspected", suspected)
            .put("offline", offline)
            .put("remounts", remounts)
            .put("max_slice_ms", maxSliceMillis())
            .put("max_slice_loop", maxSlice().loop())
            .put("max_slice_handler", maxSlice().handler())
            .put("max_gc_pause_ms", gc.longestPauseMillis())
            .put("max_time_to_safepoint_ms", gc.longestReachMillis())
            .put("allocation_stalls", gc.stalls())
            .put("heartbeat_allocation_stalls", gc.heartbeatStalls())
            .put("master_cpu_share", masterCpuShare)
            .put("storm_ms", stormMillis)
            .put("keys_asked", keysAsked)
            .put("passed", misses.isEmpty())
            .put("misses", new JsonArray(misses))
            .put("notes", new JsonArray(notes));
    if (settings.scenario() == Scenario.S3) {
      json.put("died_suspected_ms", diedSuspectedMillis).put("died_offline_ms", diedOfflineMillis);
    }
    if (settings.pings().isMainPort()) {
      json.put("trip_goal_ms", HeartbeatBench.TRIP_GOAL_MILLIS);
    }
    JsonArray loops = new JsonArray();
    slices.forEach(
        slice ->
            loops.add(
                new JsonObject()
                    .put("loop", slice.loop())
                    .put("longest_ms", slice.millis())
                    .put("handler", slice.handler())));
    json.put("slices", loops);
    JsonArray each = new JsonArray();
    clients.forEach(client -> each.add(client.toJson()));
    return json.put("clients", each);
  }

  /** A table for people. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    row(
        text,
        "scenario",
        String.format(
            Locale.ROOT,
            "%s, %s%s",
            settings.scenario().name().toLowerCase(Locale.ROOT),
            settings.scenario().title(),
            settings.ablation().isEmpty() ? "" : ", without a protection: " + settings.ablation()));
    row(
        text,
        "clients that are measured",
        String.format(
            Locale.ROOT,
            "%d%s for %d s, pinging the %s port",
            clients.size(),
            settings.pings() == PingWay.MOONCAKE ? " of Mooncake" : "",
            settings.seconds(),
            settings.pings().isMainPort() ? "main" : "heartbeat"));
    row(
        text,
        "keys",
        String.format(
            Locale.ROOT,
            "%,d at the start, %,d at the end, %,d by the rig's own ledger",
            keysStart,
            keysEnd,
            ledger));
    row(
        text,
        "gap between answers",
        String.format(
            Locale.ROOT,
            "worst %.1f ms, p99.99 %.1f, p99 %.1f; goal %.1f",
            worstGapMillis(),
            gapMillis(99.99),
            gapMillis(99),
            gapGoalMillis()));
    row(
        text,
        "round trip",
        String.format(
            Locale.ROOT,
            "worst %.2f ms, p99.9 %.2f, p99 %.2f, p50 %.2f%s",
            tripMillis(100),
            tripMillis(99.9),
            tripMillis(99),
            tripMillis(50),
            settings.pings().isMainPort()
                ? "; goal for p99.9 " + HeartbeatBench.TRIP_GOAL_MILLIS
                : ""));
    row(
        text,
        "hiccup of bare timer threads",
        String.format(Locale.ROOT, "worst %.1f ms", worstHiccupMillis));
    row(
        text,
        "transitions",
        String.format(Locale.ROOT, "%d to SUSPECTED, %d to OFFLINE", suspected, offline));
    if (settings.scenario() == Scenario.S3) {
      row(
          text,
          "the client that died",
          String.format(
              Locale.ROOT,
              "SUSPECTED after %.0f ms, OFFLINE after %.0f ms",
              diedSuspectedMillis,
              diedOfflineMillis));
    } else {
      row(text, "the storm took", String.format(Locale.ROOT, "%.0f ms", stormMillis));
    }
    for (Slice slice : slices) {
      row(
          text,
          "longest slice of a loop",
          String.format(
              Locale.ROOT,
              "%.2f ms of CPU, %s: %s",
              slice.millis(),
              slice.loop(),
              slice.handler()));
    }
    row(
        text,
        "longest pause, way to safepoint",
        String.format(
            Locale.ROOT,
            "%.2f ms, %.2f ms; %d allocation stalls, %d of the heartbeat",
            gc.longestPauseMillis(),
            gc.longestReachMillis(),
            gc.stalls(),
            gc.heartbeatStalls()));
    row(text, "CPU of the master", String.format(Locale.ROOT, "%.2f cores", masterCpuShare));
    row(
        text,
        "load",
        String.format(
            Locale.ROOT,
            "%,d keys/s; %d threads with %d batches each under way",
            keysAsked / Math.max(1, settings.seconds()),
            settings.loadThreads(),
            settings.pipeline()));
    notes.forEach(note -> row(text, "note", note));
    text.append(
        String.format(
            Locale.ROOT,
            "%n%8s %8s %12s %12s %10s %12s %10s%n",
            "client",
            "pings",
            "worst gap",
            "p99.99 gap",
            "p99 gap",
            "worst trip",
            "p99 trip"));
    for (ClientGaps client : clients) {
      text.append(
          String.format(
              Locale.ROOT,
              "%8d %8d %12.1f %12.1f %10.1f %12.2f %10.2f%n",
              client.client(),
              client.trips().getTotalCount(),
              client.gaps().getMaxValue() / MILLI,
              client.gaps().getValueAtPercentile(99.99) / MILLI,
              client.gaps().getValueAtPercentile(99) / MILLI,
              client.trips().getMaxValue() / MILLI,
              client.trips().getValueAtPercentile(99) / MILLI));
    }
    text.append('\n');
    if (misses.isEmpty()) {
      text.append("all goals met\n");
    } else {
      misses.forEach(miss -> text.append("MISSED: ").append(miss).append('\n'));
    }
    return text.toString();
  }

  private static void row(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "%-32s %s%n", name, value));
  }
}
