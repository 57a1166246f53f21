package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a handshake with a client of Mooncake that lends memory. Runs on the
 * channel's event loop.
 */
final class MooncakeGreeting extends FrameHandler {
  private final byte[] own;
  private final Promise<byte[]> answer = Promise.promise();
  private @Nullable ChannelHandlerContext context;
  private byte[] text = {};

  /**
   * A handshake that is not begun yet.
   *
   * @param own what this side says
   */
  MooncakeGreeting(LoopScratch scratch, byte[] own) {
    super(scratch, MooncakeWire.GREETING_BYTES);
    this.own = own;
  }

  /** What the other side says. */
  Future<byte[]> answer() {
    return answer.future();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    ByteBuf out = active.alloc().directBuffer(MooncakeWire.GREETING_BYTES + own.length);
    MooncakeWire.writeGreeting(out, own);
    active.writeAndFlush(out, active.voidPromise());
    active.fireChannelActive();
  }

  @Override
  long onHeader(ByteBuf bytes) throws ProtocolException {
    long length = MooncakeWire.readGreeting(bytes);
    text = new byte[Math.toIntExact(length)];
    return length;
  }

  @Override
  @Nullable MemorySegment target() {
    return MemorySegment.ofArray(text);
  }

  @Override
  void onPayloadRead() {
    answer.tryComplete(text);
    giveUp();
  }

  /** Closes the connection; without an answer the handshake has failed. */
  void giveUp() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    fail("it was closed");
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    fail(String.valueOf(cause.getMessage()));
    failed.close();
  }

  private void fail(String why) {
    answer.tryFail(
        new StoreException(
            ErrorCode.TRANSFER_FAIL, "no handshake with the owner of the segment: " + why));
  }
}
