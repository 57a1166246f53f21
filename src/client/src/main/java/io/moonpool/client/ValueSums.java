package io.moonpool.client;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * Computes and compares checksums. About 40 microseconds per MiB: values of at most one block may
 * be summed on an event loop, larger ones belong on a worker.
 */
final class ValueSums {
  private ValueSums() {}

  /** The checksum of a whole value. */
  static Checksum of(MemorySegment value) {
    long size = value.byteSize();
    if (size <= Checksum.BLOCK_BYTES) {
      return Checksum.crc32c(crc(value));
    }
    int[] blocks = new int[Math.toIntExact(Math.ceilDiv(size, Checksum.BLOCK_BYTES))];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = crc(block(value, (long) i * Checksum.BLOCK_BYTES));
    }
    return new Checksum(ChecksumKind.CRC32C, Integer.toUnsignedLong(combine(blocks)), blocks);
  }

  /** The same checksum of a manifest. */
  static Checksum asManifest(Checksum sum) {
    return new Checksum(ChecksumKind.MANIFEST, sum.value(), sum.blocks());
  }

  /** True when bytes under this kind of checksum can be checked. */
  static boolean checkable(ChecksumKind kind) {
    return kind == ChecksumKind.CRC32C || kind == ChecksumKind.MANIFEST;
  }

  /** True when the checksum has the blocks that a value of that size needs, and they fit it. */
  static boolean wellFormed(Checksum sum, long size) {
    if (size <= Checksum.BLOCK_BYTES) {
      return sum.blocks().length == 0;
    }
    return sum.blocks().length == Math.ceilDiv(size, Checksum.BLOCK_BYTES)
        && Integer.toUnsignedLong(combine(sum.blocks())) == sum.value();
  }

  /**
   * Whether a run of whole blocks, or a whole value of at most one block, is what was written.
   *
   * @param offset where the bytes are in the value, a multiple of {@link Checksum#BLOCK_BYTES}
   */
  static boolean matches(Checksum sum, long offset, MemorySegment bytes) {
    if (sum.blocks().length == 0) {
      return Integer.toUnsignedLong(crc(bytes)) == sum.value();
    }
    int first = Math.toIntExact(offset / Checksum.BLOCK_BYTES);
    for (long at = 0; at < bytes.byteSize(); at += Checksum.BLOCK_BYTES) {
      if (crc(block(bytes, at)) != sum.blocks()[first++]) {
        return false;
      }
    }
    return true;
  }

  private static MemorySegment block(MemorySegment value, long offset) {
    return value.asSlice(offset, Math.min(Checksum.BLOCK_BYTES, value.byteSize() - offset));
  }

  private static int combine(int[] blocks) {
    CRC32C crc = new CRC32C();
    byte[] word = new byte[Integer.BYTES];
    for (int block : blocks) {
      word[0] = (byte) block;
      word[1] = (byte) (block >>> 8);
      word[2] = (byte) (block >>> 16);
      word[3] = (byte) (block >>> 24);
      crc.update(word, 0, word.length);
    }
    return (int) crc.getValue();
  }

  private static int crc(MemorySegment bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.asByteBuffer());
    return (int) crc.getValue();
  }
}
