package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One put or get, cut into pieces. It ends when all pieces that were started have ended, so that
 * nothing of it moves after its caller was told. Belongs to the thread that moves the pieces.
 */
abstract class PiecewiseTransfer {
  private final boolean put;
  private final MemorySegment local;
  private final long remoteOffset;
  private final long deadlineNanos;
  private long next;
  private int running;
  private boolean settled;
  private @Nullable StoreException failure;

  PiecewiseTransfer(boolean put, MemorySegment local, long remoteOffset, long deadlineNanos) {
    this.put = put;
    this.local = local;
    this.remoteOffset = remoteOffset;
    this.deadlineNanos = deadlineNanos;
  }

  final boolean put() {
    return put;
  }

  final long deadlineNanos() {
    return deadlineNanos;
  }

  final long bytes() {
    return local.byteSize();
  }

  /** True when its memory is on the heap. */
  final boolean onHeap() {
    return !local.isNative();
  }

  /** Bytes of which no piece has been made yet, and one will be. */
  final long bytesLeft() {
    return failure == null ? local.byteSize() - next : 0;
  }

  /** True while there are pieces to be made. */
  final boolean hasNext() {
    return bytesLeft() > 0;
  }

  /** The local bytes of the next piece, at most so many. */
  final MemorySegment nextBytes(long most) {
    long length = Math.min(most, local.byteSize() - next);
    return length == local.byteSize() ? local : local.asSlice(next, length);
  }

  /** Where in the peer's memory the next piece belongs. */
  final long nextOffset() {
    return Math.addExact(remoteOffset, next);
  }

  /** The next piece, of that many bytes, is on its way. */
  final void started(long length) {
    next += length;
    running++;
  }

  /** A piece has ended; when it failed, no more are made. */
  final void ended(@Nullable StoreException cause) {
    running--;
    if (cause == null) {
      settle();
    } else {
      fail(cause);
    }
  }

  /** Makes no more pieces; fails at once when none is under way. */
  final void fail(StoreException cause) {
    if (failure == null) {
      failure = cause;
    }
    settle();
  }

  private void settle() {
    if (settled || running > 0 || hasNext()) {
      return;
    }
    settled = true;
    StoreException cause = failure;
    if (cause == null && System.nanoTime() - deadlineNanos > 0) {
      cause = new StoreException(ErrorCode.LEASE_EXPIRED);
    }
    tell(cause);
  }

  /** Tells the caller, once. */
  abstract void tell(@Nullable StoreException cause);
}
