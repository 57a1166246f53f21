package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One request frame of a transfer on a client's connection.
 *
 * <pre>
 * state     | event                              | next
 * QUEUED    | its first byte is written          | SENDING
 * QUEUED    | expired, connection broken         | ENDED
 * SENDING   | its last byte is with the kernel   | SENT
 * SENDING   | expired: the connection is closed  | ENDED
 * SENT      | answered, connection broken        | ENDED
 * SENT      | expired: the answer is dropped     | ENDED
 * </pre>
 */
final class ClientFrame implements Outgoing {
  /** See the class comment. */
  enum State {
    QUEUED,
    SENDING,
    SENT,
    ENDED
  }

  private final Transfer transfer;
  private final MemorySegment local;
  private final long remoteOffset;
  private State state = State.QUEUED;
  private @Nullable ClientConnection connection;
  private long requestId;
  private long expiryNanos;

  ClientFrame(Transfer transfer, MemorySegment local, long remoteOffset) {
    this.transfer = transfer;
    this.local = local;
    this.remoteOffset = remoteOffset;
  }

  /**
   * Binds the frame to the connection that sends it.
   *
   * @param timeoutNanos how long it may take from now, if its deadline is not earlier
   */
  void bind(ClientConnection sender, long id, long nowNanos, long timeoutNanos) {
    connection = sender;
    requestId = id;
    long left = transfer.deadlineNanos() - nowNanos;
    expiryNanos = nowNanos + Math.min(left, timeoutNanos);
  }

  State state() {
    return state;
  }

  long requestId() {
    return requestId;
  }

  /** When the client gives up, and the latest moment at which the server may still act. */
  long expiryNanos() {
    return expiryNanos;
  }

  boolean put() {
    return transfer.put();
  }

  long length() {
    return local.byteSize();
  }

  /** Where the bytes of a get belong; null when nobody wants them any more. */
  @Nullable MemorySegment destination() {
    return state == State.ENDED ? null : local;
  }

  @Override
  public boolean dropped() {
    return state == State.ENDED;
  }

  @Override
  public void writeHeader(ByteBuf out) {
    ClientConnection sender = connection;
    if (sender == null) {
      throw new IllegalStateException("not bound");
    }
    state = State.SENDING;
    RemoteSegment remote = transfer.remote();
    Wire.writeRequest(
        out,
        new Wire.Request(
            put() ? Wire.PUT : Wire.GET,
            requestId,
            remote.segmentId(),
            remote.generation(),
            remoteOffset,
            local.byteSize(),
            sender.serverClock(expiryNanos)));
    sender.started(this);
  }

  @Override
  public @Nullable MemorySegment payload() {
    return put() ? local : null;
  }

  @Override
  public void released(boolean written) {
    if (state == State.SENDING) {
      state = State.SENT;
    }
    if (!written) {
      fail(new StoreException(ErrorCode.TRANSFER_FAIL, "the connection to the peer broke"));
    }
  }

  /** The server has answered and the bytes of a get are in place. */
  void answered(Refusal refusal) {
    if (state == State.ENDED) {
      return;
    }
    state = State.ENDED;
    if (refusal == Refusal.NONE) {
      transfer.ended(null);
    } else {
      transfer.ended(refusal.exception());
    }
  }

  /** Gives up: the deadline or the operation timeout passed. */
  void expire() {
    boolean deadline = expiryNanos - transfer.deadlineNanos() >= 0;
    fail(
        deadline
            ? new StoreException(ErrorCode.LEASE_EXPIRED)
            : new StoreException(
                ErrorCode.TRANSFER_FAIL, "the peer did not answer in time: try another replica"));
  }

  /** Ends the frame with a failure, unless it has ended. */
  void fail(StoreException cause) {
    if (state != State.ENDED) {
      state = State.ENDED;
      transfer.ended(cause);
    }
  }
}
