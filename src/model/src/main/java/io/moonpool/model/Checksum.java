package io.moonpool.model;

import java.util.Arrays;

/**
 * The checksum that a writer computed for a value and the master stores.
 *
 * @param kind how it was computed
 * @param value CRC32C of the whole value in the low 32 bits, or a foreign writer's own 64 bits
 * @param blocks for CRC32C values above {@link #BLOCK_BYTES}: the CRC32C of each block of that size
 *     (the last may be shorter), so that ranges can be checked; {@code value} is then the CRC32C of
 *     these, each as four little-endian bytes. Empty otherwise. Not copied: do not write to it.
 */
public record Checksum(ChecksumKind kind, long value, int[] blocks) {
  /** The size above which a value has one CRC32C per block, and the size of a block, in bytes. */
  public static final int BLOCK_BYTES = 1 << 20;

  private static final int[] NO_BLOCKS = {};

  /** No checksum. */
  public static final Checksum NONE = new Checksum(ChecksumKind.NONE, 0, NO_BLOCKS);

  /** The CRC32C of a value of at most {@link #BLOCK_BYTES}. */
  public static Checksum crc32c(int crc) {
    return new Checksum(ChecksumKind.CRC32C, Integer.toUnsignedLong(crc), NO_BLOCKS);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Checksum that
        && kind == that.kind
        && value == that.value
        && Arrays.equals(blocks, that.blocks);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * kind.hashCode() + Long.hashCode(value)) + Arrays.hashCode(blocks);
  }

  @Override
  public String toString() {
    return kind == ChecksumKind.NONE ? "none" : kind + ":" + Long.toHexString(value);
  }
}
