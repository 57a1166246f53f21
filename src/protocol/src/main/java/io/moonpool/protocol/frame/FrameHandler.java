package io.moonpool.protocol.frame;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.internal.ContextInternal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection: collects bytes, takes frames out of them and coalesces flushes. All
 * methods run on the channel's event loop.
 *
 * <p>Frames are taken out as long as {@link FrameTurns} allows; then what is written is flushed,
 * reading stops, and the rest waits for its turn.
 */
abstract class FrameHandler extends ChannelInboundHandlerAdapter {
  /** Above the first, a peer is not read from; below the second it is again. In bytes. */
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(256 << 10, 1 << 20);

  final FrameCounters counters;
  private final @Nullable ContextInternal context;
  private final ReceiveBuffer received = new ReceiveBuffer();
  private final FrameTurns turns;
  private final Runnable flush = this::flushScheduled;
  private @Nullable ChannelHandlerContext handlerContext;

  private boolean closed;

  /** Between the first read of a burst and its end, which flushes. */
  private boolean reading;

  /** Frames are being taken out: calls that come back here must not do so again. */
  private boolean taking;

  private boolean written;
  private boolean flushScheduled;
  private boolean waitsForTurn;

  /**
   * A handler.
   *
   * @param context the Vert.x context that frames are handled on; null on plain Netty
   * @param turns shared with other connections of the same event loop
   */
  FrameHandler(FrameCounters counters, @Nullable ContextInternal context, FrameTurns turns) {
    this.counters = counters;
    this.context = context;
    this.turns = turns;
  }

  /**
   * Takes one frame out of a buffer, if a whole one is there.
   *
   * @return false when more bytes are needed or the channel was closed
   */
  abstract boolean takeFrame(ByteBuf in);

  /** True when no further frame may be taken out now; {@link #proceed} then goes on. */
  abstract boolean saturated();

  /** Whether the frame that a buffer begins with is taken out of turn. */
  boolean isUrgent(ByteBuf in) {
    return false;
  }

  /** No frame can be taken out now. */
  void onIdle() {}

  /** The channel is closed, for whatever reason. Called once. */
  abstract void onClosed();

  final ChannelHandlerContext ctx() {
    return Objects.requireNonNull(handlerContext, "the handler is in no pipeline");
  }

  final boolean isClosed() {
    return closed;
  }

  /** True when bytes were received that are not a whole frame yet. */
  final boolean hasUndecoded() {
    return received.readable() != null;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    handlerContext = ctx;
    ctx.channel().config().setWriteBufferWaterMark(WATER_MARK);
    counters.add(FrameCounter.CONNECTIONS_OPENED, 1);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (closed) {
      bytes.release();
      return;
    }
    reading = true;
    counters.add(FrameCounter.BYTES_IN, bytes.readableBytes());
    received.append(ctx.alloc(), bytes);
    proceed();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    reading = false;
    flushWritten();
    ctx.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      proceed();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closeNow();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    closeNow();
  }

  /** Closes the connection. */
  final void closeNow() {
    if (closed) {
      return;
    }
    closed = true;
    counters.add(FrameCounter.CONNECTIONS_CLOSED, 1);
    if (!taking) {
      received.release();
    }
    ctx().close();
    onClosed();
  }

  /** Takes out frames until there is none, the handler is saturated or its turn is over. */
  final void proceed() {
    if (closed || taking || waitsForTurn) {
      return;
    }
    taking = true;
    ContextInternal previous = context == null ? null : context.beginDispatch();
    try {
      waitsForTurn = !takeFrames();
    } finally {
      if (context != null) {
        context.endDispatch(previous);
      }
      taking = false;
    }
    if (closed) {
      received.release();
      return;
    }
    if (waitsForTurn) {
      turns.await(this, ctx().executor());
    }
    if (!reading || waitsForTurn) {
      flushWritten();
    }
    setReading(!waitsForTurn && !saturated());
    onIdle();
  }

  /** Answers false when there may be frames left for another turn. */
  private boolean takeFrames() {
    turns.begin();
    boolean mayTake = turns.mayTake();
    ByteBuf in = received.readable();
    while (in != null && !saturated()) {
      if (!mayTake && !isUrgent(in)) {
        return false;
      }
      if (!takeFrame(in)) {
        return true;
      }
      turns.taken();
      in = received.readable();
      if (!mayTake) {
        // One out of turn is enough.
        return in == null;
      }
      mayTake = turns.mayTake();
    }
    return true;
  }

  /** It is this connection's turn again. */
  final void takeTurn() {
    waitsForTurn = false;
    proceedOrClose();
  }

  /** {@link #proceed} outside of the pipeline, which would otherwise see to what is thrown. */
  final void proceedOrClose() {
    try {
      proceed();
    } catch (RuntimeException e) {
      ctx().pipeline().fireExceptionCaught(e);
      closeNow();
    }
  }

  private void setReading(boolean read) {
    Channel channel = ctx().channel();
    if (channel.config().isAutoRead() != read) {
      channel.config().setAutoRead(read);
    }
  }

  /** Writes a frame; it is flushed with the others of this burst or turn of the loop. */
  final void send(ByteBuf frame) {
    counters.add(FrameCounter.FRAMES_OUT, 1);
    counters.add(FrameCounter.BYTES_OUT, frame.readableBytes());
    ctx().write(frame, ctx().voidPromise());
    written = true;
    if (!ctx().channel().isWritable()) {
      flushWritten();
    } else if (!reading && !taking && !flushScheduled) {
      flushScheduled = true;
      ctx().executor().execute(flush);
    }
  }

  private void flushScheduled() {
    flushScheduled = false;
    flushWritten();
  }

  private void flushWritten() {
    if (written) {
      written = false;
      ctx().flush();
    }
  }
}
