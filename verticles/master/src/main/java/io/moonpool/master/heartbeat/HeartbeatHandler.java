package io.moonpool.master.heartbeat;

import io.moonpool.master.loop.LoopCounter;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the heartbeat port: reads pings, records them, answers each.
 *
 * <p>It owns two small buffers for its whole life, one that the socket is read into and one that
 * the answers are sent from, so a ping allocates nothing. A peer that does not read its answers
 * loses the connection; a peer that sends anything but pings, too.
 */
final class HeartbeatHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatHandler.class);

  private final PingRecorder recorder;
  private final LoopCounter pings;
  private final HeartbeatConnections connections;
  private final PingBuffer input;
  private final ByteBuf output;

  /** It brought a ping of a node that the master knows. */
  private boolean isNode;

  HeartbeatHandler(
      PingRecorder recorder,
      LoopCounter pings,
      HeartbeatConnections connections,
      PingBuffer input,
      ByteBuf output) {
    this.recorder = recorder;
    this.pings = pings;
    this.connections = connections;
    this.input = input;
    this.output = output;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very buffer, not one with the same bytes
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf read = (ByteBuf) message;
    ByteBuf frames = input.buffer();
    if (read == frames) {
      answer(context, frames);
      frames.discardReadBytes();
    } else {
      // Decrypted bytes arrive in buffers of the TLS handler.
      while (read.isReadable() && context.channel().isActive()) {
        frames.writeBytes(read, Math.min(read.readableBytes(), frames.writableBytes()));
        answer(context, frames);
        frames.discardReadBytes();
      }
    }
    read.release();
  }

  private void answer(ChannelHandlerContext context, ByteBuf frames) {
    while (frames.readableBytes() >= HeartbeatFrame.BYTES) {
      int at = frames.readerIndex();
      if (!HeartbeatFrame.isPing(frames, at)) {
        LOG.warn(
            "closing heartbeat connection of {}: it sent something that is no ping of this version",
            context.channel().remoteAddress());
        frames.clear();
        context.close();
        return;
      }
      int answerAt = output.writerIndex();
      output.writeBytes(frames, HeartbeatFrame.BYTES);
      PingStatus status =
          recorder.record(
              HeartbeatFrame.slot(output, answerAt), HeartbeatFrame.incarnation(output, answerAt));
      HeartbeatFrame.setAnswer(
          output, answerAt, status, recorder.masterEpoch(), recorder.viewVersion());
      if (!isNode && status != PingStatus.NEED_REMOUNT) {
        isNode = true;
        connections.isNode(context.channel());
      }
      pings.increment();
    }
    if (output.isReadable()) {
      send(context);
    }
  }

  private void send(ChannelHandlerContext context) {
    context.writeAndFlush(output.retain(), context.voidPromise());
    if (output.refCnt() == 1) {
      output.clear();
    } else {
      LOG.warn(
          "closing heartbeat connection of {}: it does not read its answers",
          context.channel().remoteAddress());
      context.close();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    input.buffer().release();
    output.release();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("heartbeat connection of {} failed", context.channel().remoteAddress(), cause);
    context.close();
  }
}
