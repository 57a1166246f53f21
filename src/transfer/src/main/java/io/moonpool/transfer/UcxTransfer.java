package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Completable;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One put or get through UCX, cut into pieces. It ends when all pieces that were started have
 * ended, so that nothing of it moves after its caller was told. Belongs to the loop that asks; the
 * caller is told on its event loop.
 */
final class UcxTransfer {
  /** Bytes of a piece: what may be on its way when the deadline passes. */
  static final long PIECE_BYTES = 1L << 20;

  private final boolean put;
  private final MemorySegment local;
  private final UcxWindow window;
  private final long remoteOffset;
  private final long deadlineNanos;
  private final EventLoop callersLoop;
  private final Completable<Void> done;
  private long next;
  private int running;
  private boolean settled;
  private @Nullable StoreException failure;

  UcxTransfer(
      boolean put,
      MemorySegment local,
      UcxWindow window,
      long remoteOffset,
      long deadlineNanos,
      EventLoop callersLoop,
      Completable<Void> done) {
    this.put = put;
    this.local = local;
    this.window = window;
    this.remoteOffset = remoteOffset;
    this.deadlineNanos = deadlineNanos;
    this.callersLoop = callersLoop;
    this.done = done;
  }

  boolean put() {
    return put;
  }

  UcxWindow window() {
    return window;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  long bytes() {
    return local.byteSize();
  }

  /** True when its memory is on the heap, where the library cannot reach it. */
  boolean onHeap() {
    return !local.isNative();
  }

  /** True while there are pieces to be made. */
  boolean hasNext() {
    return failure == null && next < local.byteSize();
  }

  /** The local bytes of the next piece. */
  MemorySegment nextBytes() {
    return local.asSlice(next, Math.min(PIECE_BYTES, local.byteSize() - next));
  }

  /** Where in the peer's memory the next piece belongs. */
  long nextOffset() {
    return remoteOffset + next;
  }

  /** The next piece is on its way. */
  void started(long length) {
    next += length;
    running++;
  }

  /** A piece has ended. */
  void ended(@Nullable StoreException cause) {
    running--;
    if (cause == null) {
      settle();
    } else {
      fail(cause);
    }
  }

  /** Makes no more pieces; fails at once when none is under way. */
  void fail(StoreException cause) {
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
    tell(callersLoop, done, cause);
  }

  /** Tells a caller on its event loop; nobody is left to be told when that has ended. */
  static void tell(EventLoop loop, Completable<Void> caller, @Nullable StoreException failure) {
    try {
      loop.execute(() -> caller.complete(null, failure));
    } catch (RejectedExecutionException e) {
      caller.complete(null, failure);
    }
  }
}
