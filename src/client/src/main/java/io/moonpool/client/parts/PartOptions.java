package io.moonpool.client.parts;

/**
 * How values are cut.
 *
 * @param partBytes values larger than this are stored in parts of this size
 * @param partsAtOnce how many parts of one value are written or read at once
 */
public record PartOptions(long partBytes, int partsAtOnce) {
  /** Parts of 64 MiB, two at once. */
  public static final PartOptions DEFAULT = new PartOptions(64L << 20, 2);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException when one cannot work
   */
  public PartOptions {
    if (partBytes < 1L << 20 || partBytes > 1L << 30) {
      throw new IllegalArgumentException("partBytes must be 1 MiB to 1 GiB, not " + partBytes);
    }
    if (partsAtOnce < 1) {
      throw new IllegalArgumentException("partsAtOnce must be positive, not " + partsAtOnce);
    }
  }
}
