package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's side of one data connection: frames go out in order and are answered in order, any
 * number of them under way.
 *
 * <p>A frame that expires while it waits is dropped. One that is sent is forgotten: its answer is
 * read and dropped, and the server itself refuses to act after the frame's deadline. One whose
 * payload is partly with the kernel can only be stopped by closing the connection.
 *
 * <p>Runs on the channel's event loop.
 */
final class ClientConnection extends FrameHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

  /** How fast two monotonic clocks may drift apart, as nanoseconds in each 2^12: 244 ppm. */
  private static final int DRIFT_SHIFT = 12;

  /** What the owner of a connection is told. */
  interface Owner {
    /** The peer has answered the greeting: frames flow. */
    void ready(ClientConnection connection);

    /** A frame has been answered. */
    void answered(ClientConnection connection);

    /** The connection is gone and all its frames have ended. */
    void closed(ClientConnection connection, StoreException cause);
  }

  private final Owner owner;
  private final long serverInstance;
  private final long operationTimeoutNanos;
  private final ArrayDeque<ClientFrame> sent = new ArrayDeque<>();
  private @Nullable ChannelHandlerContext context;
  private @Nullable Outbox outbox;
  private boolean ready;
  private boolean suspect;
  private boolean pumpScheduled;
  private long lastRequestId;
  private long nextExpiryNanos = Long.MAX_VALUE;
  private long lastUsedNanos;

  // The lower bound of (server's clock - own clock), and when it was measured.
  private long clockOffset;
  private long clockMeasuredNanos;

  private Wire.@Nullable Answer answer;
  private @Nullable StoreException failure;

  ClientConnection(
      Owner owner, LoopScratch scratch, long serverInstance, long operationTimeoutNanos) {
    super(scratch, Wire.ANSWER_BYTES);
    this.owner = owner;
    this.serverInstance = serverInstance;
    this.operationTimeoutNanos = operationTimeoutNanos;
    this.lastUsedNanos = System.nanoTime();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    outbox = new Outbox(added.channel(), Wire.REQUEST_BYTES, this::pump);
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    ByteBuf hello = active.alloc().directBuffer(Wire.REQUEST_BYTES);
    Wire.writeRequest(
        hello, new Wire.Request(Wire.HELLO, 0, new UUID(serverInstance, 0), 0, 0, 0, 0));
    active.writeAndFlush(hello, active.voidPromise());
    active.fireChannelActive();
  }

  /** True when frames flow and the peer is not late with answers. */
  boolean usable() {
    return ready && !suspect;
  }

  /** True when the peer has answered the greeting. */
  boolean ready() {
    return ready;
  }

  /** Frames that have not ended, forgotten ones included. */
  int load() {
    Outbox out = outbox;
    return sent.size() + (out == null ? 0 : out.size());
  }

  /** When it last had something to do. */
  long lastUsedNanos() {
    return lastUsedNanos;
  }

  /** Sends a frame, after those before it. */
  void send(ClientFrame frame) {
    Outbox out = outbox;
    ChannelHandlerContext current = context;
    if (out == null || current == null) {
      throw new IllegalStateException("not connected");
    }
    long now = System.nanoTime();
    boolean idle = load() == 0;
    frame.bind(this, ++lastRequestId, now, operationTimeoutNanos);
    if (nextExpiryNanos == Long.MAX_VALUE || frame.expiryNanos() - nextExpiryNanos < 0) {
      nextExpiryNanos = frame.expiryNanos();
    }
    out.add(frame);
    if (idle) {
      out.pump();
    } else if (!pumpScheduled) {
      // Frames that are sent in one turn of the loop leave with one system call.
      pumpScheduled = true;
      current
          .channel()
          .eventLoop()
          .execute(
              () -> {
                pumpScheduled = false;
                out.pump();
              });
    }
  }

  private void pump() {
    Outbox out = outbox;
    if (out != null) {
      out.pump();
    }
  }

  /** A moment of the own clock on the server's, early rather than late. */
  long serverClock(long ownNanos) {
    return ownNanos + clockOffset - ((System.nanoTime() - clockMeasuredNanos) >> DRIFT_SHIFT);
  }

  /** Called by a frame when its header has been written. */
  void started(ClientFrame frame) {
    sent.add(frame);
  }

  @Override
  long onHeader(ByteBuf bytes) throws ProtocolException {
    Wire.Answer next = Wire.readAnswer(bytes);
    answer = next;
    measureClock(next.serverClock());
    if (!ready) {
      if (next.requestId() != 0 || next.length() != 0) {
        throw new ProtocolException("the first answer is not to the greeting");
      }
      return 0;
    }
    ClientFrame frame = sent.peek();
    if (frame == null || frame.requestId() != next.requestId()) {
      throw new ProtocolException("an answer to request " + next.requestId() + " out of order");
    }
    long expected = !frame.put() && next.refusal() == Refusal.NONE ? frame.length() : 0;
    if (next.length() != expected) {
      throw new ProtocolException(
          "an answer of " + next.length() + " bytes instead of " + expected);
    }
    return expected;
  }

  private void measureClock(long serverNanos) {
    long now = System.nanoTime();
    // The server read its clock earlier than now: the true offset is this or more.
    long sample = serverNanos - now;
    long decayed = clockOffset - ((now - clockMeasuredNanos) >> DRIFT_SHIFT);
    if (!ready || sample - decayed > 0) {
      clockOffset = sample;
      clockMeasuredNanos = now;
    }
  }

  @Override
  @Nullable MemorySegment target() {
    ClientFrame frame = sent.peek();
    return frame == null ? null : frame.destination();
  }

  @Override
  void onPayloadRead() throws ProtocolException {
    Wire.Answer done = answer;
    if (done == null) {
      throw new IllegalStateException("payload without an answer");
    }
    answer = null;
    suspect = false;
    if (!ready) {
      if (done.refusal() != Refusal.NONE) {
        failure = done.refusal().exception();
        close();
        return;
      }
      ready = true;
      owner.ready(this);
      return;
    }
    lastUsedNanos = System.nanoTime();
    sent.remove().answered(done.refusal());
    owner.answered(this);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    pump();
    changed.fireChannelWritabilityChanged();
  }

  /** Ends frames whose time has passed. Called now and then, costs nothing when there are none. */
  void expire(long nowNanos) {
    Outbox out = outbox;
    if (nextExpiryNanos == Long.MAX_VALUE || nowNanos - nextExpiryNanos < 0 || out == null) {
      return;
    }
    nextExpiryNanos = Long.MAX_VALUE;
    boolean wanted = false;
    boolean cutOff = false;
    for (ClientFrame frame : sent) {
      cutOff |= frame.state() == ClientFrame.State.SENDING && nowNanos - frame.expiryNanos() >= 0;
      wanted |= stillWanted(frame, nowNanos);
    }
    for (Outgoing frame : out.frames()) {
      if (frame instanceof ClientFrame queued && queued.state() == ClientFrame.State.QUEUED) {
        wanted |= stillWanted(queued, nowNanos);
      }
    }
    suspect |= !sent.isEmpty() && sent.element().state() == ClientFrame.State.ENDED;
    if (cutOff || (suspect && !wanted)) {
      failure =
          new StoreException(
              ErrorCode.TRANSFER_FAIL, "the peer did not answer in time: try another replica");
      close();
    }
  }

  private boolean stillWanted(ClientFrame frame, long nowNanos) {
    if (frame.state() == ClientFrame.State.ENDED) {
      return false;
    }
    if (nowNanos - frame.expiryNanos() >= 0) {
      frame.expire();
      return false;
    }
    if (nextExpiryNanos == Long.MAX_VALUE || frame.expiryNanos() - nextExpiryNanos < 0) {
      nextExpiryNanos = frame.expiryNanos();
    }
    return true;
  }

  /** Closes the connection when the peer has not answered the greeting by now. */
  void giveUpUnlessReady() {
    if (!ready && failure == null) {
      failure =
          new StoreException(
              ErrorCode.TRANSFER_FAIL, "the peer accepted a connection but does not answer");
      close();
    }
  }

  /** Closes the connection; frames that have not ended fail. */
  void close() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    ready = false;
    StoreException known = failure;
    StoreException cause =
        known != null
            ? known
            : new StoreException(
                ErrorCode.TRANSFER_FAIL,
                "the connection to " + inactive.channel().remoteAddress() + " broke");
    Outbox out = outbox;
    if (out != null) {
      out.close();
    }
    for (ClientFrame frame = sent.poll(); frame != null; frame = sent.poll()) {
      frame.fail(cause);
    }
    owner.closed(this, cause);
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    LOG.debug("data connection to {} broke", failed.channel().remoteAddress(), cause);
    if (failure == null) {
      failure =
          new StoreException(
              ErrorCode.TRANSFER_FAIL,
              "the connection to " + failed.channel().remoteAddress() + " broke: " + cause);
    }
    failed.close();
  }
}
