package io.moonpool.bench.transfer;

import io.vertx.core.json.JsonObject;

/**
 * One line of the result: a transport's speed for one size and direction, beside the reference's in
 * the same run. Each figure is the median over rounds in which the two took turns.
 *
 * @param transport such as {@code tcp} or {@code ucx/posix}
 * @param put true for puts, false for gets
 * @param bytes the size of one transfer
 * @param inFlight transfers under way at a time
 * @param nanos time of one transfer: median latency with one in flight, else the inverse of the
 *     rate
 * @param referenceNanos the same for the reference, which always has one in flight
 * @param ratio the median of reference time / transport time of each round: 1 is as fast
 */
public record TransferFigure(
    String transport,
    boolean put,
    int bytes,
    int inFlight,
    double nanos,
    double referenceNanos,
    double ratio) {
  /** Bytes a second, in GB (10^9). */
  public double gigabytesPerSecond() {
    return bytes / nanos;
  }

  /** The same for programs. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("transport", transport)
        .put("operation", put ? "put" : "get")
        .put("bytes", bytes)
        .put("in_flight", inFlight)
        .put("nanos", nanos)
        .put("reference_nanos", referenceNanos)
        .put("ratio", ratio);
  }

  @Override
  public String toString() {
    return String.format(
        "%-9s %s %8d bytes, %2d in flight: %9.1f us, %6.2f GB/s; reference %9.1f us; ratio %.2f",
        transport,
        put ? "put" : "get",
        bytes,
        inFlight,
        nanos / 1e3,
        gigabytesPerSecond(),
        referenceNanos / 1e3,
        ratio);
  }
}
