package io.moonpool.app.demo;

import io.moonpool.app.blocking.PieceSink;
import io.moonpool.app.demo.Lanes.Buffers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Compares what a pool gave with what was stored, byte by byte, and sums it up. One object, one
 * lane.
 */
final class Comparison implements PieceSink {
  private final DemoObject object;
  private final String way;
  private final Buffers buffers;
  private final Sha256 sum;
  private long seenBytes;

  /**
   * A comparison that has seen nothing yet.
   *
   * @param way how the bytes were read, for messages
   * @param buffers of the lane; what should be there is made in its half
   */
  Comparison(DemoObject object, String way, Buffers buffers) {
    this.object = object;
    this.way = way;
    this.buffers = buffers;
    this.sum = Sha256.of(object);
  }

  @Override
  public void piece(long offset, MemorySegment bytes) throws IOException {
    seenBytes = offset + bytes.byteSize();
    if (seenBytes > object.size()) {
      throw wrongSize("at least " + seenBytes);
    }
    MemorySegment expected = buffers.ours().asSlice(0, bytes.byteSize());
    object.read(offset, expected);
    long wrong = expected.mismatch(bytes);
    if (wrong >= 0) {
      throw new DemoFailure(
          object.key()
              + " read through "
              + way
              + " differs from what was stored, first at byte "
              + (offset + wrong)
              + " of "
              + object.size());
    }
    sum.piece(offset, bytes);
  }

  /**
   * There is no more to come.
   *
   * @param storedSum the checksum of what was stored; empty for generated objects
   * @throws DemoFailure when bytes are missing, or the checksum is another one
   */
  void end(String storedSum) {
    if (seenBytes != object.size()) {
      throw wrongSize(String.valueOf(seenBytes));
    }
    String read = sum.hex();
    if (!read.equals(storedSum)) {
      throw new DemoFailure(
          object.key()
              + " read through "
              + way
              + " has the SHA-256 "
              + read
              + ", but what was stored has "
              + storedSum);
    }
  }

  private DemoFailure wrongSize(String bytes) {
    return new DemoFailure(
        object.key()
            + " read through "
            + way
            + " has "
            + bytes
            + " bytes, but "
            + object.size()
            + " were stored");
  }

  /** SHA-256 of a file's bytes; does nothing for generated objects. */
  static final class Sha256 implements PieceSink {
    private final MessageDigest digest;
    private final boolean wanted;

    private Sha256(boolean wanted) {
      this.wanted = wanted;
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }

    static Sha256 of(DemoObject object) {
      return new Sha256(object instanceof DemoObject.FileBytes);
    }

    @Override
    public void piece(long offset, MemorySegment bytes) {
      if (wanted) {
        digest.update(bytes.asByteBuffer());
      }
    }

    String hex() {
      return wanted ? HexFormat.of().formatHex(digest.digest()) : "";
    }
  }
}
