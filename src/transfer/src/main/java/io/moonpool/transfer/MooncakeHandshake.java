package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of a handshake with a client of Mooncake: one message each. What the client
 * says of itself is dropped as it comes, since nothing is needed of it. The client closes, or is
 * closed after a while.
 *
 * <p>Runs on the channel's event loop.
 */
final class MooncakeHandshake extends FrameHandler {
  private final MooncakeServer server;
  private @Nullable ChannelHandlerContext context;
  private boolean answered;

  MooncakeHandshake(MooncakeServer server, LoopScratch scratch) {
    super(scratch, MooncakeWire.GREETING_BYTES);
    this.server = server;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    closeLater(active);
    active.fireChannelActive();
  }

  private void closeLater(ChannelHandlerContext current) {
    current
        .executor()
        .schedule(
            () -> {
              current.close();
            },
            2 * server.config().operationTimeout().toMillis(),
            TimeUnit.MILLISECONDS);
  }

  @Override
  long onHeader(ByteBuf bytes) throws ProtocolException {
    if (answered) {
      throw new ProtocolException("more than one handshake");
    }
    return MooncakeWire.readGreeting(bytes);
  }

  @Override
  @Nullable MemorySegment target() {
    return null;
  }

  @Override
  void onPayloadRead() {
    ChannelHandlerContext current = context;
    if (current == null) {
      throw new IllegalStateException("not added");
    }
    answered = true;
    byte[] text = server.description();
    ByteBuf out = current.alloc().directBuffer(MooncakeWire.GREETING_BYTES + text.length);
    MooncakeWire.writeGreeting(out, text);
    server.counters().handshakes.increment();
    current.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    if (cause instanceof ProtocolException wrong) {
      server.malformed(failed.channel(), wrong);
    }
    failed.close();
  }
}
