package io.moonpool.app.demo;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long the calls of one phase took. Any thread may add. */
final class Timings {
  private static final int DIGITS = 3;

  private final Histogram nanos = new ConcurrentHistogram(DIGITS);
  private final LongAdder bytes = new LongAdder();
  private final LongAdder busyNanos = new LongAdder();

  /** One object went through in that time. */
  void add(long objectBytes, long callNanos) {
    nanos.recordValue(Math.max(1, callNanos));
    bytes.add(objectBytes);
    busyNanos.add(callNanos);
  }

  /** How many objects went through. */
  long objects() {
    return nanos.getTotalCount();
  }

  /** How many bytes went through. */
  long bytes() {
    return bytes.sum();
  }

  /**
   * Bytes over the time spent in calls, so that making and comparing the data does not count.
   *
   * @param lanes how many called at once
   * @return millions of bytes a second
   */
  double megabytesPerSecond(int lanes) {
    double seconds = busyNanos.sum() / 1e9 / lanes;
    return seconds == 0 ? 0 : bytes.sum() / 1e6 / seconds;
  }

  /** For programs. */
  JsonObject toJson(int lanes) {
    return new JsonObject()
        .put("objects", objects())
        .put("bytes", bytes())
        .put("megabytes_per_second", megabytesPerSecond(lanes))
        .put("p50_ms", percentileMillis(50))
        .put("p99_ms", percentileMillis(99));
  }

  /** The time that a share of the objects stayed within, in milliseconds. */
  double percentileMillis(double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e6;
  }
}
