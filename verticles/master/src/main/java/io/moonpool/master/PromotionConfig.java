package io.moonpool.master;

import io.moonpool.core.index.PromotionPolicy;
import io.moonpool.model.config.Setting;

/**
 * When objects that only a disk has are brought back into memory; its settings begin with {@code
 * promotion_}.
 */
public record PromotionConfig(
    @Setting("Whether objects that only a disk has come back into memory when they are read often.")
        boolean onHit,
    @Setting("How many reads of late are often, 1 to 255.") int admissionThreshold,
    @Setting("How many objects may be on their way from disks back to memory at a time.")
        int queueLimit,
    @Setting("How many objects a node is told at once to bring back.") int maxPerTake,
    @Setting("How long an object may wait for the node of its disk to bring it back.")
        long waitMillis) {

  private static final int MAX_QUEUE = 100_000_000;
  private static final int MAX_TAKE = 1_000;

  /** The defaults. */
  public static final PromotionConfig DEFAULT = new PromotionConfig(false, 2, 50_000, 8, 600_000);

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public PromotionConfig {
    check(
        admissionThreshold >= 1 && admissionThreshold <= 255,
        "admission_threshold",
        "1 to 255",
        admissionThreshold);
    check(
        queueLimit >= 1 && queueLimit <= MAX_QUEUE, "queue_limit", "1 to " + MAX_QUEUE, queueLimit);
    check(
        maxPerTake >= 1 && maxPerTake <= MAX_TAKE, "max_per_take", "1 to " + MAX_TAKE, maxPerTake);
    check(waitMillis >= 1_000, "wait_ms", "at least 1000", waitMillis);
  }

  private static void check(boolean holds, String name, String expected, Object was) {
    if (!holds) {
      throw new IllegalArgumentException(
          "promotion_" + name + " must be " + expected + ", but is '" + was + "'");
    }
  }

  /**
   * The policy of one of several metadata loops, which share the limit.
   *
   * @param loops how many there are
   */
  public PromotionPolicy policy(int loops) {
    return new PromotionPolicy(
        onHit, admissionThreshold, Math.max(1, queueLimit / loops), waitMillis);
  }
}
