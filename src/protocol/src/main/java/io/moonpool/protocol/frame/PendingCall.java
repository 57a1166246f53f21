package io.moonpool.protocol.frame;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.MalformedMessage;
import io.netty.buffer.ByteBuf;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** A call of a client from its start to its result. Belongs to the client's event loop. */
final class PendingCall<R> implements Runnable {
  private final FrameClient client;
  private final Call<?, R> call;
  private final Promise<R> promise;
  private final long timeoutNanos;
  private final long deadlineNanos;
  private final int frameBytes;
  private long framesBefore;
  private @Nullable ByteBuf frame;

  /**
   * A call that is ready to be sent.
   *
   * @param frame the request, its sequence not yet filled in; owned by this object
   * @param timeoutNanos how long the call may take
   * @param deadlineNanos {@link System#nanoTime()} by which the answer must be here
   */
  PendingCall(
      FrameClient client,
      Call<?, R> call,
      ByteBuf frame,
      Promise<R> promise,
      long timeoutNanos,
      long deadlineNanos) {
    this.client = client;
    this.call = call;
    this.frame = frame;
    this.frameBytes = frame.readableBytes();
    this.promise = promise;
    this.timeoutNanos = timeoutNanos;
    this.deadlineNanos = deadlineNanos;
  }

  /** The arrival on the client's event loop. */
  @Override
  public void run() {
    client.start(this);
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  int frameBytes() {
    return frameBytes;
  }

  /** How many frames the connection had received when the call was sent. */
  long framesBefore() {
    return framesBefore;
  }

  /** Hands the request over, to be sent once. */
  ByteBuf takeFrame(int sequence, long framesReceived) {
    ByteBuf taken = frame;
    if (taken == null) {
      throw new IllegalStateException("the request was sent already");
    }
    frame = null;
    framesBefore = framesReceived;
    taken.setIntLE(FrameHeader.SEQUENCE_AT, sequence);
    return taken;
  }

  /**
   * Completes the call with the body of its answer.
   *
   * @return false when the body is malformed
   */
  boolean complete(ByteBuf body) {
    R result;
    try {
      result = call.answer().decode(body);
    } catch (StoreException e) {
      promise.tryFail(e);
      return true;
    } catch (MalformedMessage e) {
      fail(ErrorCode.DESERIALIZE_FAIL, "the answer cannot be read: " + e.getMessage());
      return false;
    }
    promise.tryComplete(result);
    return true;
  }

  void fail(ErrorCode code, String message) {
    ByteBuf unsent = frame;
    if (unsent != null) {
      frame = null;
      unsent.release();
    }
    promise.tryFail(new StoreException(code, call + ": " + message));
  }
}
