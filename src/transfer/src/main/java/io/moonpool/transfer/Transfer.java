package io.moonpool.transfer;

import io.moonpool.model.StoreException;
import io.vertx.core.Completable;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One put or get, cut into frames. Runs on the event loop of its connections. */
final class Transfer extends PiecewiseTransfer {
  /** Payload bytes of one frame. */
  static final long FRAME_BYTES = 4L << 20;

  private final RemoteSegment remote;
  private final Completable<Void> done;

  Transfer(
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    super(put, local, remoteOffset, deadlineNanos);
    this.remote = remote;
    this.done = done;
  }

  RemoteSegment remote() {
    return remote;
  }

  /** Frames that have not been made yet. */
  long framesLeft() {
    return (bytesLeft() + FRAME_BYTES - 1) / FRAME_BYTES;
  }

  /** Makes the next frame, of which there must be one left. */
  ClientFrame nextFrame() {
    MemorySegment bytes = nextBytes(FRAME_BYTES);
    ClientFrame frame = new ClientFrame(this, bytes, nextOffset());
    started(bytes.byteSize());
    return frame;
  }

  @Override
  void tell(@Nullable StoreException cause) {
    done.complete(null, cause);
  }
}
