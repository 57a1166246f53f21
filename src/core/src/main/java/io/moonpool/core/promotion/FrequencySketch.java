package io.moonpool.core.promotion;

/**
 * How often keys were read lately, roughly, in 16 KiB whatever their number: a count-min sketch
 * (Cormode and Muthukrishnan) of four rows of 4,096 counters that end at 255. A key has one counter
 * a row; the least of them is never lower than its count, and higher only when other keys share all
 * four. After as many increments as there are counters all are halved, so old reads fade.
 *
 * <p>An increment touches four bytes; halving takes some microseconds. Not thread safe.
 */
public final class FrequencySketch {
  private static final int ROWS = 4;
  private static final int WIDTH = 4096;
  private static final int MAX = 255;
  private static final int HALVE_AFTER = ROWS * WIDTH;

  /** One odd multiplier a row: the rows must not agree on which keys share a counter. */
  private static final long[] SEEDS = {
    0x9E37_79B9_7F4A_7C15L, 0xD1B5_4A32_D192_ED03L, 0xAEF1_7502_108E_F2D9L, 0xBF58_476D_1CE4_E5B9L
  };

  private final byte[] counters = new byte[ROWS * WIDTH];
  private int increments;

  /**
   * Counts a read.
   *
   * @param hash of tenant and key
   * @return how often the key was read lately, this time included; 1 to 255
   */
  public int increment(long hash) {
    if (increments == HALVE_AFTER) {
      halve();
    }
    increments++;
    int least = MAX;
    for (int row = 0; row < ROWS; row++) {
      int at = at(hash, row);
      int count = Math.min(MAX, (counters[at] & MAX) + 1);
      counters[at] = (byte) count;
      least = Math.min(least, count);
    }
    return least;
  }

  /** How often a key was read lately; 0 to 255. */
  public int estimate(long hash) {
    int least = MAX;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, counters[at(hash, row)] & MAX);
    }
    return least;
  }

  private static int at(long hash, int row) {
    return row * WIDTH + (int) (((hash ^ (hash >>> 32)) * SEEDS[row]) >>> 52);
  }

  private void halve() {
    for (int i = 0; i < counters.length; i++) {
      counters[i] = (byte) ((counters[i] & MAX) >>> 1);
    }
    increments = 0;
  }
}
