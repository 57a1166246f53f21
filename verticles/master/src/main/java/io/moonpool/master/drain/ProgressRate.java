package io.moonpool.master.drain;

/**
 * How fast a job goes: an average over the last seconds that forgets exponentially. It is brought
 * up to date when somebody looks, so it costs nothing in between.
 *
 * <p>Belongs to one thread. Time is monotonic, in milliseconds.
 */
final class ProgressRate {
  private static final double MEMORY_MILLIS = 5_000;

  private double perSecond;
  private double weight;
  private long lastAmount;
  private long lastMillis;

  ProgressRate(long amount, long nowMillis) {
    lastAmount = amount;
    lastMillis = nowMillis;
  }

  /**
   * The rate.
   *
   * @param amount that is done in all by now
   */
  double perSecond(long amount, long nowMillis) {
    long millis = nowMillis - lastMillis;
    if (millis >= 1) {
      double keep = Math.exp(-millis / MEMORY_MILLIS);
      // What was undone meanwhile is no speed.
      double latest = Math.max(0, amount - lastAmount) * 1_000.0 / millis;
      perSecond = perSecond * keep + latest * (1 - keep);
      weight = weight * keep + (1 - keep);
      lastAmount = amount;
      lastMillis = nowMillis;
    }
    return weight == 0 ? 0 : perSecond / weight;
  }
}
