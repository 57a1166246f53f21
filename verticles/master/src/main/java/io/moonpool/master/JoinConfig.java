package io.moonpool.master;

import io.moonpool.model.config.Setting;

/** How segments join the pool when many come at once. */
public record JoinConfig(
    @Setting(
            "How many calls that mount segments are carried out at one time; more wait for their"
                + " turn, as long as it takes.")
        int mountConcurrency,
    @Setting(
            "How long a segment that joins takes less than its share of new objects, which grows"
                + " meanwhile; 0: it takes its share at once. For free_ratio_first, which otherwise"
                + " sends all new objects to what is empty.")
        long segmentRampUpMillis) {

  /** The defaults. */
  public static final JoinConfig DEFAULT = new JoinConfig(8, 0);

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public JoinConfig {
    if (mountConcurrency < 1 || mountConcurrency > 10_000) {
      throw new IllegalArgumentException(
          "mount_concurrency must be 1 to 10000, but is '" + mountConcurrency + "'");
    }
    if (segmentRampUpMillis < 0 || segmentRampUpMillis > 86_400_000) {
      throw new IllegalArgumentException(
          "segment_ramp_up_ms must be 0 to 86400000, but is '" + segmentRampUpMillis + "'");
    }
  }
}
