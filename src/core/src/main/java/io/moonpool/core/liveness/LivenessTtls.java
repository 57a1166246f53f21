package io.moonpool.core.liveness;

/**
 * How long a client may be silent, in observed milliseconds.
 *
 * @param activeMillis silence after which an ACTIVE client becomes SUSPECTED
 * @param suspicionMillis silence, counted from the moment of suspicion, after which a SUSPECTED
 *     client becomes OFFLINE
 */
public record LivenessTtls(long activeMillis, long suspicionMillis) {
  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException when one is not positive
   */
  public LivenessTtls {
    if (activeMillis <= 0 || suspicionMillis <= 0) {
      throw new IllegalArgumentException(
          "client_active_ttl_ms and client_suspicion_ttl_ms must be positive, not "
              + activeMillis
              + " and "
              + suspicionMillis);
    }
  }
}
