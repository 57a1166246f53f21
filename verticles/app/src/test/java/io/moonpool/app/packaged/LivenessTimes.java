package io.moonpool.app.packaged;

import java.time.Duration;
import java.util.Map;

/**
 * How long clients and masters are stopped, beside the TTLs that the master is given. Short, or the
 * defaults of the configuration with the system property {@code moonpool.liveness.full}.
 *
 * @param activeMillis client_active_ttl_ms
 * @param suspicionMillis client_suspicion_ttl_ms
 * @param heartbeatMillis between two pings of a node
 */
record LivenessTimes(long activeMillis, long suspicionMillis, long heartbeatMillis) {
  private static final boolean FULL = Boolean.getBoolean("moonpool.liveness.full");

  /** For a client that is stopped for longer than the active TTL, and for less than both. */
  static final LivenessTimes FOR_A_SHORT_STOP =
      FULL ? new LivenessTimes(10_000, 20_000, 1_000) : new LivenessTimes(2_000, 60_000, 100);

  /** For stops that are longer than both TTLs. */
  static final LivenessTimes FOR_A_LONG_STOP =
      FULL ? new LivenessTimes(10_000, 20_000, 1_000) : new LivenessTimes(2_000, 1_000, 100);

  /** Longer than the active TTL: 12 s with the default values. */
  Duration shortStop() {
    return Duration.ofMillis(activeMillis * 6 / 5);
  }

  /** Longer than both TTLs: 35 s with the default values. */
  Duration longStop() {
    return Duration.ofMillis((activeMillis + suspicionMillis) * 7 / 6);
  }

  /** The settings of a master. */
  Map<String, String> master() {
    return Map.of(
        "client_active_ttl_ms",
        String.valueOf(activeMillis),
        "client_suspicion_ttl_ms",
        String.valueOf(suspicionMillis));
  }
}
