package io.moonpool.core.index;

/**
 * When objects that only a disk has are brought back into memory because they are read.
 *
 * @param enabled whether they are at all
 * @param threshold reads of late that make an object worth it, 1 to 255
 * @param queueLimit how many promotions of this loop may be under way, at least 1
 * @param waitMillis how long one may wait for its node before it is given up, at least 1
 */
public record PromotionPolicy(boolean enabled, int threshold, int queueLimit, long waitMillis) {
  /** Nothing is promoted. */
  public static final PromotionPolicy OFF = new PromotionPolicy(false, 1, 1, 1);

  /** Checks the values. */
  public PromotionPolicy {
    if (threshold < 1 || threshold > 255 || queueLimit < 1 || waitMillis < 1) {
      throw new IllegalArgumentException(
          "the threshold is 1 to 255, the queue holds at least 1, the wait is at least 1 ms: "
              + threshold
              + ", "
              + queueLimit
              + ", "
              + waitMillis
              + " ms");
    }
  }
}
