package io.moonpool.transfer;

import io.moonpool.model.StoreException;
import io.vertx.core.Completable;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One put into, or get from, a segment of a client of Mooncake, cut into requests. Runs on the
 * event loop of its connections.
 */
final class MooncakeTransfer extends PiecewiseTransfer {
  /** Bytes of one request. */
  static final long PIECE_BYTES = 4L << 20;

  private final Completable<Void> done;

  /**
   * A transfer.
   *
   * @param address of the first byte in the owner's memory
   */
  MooncakeTransfer(
      boolean put, MemorySegment local, long address, long deadlineNanos, Completable<Void> done) {
    super(put, local, address, deadlineNanos);
    this.done = done;
  }

  /** Pieces that have not been made yet. */
  long piecesLeft() {
    return Math.ceilDiv(bytesLeft(), PIECE_BYTES);
  }

  /** Makes the next piece, of which there must be one left. */
  MooncakePiece nextPiece() {
    MemorySegment bytes = nextBytes(PIECE_BYTES);
    MooncakePiece piece = new MooncakePiece(this, bytes, nextOffset());
    started(bytes.byteSize());
    return piece;
  }

  @Override
  void tell(@Nullable StoreException cause) {
    done.complete(null, cause);
  }
}
