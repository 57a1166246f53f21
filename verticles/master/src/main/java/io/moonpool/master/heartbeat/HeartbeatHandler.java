package io.moonpool.master.heartbeat;

import io.moonpool.master.loop.LoopCounter;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.MooncakePingFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the heartbeat port: reads pings, records them, answers each. The first byte of
 * a frame tells whether it is Moonpool's or one of Mooncake's clients; a connection may mix them.
 *
 * <p>It owns two small buffers for its whole life, one that the socket is read into and one that
 * the answers are sent from, so a ping allocates nothing. A peer that does not read its answers
 * loses the connection; a peer that sends anything but pings, too.
 */
final class HeartbeatHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatHandler.class);

  /** Nothing more can be answered now: the frame that comes next is not whole yet. */
  private static final int INCOMPLETE = 0;

  /** What comes next is none of the port's frames. */
  private static final int NO_FRAME = -1;

  private final PingRecorder recorder;
  private final MooncakePings mooncake;
  private final LoopCounter pings;
  private final HeartbeatConnections connections;
  private final BrokenPeers broken;
  private final PingBuffer input;
  private final ByteBuf output;

  /** It brought a ping of a node that the master knows. */
  private boolean isNode;

  /** Its last frame of Mooncake's with a body had its literal; ServiceReady has none to tell. */
  private boolean named = true;

  HeartbeatHandler(
      PingRecorder recorder,
      MooncakePings mooncake,
      LoopCounter pings,
      HeartbeatConnections connections,
      BrokenPeers broken,
      PingBuffer input,
      ByteBuf output) {
    this.recorder = recorder;
    this.mooncake = mooncake;
    this.pings = pings;
    this.connections = connections;
    this.broken = broken;
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
    while (frames.isReadable()) {
      if (output.writableBytes() < mooncake.longestAnswer() && !sendAll(context)) {
        frames.clear();
        return;
      }
      int taken = answerNext(context, frames, frames.readerIndex(), frames.readableBytes());
      if (taken == INCOMPLETE) {
        break;
      }
      if (taken == NO_FRAME) {
        broken.sentSomethingElse(context.channel());
        frames.clear();
        // What was whole before it is answered.
        if (sendAll(context)) {
          context.close();
        }
        return;
      }
      frames.skipBytes(taken);
    }
    sendAll(context);
  }

  /** Answers the frame at an index, and tells its length. */
  private int answerNext(ChannelHandlerContext context, ByteBuf frames, int at, int readable) {
    return switch (frames.getByte(at)) {
      case HeartbeatFrame.FIRST_BYTE -> answerPing(context, frames, at, readable);
      case MooncakePingFrame.FIRST_BYTE ->
          mooncake.served() ? answerMooncake(context, frames, at, readable) : NO_FRAME;
      default -> NO_FRAME;
    };
  }

  private int answerPing(ChannelHandlerContext context, ByteBuf frames, int at, int readable) {
    if (readable < HeartbeatFrame.BYTES) {
      return INCOMPLETE;
    }
    if (!HeartbeatFrame.isPing(frames, at)) {
      return NO_FRAME;
    }
    int answerAt = output.writerIndex();
    output.writeBytes(frames, at, HeartbeatFrame.BYTES);
    PingStatus status =
        recorder.record(HeartbeatFrame.slot(frames, at), HeartbeatFrame.incarnation(frames, at));
    HeartbeatFrame.setAnswer(
        output, answerAt, status, recorder.masterEpoch(), recorder.viewVersion());
    recorded(context, status);
    return HeartbeatFrame.BYTES;
  }

  private int answerMooncake(ChannelHandlerContext context, ByteBuf frames, int at, int readable) {
    int bytes = MooncakePingFrame.requestBytes(frames, at, readable);
    if (bytes == MooncakePingFrame.NONE) {
      return NO_FRAME;
    }
    if (bytes == MooncakePingFrame.INCOMPLETE || readable < bytes) {
      return INCOMPLETE;
    }
    int sequence = MooncakePingFrame.sequence(frames, at);
    if (bytes == MooncakePingFrame.SERVICE_READY_BYTES) {
      mooncake.writeVersion(output, sequence, named);
      return bytes;
    }
    if (!MooncakePingFrame.isPing(frames, at, bytes)) {
      return NO_FRAME;
    }
    named = bytes == MooncakePingFrame.NAMED_PING_BYTES;
    PingStatus status =
        mooncake
            .clients()
            .ping(
                recorder,
                MooncakePingFrame.idMost(frames, at, bytes),
                MooncakePingFrame.idLeast(frames, at, bytes));
    MooncakePingFrame.writePingAnswer(output, sequence, named, status);
    recorded(context, status);
    return bytes;
  }

  private void recorded(ChannelHandlerContext context, PingStatus status) {
    if (!isNode && status != PingStatus.NEED_REMOUNT) {
      isNode = true;
      connections.isNode(context.channel());
    }
    pings.increment();
  }

  /** Sends what is answered; false when the peer does not read, and loses its connection. */
  private boolean sendAll(ChannelHandlerContext context) {
    if (!output.isReadable()) {
      return true;
    }
    context.writeAndFlush(output.retain(), context.voidPromise());
    if (output.refCnt() == 1) {
      output.clear();
      return true;
    }
    broken.readsNoAnswers(context.channel());
    context.close();
    return false;
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
