package io.moonpool.master;

import io.moonpool.core.index.OffloadPolicy;
import io.moonpool.model.config.Setting;

/**
 * When objects are copied from memory to the disks of their nodes; its settings begin with {@code
 * offload_}.
 */
public record OffloadConfig(
    @Setting("Whether objects are copied to the disks of nodes that lend one.") boolean enabled,
    @Setting(
            "true: when their memory is wanted back. false: as soon as they are written, which"
                + " costs more writes and frees memory at once.")
        boolean onEvict,
    @Setting(
            "With offload_on_evict: evict objects from memory, and lose them, when they cannot be"
                + " queued for a disk.")
        boolean forceEvict,
    @Setting("How many objects may wait for one disk.") int queueLimit,
    @Setting("With offload_force_evict: an eviction queues at most this share of the limit.")
        double capRatio,
    @Setting("How long a node may take to copy an object that it was told to.") long holdMillis) {

  private static final int MAX_QUEUE = 100_000_000;

  /** The defaults. */
  public static final OffloadConfig DEFAULT =
      new OffloadConfig(true, false, false, 50_000, 0.5, 600_000);

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public OffloadConfig {
    check(
        queueLimit >= 1 && queueLimit <= MAX_QUEUE, "queue_limit", "1 to " + MAX_QUEUE, queueLimit);
    check(capRatio >= 0 && capRatio <= 1, "cap_ratio", "0 to 1", capRatio);
    check(holdMillis >= 1_000, "hold_ms", "at least 1000", holdMillis);
  }

  private static void check(boolean holds, String name, String expected, Object was) {
    if (!holds) {
      throw new IllegalArgumentException(
          "offload_" + name + " must be " + expected + ", but is '" + was + "'");
    }
  }

  /**
   * The policy of one of several metadata loops, which share the queues.
   *
   * @param loops how many there are
   */
  public OffloadPolicy policy(int loops) {
    return new OffloadPolicy(
        enabled, onEvict, forceEvict, Math.max(1, queueLimit / loops), capRatio, holdMillis);
  }
}
