package io.moonpool.storage;

import io.moonpool.model.Checksum;
import io.moonpool.storage.bucket.ValueCrc;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * The sum that the store keeps of a value, from pieces that are read one after the other; see
 * {@link BucketStore#matches}. Belongs to one thread at a time.
 */
public final class PiecewiseCrc {
  private final CRC32C overBlocks = new CRC32C();
  private int firstBlock;
  private long blocks;
  private boolean ended;

  /** The sum of nothing yet. */
  public PiecewiseCrc() {}

  /**
   * Adds the next piece.
   *
   * @param piece whole blocks of {@link Checksum#BLOCK_BYTES}, but for the last one
   * @throws IllegalStateException when the piece before was not of whole blocks
   */
  public void add(MemorySegment piece) {
    if (ended) {
      throw new IllegalStateException("only the last piece may end within a block");
    }
    ended = piece.byteSize() % Checksum.BLOCK_BYTES != 0;
    for (long at = 0; at < piece.byteSize(); at += Checksum.BLOCK_BYTES) {
      long length = Math.min(Checksum.BLOCK_BYTES, piece.byteSize() - at);
      int sum = ValueCrc.of(piece.asSlice(at, length)).value();
      if (blocks++ == 0) {
        firstBlock = sum;
      }
      ValueCrc.addBlock(overBlocks, sum);
    }
  }

  /** The sum of all pieces so far. */
  public int value() {
    return blocks > 1 ? (int) overBlocks.getValue() : firstBlock;
  }
}
