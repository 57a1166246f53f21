package io.moonpool.transfer;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Computes the CRC32C checksum of a value, in slices: one CRC for a value of at most {@link
 * Checksum#BLOCK_BYTES}, else one for each block of that size and one over these. Some 10 to 20
 * GB/s.
 *
 * <p>An instance is one computation in progress and belongs to one thread at a time.
 */
public final class ValueChecksum {
  /** Bytes that an event loop computes at a time: less than half a millisecond. */
  private static final long SLICE_BYTES = 4L * Checksum.BLOCK_BYTES;

  private static final int HEAP_CHUNK_BYTES = 64 << 10;

  private final MemorySegment value;
  private final int[] blocks;
  private int next;

  /** Starts a computation; {@link #advance} does the work. */
  public ValueChecksum(MemorySegment value) {
    this.value = value;
    this.blocks = new int[Math.max(1, blockCount(value.byteSize()))];
  }

  private static int blockCount(long bytes) {
    return Math.toIntExact((bytes + Checksum.BLOCK_BYTES - 1) / Checksum.BLOCK_BYTES);
  }

  /**
   * Computes more blocks.
   *
   * @param maxBytes how much to read before returning; at least one block is computed
   * @return true when the result is there
   */
  public boolean advance(long maxBytes) {
    long end = next + Math.max(1, maxBytes / Checksum.BLOCK_BYTES);
    for (; next < blocks.length && next < end; next++) {
      long offset = (long) next * Checksum.BLOCK_BYTES;
      long length = Math.min(Checksum.BLOCK_BYTES, value.byteSize() - offset);
      blocks[next] = crc(value.asSlice(offset, length));
    }
    return next == blocks.length;
  }

  /**
   * The checksum.
   *
   * @throws IllegalStateException before {@link #advance} has returned true
   */
  public Checksum result() {
    if (next < blocks.length) {
      throw new IllegalStateException("the checksum is not computed yet");
    }
    if (value.byteSize() <= Checksum.BLOCK_BYTES) {
      return Checksum.crc32c(blocks[0]);
    }
    return new Checksum(
        ChecksumKind.CRC32C, Integer.toUnsignedLong(overBlocks(blocks)), blocks.clone());
  }

  private static int overBlocks(int[] blocks) {
    ByteBuffer bytes =
        ByteBuffer.allocate(blocks.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(blocks);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** The CRC32C of at most 2 GiB of bytes, on the heap or off it. Computed at once. */
  public static int crc(MemorySegment bytes) {
    CRC32C crc = new CRC32C();
    if (bytes.isNative() || bytes.heapBase().orElse(null) instanceof byte[]) {
      crc.update(bytes.asByteBuffer());
    } else {
      // Longs and the like, or read-only heap memory: the JDK has no buffer view of these.
      byte[] chunk = new byte[(int) Math.min(HEAP_CHUNK_BYTES, bytes.byteSize())];
      for (long at = 0; at < bytes.byteSize(); at += chunk.length) {
        int length = (int) Math.min(chunk.length, bytes.byteSize() - at);
        MemorySegment.copy(bytes, at, MemorySegment.ofArray(chunk), 0, length);
        crc.update(chunk, 0, length);
      }
    }
    return (int) crc.getValue();
  }

  /** The checksum of a value, computed at once: about a millisecond for 10 MiB. */
  public static Checksum of(MemorySegment value) {
    ValueChecksum work = new ValueChecksum(value);
    work.advance(Long.MAX_VALUE);
    return work.result();
  }

  /**
   * The checksum of a value, computed on the given context in slices between which it serves
   * others.
   *
   * @param context the caller's own
   * @return completes on the context; at once for values of a few MiB
   */
  public static Future<Checksum> of(Context context, MemorySegment value) {
    ValueChecksum work = new ValueChecksum(value);
    if (work.advance(SLICE_BYTES)) {
      return Future.succeededFuture(work.result());
    }
    Promise<Checksum> promise = Promise.promise();
    context.runOnContext(next -> work.continueOn(context, promise));
    return promise.future();
  }

  private void continueOn(Context context, Promise<Checksum> promise) {
    try {
      if (advance(SLICE_BYTES)) {
        promise.complete(result());
      } else {
        context.runOnContext(next -> continueOn(context, promise));
      }
    } catch (RuntimeException e) {
      promise.fail(e); // The memory was closed meanwhile.
    }
  }

  /**
   * Whether a value has the checksum that its writer computed. Values without one, or with one of a
   * foreign kind, pass. Computed at once; compare the result of {@link #of(Context, MemorySegment)}
   * with {@link #agree} for large values on an event loop.
   */
  public static boolean matches(Checksum expected, MemorySegment value) {
    return expected.kind() != ChecksumKind.CRC32C || agree(expected, of(value));
  }

  /** Whether a computed checksum is the expected one; those that cannot be checked agree. */
  public static boolean agree(Checksum expected, Checksum computed) {
    return expected.kind() != ChecksumKind.CRC32C || expected.equals(computed);
  }

  /**
   * Whether a part of a value has the checksums of the blocks that lie wholly within it. Bytes of
   * blocks that lie partly outside are not checked; a value of at most one block is checked only as
   * a whole. Computed at once.
   *
   * @param expected the checksum of the whole value
   * @param valueBytes the size of the whole value
   * @param part the bytes that were read
   * @param offset where the part starts in the value
   */
  public static boolean matchesPart(
      Checksum expected, long valueBytes, MemorySegment part, long offset) {
    if (!Lent.inRange(offset, part.byteSize(), valueBytes)) {
      throw new IllegalArgumentException(
          "bytes " + offset + " + " + part.byteSize() + " are not within " + valueBytes);
    }
    if (offset == 0 && part.byteSize() == valueBytes) {
      return matches(expected, part);
    }
    int[] sums = expected.blocks();
    if (expected.kind() != ChecksumKind.CRC32C || sums.length == 0) {
      return true;
    }
    if (sums.length != blockCount(valueBytes)) {
      return false;
    }
    long end = offset + part.byteSize();
    long first = (offset + Checksum.BLOCK_BYTES - 1) / Checksum.BLOCK_BYTES;
    for (long block = first; block < sums.length; block++) {
      long from = block * Checksum.BLOCK_BYTES;
      long to = Math.min(from + Checksum.BLOCK_BYTES, valueBytes);
      if (to > end) {
        break;
      }
      if (crc(part.asSlice(from - offset, to - from)) != sums[(int) block]) {
        return false;
      }
    }
    return true;
  }
}
