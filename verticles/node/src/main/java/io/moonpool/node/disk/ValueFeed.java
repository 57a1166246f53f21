package io.moonpool.node.disk;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.storage.PiecewiseCrc;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;

/**
 * Reads values for this node itself: borrows staging memory for a piece, has a worker read into it,
 * hands it on, and gives the memory back. A value takes one block at a time, so what is borrowed is
 * bounded by how many values are read at once. Runs on the event loop of its verticle.
 *
 * <p>Damage is told to who reads and to nobody else: that a value is to go elsewhere must not be
 * what makes its last copy go.
 */
final class ValueFeed {
  /** Large enough for the disk to be fast, small enough for several at a time. */
  private static final long MAX_PIECE_BYTES = 16L << 20;

  private final Staging staging;
  private final ValueSource source;
  private final DiskWorkers workers;
  private final long pieceBytes;

  /** A feed that takes its memory from that staging. */
  ValueFeed(Staging staging, ValueSource source, DiskWorkers workers) {
    this.staging = staging;
    this.source = source;
    this.workers = workers;
    // Checksums are made of whole blocks.
    this.pieceBytes =
        Math.min(MAX_PIECE_BYTES, staging.capacity() / Checksum.BLOCK_BYTES * Checksum.BLOCK_BYTES);
  }

  /** Reads a value; see {@link DiskValues#read}. */
  Future<Void> read(long version, long size, long giveUpNanos, PieceSink sink) {
    long present = source.size(version);
    if (present == ValueSource.ABSENT) {
      return Future.failedFuture(
          new StoreException(ErrorCode.OBJECT_NOT_FOUND, "the disk does not hold this version"));
    }
    if (present != size) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_REPLICA,
              "the disk holds " + present + " bytes of it instead of " + size));
    }
    return new Run(version, size, giveUpNanos, sink).next(0);
  }

  private final class Run {
    private final long version;
    private final long size;
    private final long giveUpNanos;
    private final PieceSink sink;
    private final PiecewiseCrc crc = new PiecewiseCrc();

    Run(long version, long size, long giveUpNanos, PieceSink sink) {
      this.version = version;
      this.size = size;
      this.giveUpNanos = giveUpNanos;
      this.sink = sink;
    }

    Future<Void> next(long offset) {
      long length = Math.min(pieceBytes, size - offset);
      return staging
          .borrow(source.blockBytes(offset, length), giveUpNanos)
          .compose(
              block ->
                  workers
                      .enqueue(() -> load(offset, length, staging.slice(block)))
                      .compose(piece -> sink.take(piece, offset))
                      .onComplete(taken -> staging.giveBack(block)))
          .compose(
              taken -> offset + length < size ? next(offset + length) : Future.succeededFuture());
    }

    /** Blocks. Pieces of one value are never read at the same time. */
    private MemorySegment load(long offset, long length, MemorySegment block) {
      Outcome<Long> start = source.readUnreported(version, offset, length, block);
      if (!start.ok()) {
        throw new StoreException(start.code());
      }
      MemorySegment piece = block.asSlice(start.get(), length);
      if (length < size) {
        crc.add(piece);
        if (offset + length == size && !source.matches(version, crc.value())) {
          throw new StoreException(ErrorCode.CHECKSUM_MISMATCH);
        }
      }
      return piece;
    }
  }
}
