package io.moonpool.master;

import io.moonpool.model.config.Setting;

/** How drains go on; its settings begin with {@code drain_}. */
public record DrainConfig(
    @Setting(
            "A drain that moves nothing for so long fails, with what it waits for; a job may name"
                + " another time.")
        long stallTimeoutMillis,
    @Setting(
            "How long a unit waits for its second try after its target could not be reached; its"
                + " third waits until the target's node is known to be gone.")
        long retryDelayMillis) {

  /** The defaults. */
  public static final DrainConfig DEFAULT = new DrainConfig(600_000, 1_000);

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public DrainConfig {
    if (stallTimeoutMillis < 1) {
      throw new IllegalArgumentException(
          "drain_stall_timeout_ms must be at least 1, but is '" + stallTimeoutMillis + "'");
    }
    if (retryDelayMillis < 0 || retryDelayMillis > 60_000) {
      throw new IllegalArgumentException(
          "drain_retry_delay_ms must be 0 to 60000, but is '" + retryDelayMillis + "'");
    }
  }
}
