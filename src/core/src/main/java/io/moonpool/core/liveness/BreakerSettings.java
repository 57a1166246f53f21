package io.moonpool.core.liveness;

/**
 * When an {@link OfflineBreaker} holds.
 *
 * @param enabled false: it never does
 * @param silenceMillis observed time without a signal of any client after which it holds, and of
 *     calm after which it lets go: two intervals between pings
 * @param maxShare the share of the clients, above 0 and at most 1, that may go OFFLINE together;
 *     one alone always may
 */
public record BreakerSettings(boolean enabled, long silenceMillis, double maxShare) {
  /** It never holds. */
  public static final BreakerSettings OFF = new BreakerSettings(false, 2_000, 0.5);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException when the time is not positive or the share out of range
   */
  public BreakerSettings {
    if (silenceMillis <= 0 || !(maxShare > 0 && maxShare <= 1)) {
      throw new IllegalArgumentException(
          "offline_breaker_silence_ms must be positive and offline_breaker_share above 0 and at"
              + " most 1, not "
              + silenceMillis
              + " and "
              + maxShare);
    }
  }
}
