package io.moonpool.master;

import io.moonpool.model.config.Setting;
import java.nio.charset.StandardCharsets;

/** What clients of Mooncake are told and granted; its settings begin with {@code mooncake_}. */
public record MooncakeConfig(
    @Setting(
            "Whether Mooncake's clients are served: their calls, their pings at the heartbeat port, and"
                + " the paths of their admin server.")
        boolean enabled,
    @Setting("Version that Mooncake's clients are told; they accept their own only.")
        String version,
    @Setting(
            "How long a Mooncake client may write after its start call: the reference keeps what a"
                + " writer may touch for so long.")
        long writeGrantMillis) {
  /** Answers of the heartbeat port have a byte for its length. */
  private static final int MAX_VERSION_BYTES = 100;

  /** The defaults. */
  public static final MooncakeConfig DEFAULT = new MooncakeConfig(true, "2.0.0", 600_000);

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public MooncakeConfig {
    if (version.isEmpty() || version.getBytes(StandardCharsets.UTF_8).length > MAX_VERSION_BYTES) {
      throw new IllegalArgumentException(
          "mooncake_version must have 1 to "
              + MAX_VERSION_BYTES
              + " bytes of UTF-8, but is '"
              + version
              + "'");
    }
    if (writeGrantMillis < 1) {
      throw new IllegalArgumentException(
          "mooncake_write_grant_ms must be at least 1, but is '" + writeGrantMillis + "'");
    }
  }
}
