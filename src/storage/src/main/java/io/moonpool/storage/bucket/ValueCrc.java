package io.moonpool.storage.bucket;

import io.moonpool.model.Checksum;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * The CRC32C that the store keeps of every value, whatever checksum its writer gave. It follows the
 * rule of {@link Checksum}: the CRC32C of a value of at most one block of 1 MiB, of a longer one
 * the CRC32C of the block sums, each as four little-endian bytes. So it equals a writer's own
 * CRC32C, and one pass computes both.
 *
 * @param value the sum
 * @param blocks the sums of the blocks, empty for values of at most one
 */
public record ValueCrc(int value, int[] blocks) {
  private static final int[] NO_BLOCKS = {};

  /** The sum of a whole value. */
  public static ValueCrc of(MemorySegment bytes) {
    long size = bytes.byteSize();
    if (size <= Checksum.BLOCK_BYTES) {
      return new ValueCrc(crc(bytes), NO_BLOCKS);
    }
    int[] blocks = new int[Math.toIntExact(Math.ceilDiv(size, Checksum.BLOCK_BYTES))];
    CRC32C whole = new CRC32C();
    for (int i = 0; i < blocks.length; i++) {
      long at = (long) i * Checksum.BLOCK_BYTES;
      blocks[i] = crc(bytes.asSlice(at, Math.min(Checksum.BLOCK_BYTES, size - at)));
      addBlock(whole, blocks[i]);
    }
    return new ValueCrc((int) whole.getValue(), blocks);
  }

  /** Adds the sum of the next block to the sum over all blocks of a value. */
  public static void addBlock(CRC32C overBlocks, int sum) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      overBlocks.update(sum >>> shift);
    }
  }

  /** True unless the writer's checksum can be checked and says something else. */
  public boolean agreesWith(Checksum checksum) {
    return switch (checksum.kind()) {
      case NONE, OPAQUE -> true;
      case CRC32C, MANIFEST -> Integer.toUnsignedLong(value) == checksum.value();
    };
  }

  private static int crc(MemorySegment bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.asByteBuffer());
    return (int) crc.getValue();
  }
}
