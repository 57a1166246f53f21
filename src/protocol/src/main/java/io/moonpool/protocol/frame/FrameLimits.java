package io.moonpool.protocol.frame;

/**
 * What a connection may cost.
 *
 * @param maxBodyBytes the largest body and attachment of a frame, together, in both directions
 * @param maxInFlight a server stops reading from a connection with so many unanswered requests; a
 *     client refuses more calls
 * @param maxInFlightBytes a server stops reading from a connection whose unanswered requests have
 *     so many bytes; a client refuses more calls
 * @param stallMillis a server closes a connection that stays in the middle of a frame for so long,
 *     or that does not take any of its answers for so long
 */
public record FrameLimits(
    int maxBodyBytes, int maxInFlight, long maxInFlightBytes, long stallMillis) {
  /** 64 MiB a frame, 1,024 requests or 64 MiB in flight, one minute. */
  public static final FrameLimits DEFAULT = new FrameLimits(64 << 20, 1_024, 64 << 20, 60_000);

  /** Checks that all are positive. */
  public FrameLimits {
    if (maxBodyBytes < 1 || maxInFlight < 1 || maxInFlightBytes < 1 || stallMillis < 1) {
      throw new IllegalArgumentException("frame limits must be positive");
    }
  }
}
