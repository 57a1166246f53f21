package io.moonpool.master;

import io.moonpool.core.liveness.BreakerSettings;
import io.moonpool.model.config.Setting;

/**
 * When nodes are kept from going OFFLINE since it looks as if the way to them were cut; its
 * settings begin with {@code offline_breaker_}.
 */
public record BreakerConfig(
    @Setting(
            "Whether nodes are kept SUSPECTED, with an alert, when none of at least two is heard"
                + " from, or many would go OFFLINE together: until they are heard again or an"
                + " operator confirms that they are gone.")
        boolean enabled,
    @Setting(
            "How long no node is heard from before nodes are kept, and how long all must be well"
                + " before that ends: two intervals between pings.")
        long silenceMillis,
    @Setting(
            "Nodes are kept when a larger share of all, and at least two, would go OFFLINE within"
                + " offline_breaker_silence_ms; above 0, at most 1.")
        double share) {

  /** The defaults: off. */
  public static final BreakerConfig DEFAULT = new BreakerConfig(false, 2_000, 0.5);

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public BreakerConfig {
    if (silenceMillis < 1) {
      throw new IllegalArgumentException(
          "offline_breaker_silence_ms must be at least 1, but is '" + silenceMillis + "'");
    }
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "offline_breaker_share must be above 0, at most 1, but is '" + share + "'");
    }
  }

  /** As the monitor takes it. */
  public BreakerSettings settings() {
    return new BreakerSettings(enabled, silenceMillis, share);
  }
}
