package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Completable;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One put or get, cut into frames. It ends when all frames that were started have ended, so that
 * nothing of it moves after its caller was told. Runs on the event loop of its connections.
 */
final class Transfer {
  /** Payload bytes of one frame. */
  static final long FRAME_BYTES = 4L << 20;

  private final boolean put;
  private final MemorySegment local;
  private final RemoteSegment remote;
  private final long remoteOffset;
  private final long deadlineNanos;
  private final Completable<Void> done;
  private boolean settled;
  private long next;
  private int running;
  private @Nullable StoreException failure;

  Transfer(
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    this.put = put;
    this.local = local;
    this.remote = remote;
    this.remoteOffset = remoteOffset;
    this.deadlineNanos = deadlineNanos;
    this.done = done;
  }

  boolean put() {
    return put;
  }

  RemoteSegment remote() {
    return remote;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  long bytes() {
    return local.byteSize();
  }

  /** Frames that have not been made yet. */
  long framesLeft() {
    return failure == null ? (local.byteSize() - next + FRAME_BYTES - 1) / FRAME_BYTES : 0;
  }

  /** Makes the next frame, of which there must be one left. */
  ClientFrame nextFrame() {
    long length = Math.min(FRAME_BYTES, local.byteSize() - next);
    MemorySegment bytes = length == local.byteSize() ? local : local.asSlice(next, length);
    ClientFrame frame = new ClientFrame(this, bytes, Math.addExact(remoteOffset, next));
    next += length;
    running++;
    return frame;
  }

  /** A frame ended well. */
  void frameDone() {
    running--;
    settle();
  }

  /** A frame failed; no more are made. */
  void frameFailed(StoreException cause) {
    running--;
    fail(cause);
  }

  /** Fails a transfer, at once when no frame is under way. */
  void fail(StoreException cause) {
    if (failure == null) {
      failure = cause;
    }
    settle();
  }

  private void settle() {
    if (settled || running > 0 || framesLeft() > 0) {
      return;
    }
    settled = true;
    StoreException cause = failure;
    if (cause == null && System.nanoTime() - deadlineNanos > 0) {
      cause = new StoreException(ErrorCode.LEASE_EXPIRED);
    }
    done.complete(null, cause);
  }
}
