package io.moonpool.bench.heartbeat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one client saw: times between acknowledged pings, and round trips, while it was measured.
 *
 * @param client its number
 * @param gaps nanoseconds between answers
 * @param trips nanoseconds from a ping to its answer
 * @param line one point per ping, for plots
 */
public record ClientGaps(int client, Histogram gaps, Histogram trips, List<Point> line) {
  /**
   * A ping.
   *
   * @param seconds since the start of the measurement
   * @param gapMillis since the answer before
   * @param tripMillis from the ping to its answer
   */
  public record Point(double seconds, double gapMillis, double tripMillis) {}

  private static final int DIGITS = 3;
  private static final double MILLI = 1e6;

  static ClientGaps of(int client, List<PingSender.Ack> acks, long fromNanos, long toNanos) {
    Histogram gaps = new Histogram(DIGITS);
    Histogram trips = new Histogram(DIGITS);
    List<Point> line = new ArrayList<>();
    long last = Long.MIN_VALUE;
    for (PingSender.Ack ack : acks) {
      if (ack.ackedNanos() > toNanos) {
        break;
      }
      if (ack.ackedNanos() > fromNanos && last != Long.MIN_VALUE) {
        long gap = Math.max(1, ack.ackedNanos() - last);
        long trip = Math.max(1, ack.ackedNanos() - ack.sentNanos());
        gaps.recordValue(gap);
        trips.recordValue(trip);
        line.add(new Point((ack.ackedNanos() - fromNanos) / 1e9, gap / MILLI, trip / MILLI));
      }
      last = ack.ackedNanos();
    }
    // A ping that is not answered by the end has a gap, too.
    if (last != Long.MIN_VALUE && toNanos - last > gaps.getMaxValue() && toNanos > last) {
      gaps.recordValue(toNanos - last);
      line.add(new Point((toNanos - fromNanos) / 1e9, (toNanos - last) / MILLI, 0));
    }
    return new ClientGaps(client, gaps, trips, line);
  }

  /** For programs. */
  JsonObject toJson() {
    return new JsonObject()
        .put("client", client)
        .put("pings", trips.getTotalCount())
        .put("worst_gap_ms", gaps.getMaxValue() / MILLI)
        .put("p9999_gap_ms", gaps.getValueAtPercentile(99.99) / MILLI)
        .put("p99_gap_ms", gaps.getValueAtPercentile(99) / MILLI)
        .put("worst_trip_ms", trips.getMaxValue() / MILLI)
        .put("p99_trip_ms", trips.getValueAtPercentile(99) / MILLI)
        .put("p50_trip_ms", trips.getValueAtPercentile(50) / MILLI);
  }
}
