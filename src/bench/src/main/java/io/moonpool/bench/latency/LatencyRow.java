package io.moonpool.bench.latency;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The figures of one operation.
 *
 * @param operation what was done, and how
 * @param bytes of one value
 * @param count how many operations were timed
 * @param mbPerSecond bytes moved over the time that the operations took, in 10<sup>6</sup> per
 *     second
 */
public record LatencyRow(
    String operation,
    int bytes,
    long count,
    double p50Micros,
    double p99Micros,
    double maxMicros,
    double mbPerSecond) {

  static LatencyRow of(String operation, int bytes, Histogram nanos) {
    double seconds = nanos.getMean() * nanos.getTotalCount() / 1e9;
    return new LatencyRow(
        operation,
        bytes,
        nanos.getTotalCount(),
        nanos.getValueAtPercentile(50) / 1e3,
        nanos.getValueAtPercentile(99) / 1e3,
        nanos.getMaxValue() / 1e3,
        bytes * (double) nanos.getTotalCount() / 1e6 / seconds);
  }

  /** The header that {@link #toTableLine} fits under. */
  public static String tableHeader() {
    return String.format(
        Locale.ROOT,
        "%-40s %10s %8s %10s %10s %10s %10s",
        "operation",
        "bytes",
        "count",
        "p50 us",
        "p99 us",
        "max us",
        "MB/s");
  }

  /** The same for programs. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("operation", operation)
        .put("bytes", bytes)
        .put("count", count)
        .put("p50_micros", p50Micros)
        .put("p99_micros", p99Micros)
        .put("max_micros", maxMicros)
        .put("megabytes_per_second", mbPerSecond);
  }

  /** One line of a table for people. */
  public String toTableLine() {
    return String.format(
        Locale.ROOT,
        "%-40s %,10d %,8d %10.1f %10.1f %10.1f %,10.0f",
        operation,
        bytes,
        count,
        p50Micros,
        p99Micros,
        maxMicros,
        mbPerSecond);
  }
}
