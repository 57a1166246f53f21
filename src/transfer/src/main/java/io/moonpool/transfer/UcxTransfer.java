package io.moonpool.transfer;

import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Completable;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One put or get through UCX. Belongs to the loop that asks; the caller is told on its event loop.
 */
final class UcxTransfer extends PiecewiseTransfer {
  /**
   * Bytes of a piece: what may be on its way when the deadline passes. Devices are at full speed
   * with less. Where the library copies, the C library's copy is faster up to about a core's second
   * cache than beyond.
   */
  static final long PIECE_BYTES = 512 << 10;

  private final UcxWindow window;
  private final EventLoop callersLoop;
  private final Completable<Void> done;

  UcxTransfer(
      boolean put,
      MemorySegment local,
      UcxWindow window,
      long remoteOffset,
      long deadlineNanos,
      EventLoop callersLoop,
      Completable<Void> done) {
    super(put, local, remoteOffset, deadlineNanos);
    this.window = window;
    this.callersLoop = callersLoop;
    this.done = done;
  }

  UcxWindow window() {
    return window;
  }

  /** The local bytes of the next piece. */
  MemorySegment nextBytes() {
    return nextBytes(PIECE_BYTES);
  }

  @Override
  void tell(@Nullable StoreException cause) {
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
