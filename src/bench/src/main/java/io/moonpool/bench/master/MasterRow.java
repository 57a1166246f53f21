package io.moonpool.bench.master;

import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * One thing that was measured.
 *
 * @param name of the row, unique in a run
 * @param figures by their names, which say their units, in order
 */
public record MasterRow(String name, Map<String, Double> figures) {
  /** Names of the figures of calls. */
  static final String OPS_PER_SECOND = "ops_per_s";

  static final String P50 = "p50_us";
  static final String P99 = "p99_us";
  static final String MAX = "max_us";
  static final String CPU = "master_cpu_s";
  static final String OPS_PER_CPU_SECOND = "ops_per_cpu_s";
  static final String ALLOCATED = "allocated_bytes_per_op";
  static final String GC_PAUSE = "gc_pause_ms";
  static final String FAILED = "failed";

  /** Copies the figures. */
  public MasterRow {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** What clients saw of calls, and what the master used meanwhile; an operation is a key. */
  static MasterRow of(String name, ClosedLoop.Seen seen, MasterProbe.Used used) {
    MasterRow row =
        of(name, seen).with(CPU, used.cpuSeconds()).with(GC_PAUSE, used.gcPauseMillis());
    return seen.keys() == 0
        ? row
        : row.with(OPS_PER_CPU_SECOND, seen.keys() / Math.max(0.01, used.cpuSeconds()))
            .with(ALLOCATED, (double) used.allocatedBytes() / seen.keys());
  }

  /** What clients saw of calls. */
  static MasterRow of(String name, ClosedLoop.Seen seen) {
    return new MasterRow(name, Map.of())
        .with(OPS_PER_SECOND, seen.keys() / seen.seconds())
        .withMicros(seen.nanos())
        .with(FAILED, (double) seen.failed());
  }

  /** Median, 99th percentile and maximum of times in nanoseconds. */
  MasterRow withMicros(Histogram nanos) {
    return with(P50, nanos.getValueAtPercentile(50) / 1e3)
        .with(P99, nanos.getValueAtPercentile(99) / 1e3)
        .with(MAX, nanos.getMaxValue() / 1e3);
  }

  /** The row with a figure more. */
  MasterRow with(String figure, double value) {
    Map<String, Double> more = new LinkedHashMap<>(figures);
    more.put(figure, value);
    return new MasterRow(name, more);
  }

  /** A figure; NaN when there is none of that name. */
  double figure(String figure) {
    return figures.getOrDefault(figure, Double.NaN);
  }

  /** For programs. */
  JsonObject toJson() {
    JsonObject json = new JsonObject().put("name", name);
    figures.forEach(json::put);
    return json;
  }

  /** One line for people: the figures that rows of calls have in columns, the others by name. */
  String toText() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%-22s %11s %9s %9s %10s %8s %11s %9s %8s",
                name,
                cell(OPS_PER_SECOND, "%,.0f"),
                cell(P50, "%,.0f"),
                cell(P99, "%,.0f"),
                cell(MAX, "%,.0f"),
                cell(CPU, "%.2f"),
                cell(OPS_PER_CPU_SECOND, "%,.0f"),
                cell(ALLOCATED, "%,.0f"),
                cell(GC_PAUSE, "%.2f")));
    figures.forEach(
        (figure, value) -> {
          boolean column = COLUMNS.contains(figure);
          if (!column && !(figure.equals(FAILED) && value == 0)) {
            text.append("  ").append(figure).append('=').append(shown(value));
          }
        });
    return text.toString();
  }

  private static final Set<String> COLUMNS =
      Set.of(OPS_PER_SECOND, P50, P99, MAX, CPU, OPS_PER_CPU_SECOND, ALLOCATED, GC_PAUSE);

  /** The head that {@link #toText} fits under. */
  static String head() {
    return String.format(
        Locale.ROOT,
        "%-22s %11s %9s %9s %10s %8s %11s %9s %8s",
        "row",
        "keys/s",
        "p50 us",
        "p99 us",
        "max us",
        "CPU s",
        "keys/CPU s",
        "alloc B",
        "GC ms");
  }

  private String cell(String figure, String format) {
    Double value = figures.get(figure);
    return value == null ? "-" : String.format(Locale.ROOT, format, value);
  }

  /** A value with as many digits as are of use. */
  static String shown(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
  }
}
