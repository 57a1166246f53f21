package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to the data port of a client of Mooncake: one request at a time. The protocol has no
 * deadlines, so a request whose time is over is ended by resetting the connection.
 *
 * <p>Runs on the channel's event loop.
 */
final class MooncakeConnection extends FrameHandler {
  private static final Logger LOG = LoggerFactory.getLogger(MooncakeConnection.class);

  private final MooncakePeer peer;
  private final long timeoutNanos;
  private @Nullable ChannelHandlerContext context;
  private @Nullable Outbox outbox;
  private @Nullable MooncakePiece piece;
  private @Nullable StoreException failure;
  private boolean answered;
  private boolean used;
  private long lastUsedNanos = System.nanoTime();

  /**
   * A connection that is not open yet.
   *
   * @param timeoutNanos how long a request may take
   */
  MooncakeConnection(MooncakePeer peer, LoopScratch scratch, long timeoutNanos) {
    super(scratch, MooncakeWire.STATUS_BYTES);
    this.peer = peer;
    this.timeoutNanos = timeoutNanos;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    outbox = new Outbox(added.channel(), MooncakeWire.HEADER_BYTES, this::pump);
  }

  private void pump() {
    Outbox out = outbox;
    if (out != null) {
      out.pump();
    }
  }

  /** True when it can take a request. */
  boolean free() {
    return piece == null && failure == null;
  }

  /** When its last request ended. */
  long lastUsedNanos() {
    return lastUsedNanos;
  }

  /** Sends a request. Only when it is {@link #free}. */
  void send(MooncakePiece next) {
    Outbox out = outbox;
    if (out == null) {
      throw new IllegalStateException("not connected");
    }
    next.begin(System.nanoTime(), timeoutNanos);
    piece = next;
    answered = false;
    out.add(next);
    out.pump();
  }

  @Override
  long onHeader(ByteBuf bytes) throws ProtocolException {
    int code = MooncakeWire.readStatus(bytes);
    MooncakePiece current = piece;
    if (current == null || answered) {
      throw new ProtocolException("a status that nobody asked for");
    }
    answered = true;
    if (code != MooncakeWire.DONE) {
      giveUp(
          new StoreException(
              ErrorCode.TRANSFER_FAIL,
              code == MooncakeWire.REJECTED
                  ? "the owner of the segment rejects the address: it was unmounted"
                  : "the owner of the segment failed with status " + code));
      return 0;
    }
    if (!current.put()) {
      return current.local().byteSize();
    }
    if (!current.sent()) {
      throw new ProtocolException("done before all was sent");
    }
    return 0;
  }

  @Override
  @Nullable MemorySegment target() {
    MooncakePiece current = piece;
    return current == null || failure != null ? null : current.local();
  }

  @Override
  void onPayloadRead() {
    MooncakePiece done = piece;
    if (done == null || failure != null) {
      return; // It is being closed; that ends the request.
    }
    piece = null;
    used = true;
    lastUsedNanos = System.nanoTime();
    done.end(null);
    peer.dispatch();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    pump();
    changed.fireChannelWritabilityChanged();
  }

  /** Ends a request whose time is over. */
  void expire(long nowNanos) {
    MooncakePiece current = piece;
    if (current != null && current.expired(nowNanos)) {
      giveUp(
          current.expiresWithTransfer()
              ? new StoreException(ErrorCode.LEASE_EXPIRED)
              : new StoreException(
                  ErrorCode.TRANSFER_FAIL, "the peer did not answer in time: try another replica"));
    }
  }

  /** Closes the connection at once, what is in the kernel's buffers included. */
  void giveUp(StoreException cause) {
    if (failure == null) {
      failure = cause;
    }
    ChannelHandlerContext current = context;
    if (current != null) {
      current.channel().config().setOption(ChannelOption.SO_LINGER, 0);
      current.close();
    }
  }

  /** Closes the connection; a request under way fails. */
  void close() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    Outbox out = outbox;
    if (out != null) {
      out.close();
    }
    MooncakePiece cut = piece;
    piece = null;
    StoreException cause = failure;
    if (cause == null) {
      cause =
          new StoreException(
              ErrorCode.TRANSFER_FAIL,
              "the connection to " + inactive.channel().remoteAddress() + " broke");
    }
    // A connection that was used before may have been closed by the peer just before this request.
    boolean stale = failure == null && used && !answered;
    failure = cause;
    if (cut != null && stale && cut.repeat()) {
      peer.stale(cut);
    } else if (cut != null) {
      cut.end(cause);
    }
    peer.closed(this);
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    LOG.debug("data connection to {} broke", failed.channel().remoteAddress(), cause);
    if (failure == null && cause instanceof ProtocolException) {
      failure =
          new StoreException(
              ErrorCode.TRANSFER_FAIL,
              "the owner of the segment does not speak the protocol: " + cause.getMessage());
    }
    failed.close();
  }
}
