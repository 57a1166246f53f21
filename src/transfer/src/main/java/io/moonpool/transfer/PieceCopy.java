package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A copy within this host's memory, in pieces. Before every piece it looks whether it still may:
 * the other side can withdraw the segment, and the deadline can pass. Pieces also let the thread
 * reach its safepoints.
 */
final class PieceCopy {
  /** Bytes of one piece: some 50 microseconds. */
  private static final long PIECE_BYTES = 512 << 10;

  /**
   * Bytes of one piece where there are as many left: some 300 microseconds. From 2.5 MiB on Java
   * copies past the caches, where the processor can: values of this size do not stay there anyway,
   * and it is a third faster.
   */
  private static final long LARGE_PIECE_BYTES = 4 << 20;

  /** Lets pieces in. Any thread. */
  interface Gate {
    /** Asks for a piece; after {@link Refusal#NONE} the caller must {@link #leave}. */
    Refusal enter();

    /** The piece is copied. */
    void leave();
  }

  private PieceCopy() {}

  /**
   * Copies between local memory and other memory of this host, on this thread or, when that is an
   * event loop and the copy is large, on a worker.
   *
   * @param turns decides who copies
   * @param put true to write the other memory, false to read it
   * @param bound bytes of the other memory that may be accessed
   * @param offset where in the other memory
   * @return completes on the context
   */
  static Future<Void> start(
      ContextInternal context,
      Workers workers,
      CopyTurns turns,
      boolean put,
      MemorySegment local,
      MemorySegment other,
      long bound,
      long offset,
      long deadlineNanos,
      Gate gate) {
    if (!Lent.inRange(offset, local.byteSize(), bound)) {
      return context.failedFuture(Refusal.OUT_OF_RANGE.exception());
    }
    long startNanos = System.nanoTime();
    if (turns.isHere(local.byteSize(), startNanos)) {
      StoreException failure = run(put, local, other, offset, deadlineNanos, gate);
      turns.made(local.byteSize(), System.nanoTime() - startNanos);
      return failure == null ? context.succeededFuture() : context.failedFuture(failure);
    }
    Promise<Void> promise = context.promise();
    workers
        .<@Nullable StoreException>run(() -> run(put, local, other, offset, deadlineNanos, gate))
        .onComplete(
            copied -> {
              StoreException failure =
                  switch (copied.cause()) {
                    case null -> copied.result();
                    case StoreException closed -> closed;
                    case Throwable bug ->
                        new StoreException(ErrorCode.INTERNAL_ERROR, String.valueOf(bug));
                  };
              if (failure == null) {
                promise.complete();
              } else {
                promise.fail(failure);
              }
            });
    return promise.future();
  }

  private static @Nullable StoreException run(
      boolean put,
      MemorySegment local,
      MemorySegment other,
      long offset,
      long deadlineNanos,
      Gate gate) {
    long length = local.byteSize();
    if (put) {
      return run(local, 0, other, offset, length, deadlineNanos, gate);
    }
    StoreException failure = run(other, offset, local, 0, length, deadlineNanos, gate);
    // What was read after the deadline may be another object's bytes already.
    return failure == null && System.nanoTime() - deadlineNanos >= 0
        ? new StoreException(ErrorCode.LEASE_EXPIRED)
        : failure;
  }

  /**
   * Copies.
   *
   * @return null when all bytes are there, else why not
   */
  private static @Nullable StoreException run(
      MemorySegment from,
      long fromOffset,
      MemorySegment to,
      long toOffset,
      long length,
      long deadlineNanos,
      Gate gate) {
    try {
      long piece;
      for (long at = 0; at < length; at += piece) {
        piece = piece(length - at);
        if (System.nanoTime() - deadlineNanos >= 0) {
          return new StoreException(ErrorCode.LEASE_EXPIRED);
        }
        Refusal refusal = gate.enter();
        if (refusal != Refusal.NONE) {
          return refusal.exception();
        }
        try {
          MemorySegment.copy(from, fromOffset + at, to, toOffset + at, piece);
        } finally {
          gate.leave();
        }
      }
    } catch (IllegalStateException e) {
      // The mapping was closed under the copy: the peer is gone.
      return new StoreException(
          ErrorCode.TRANSFER_FAIL,
          "the memory was unmapped during the transfer: " + e.getMessage());
    }
    return null;
  }

  /** Bytes of the next piece. */
  private static long piece(long left) {
    return left >= LARGE_PIECE_BYTES ? LARGE_PIECE_BYTES : Math.min(PIECE_BYTES, left);
  }
}
