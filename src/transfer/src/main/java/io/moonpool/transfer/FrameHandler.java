package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames: headers of a fixed size, each followed by as many payload bytes as it says. Payload
 * lands in memory that the subclass names, before every piece anew, so that it can stop in the
 * middle of a payload; the rest is then read and dropped, and the connection stays in step.
 *
 * <p>Runs on the channel's event loop.
 */
abstract class FrameHandler extends ChannelInboundHandlerAdapter {
  /** Payload bytes that one read takes at most; deadlines are checked between reads. */
  static final int PIECE_BYTES = 256 << 10;

  /** With fewer bytes missing a read into the scratch may bring the next header with it. */
  private static final int MIN_DIRECT_BYTES = 16 << 10;

  private final LoopScratch scratch;
  private final int headerBytes;
  private final ByteBuf header;
  private long missing;
  private long position;
  private @Nullable ByteBuf lent;
  private long readNanos = System.nanoTime();

  FrameHandler(LoopScratch scratch, int headerBytes) {
    this.scratch = scratch;
    this.headerBytes = headerBytes;
    this.header = Unpooled.buffer(headerBytes, headerBytes);
  }

  /**
   * Takes a header.
   *
   * @return the number of payload bytes that follow
   * @throws ProtocolException to have the connection closed
   */
  abstract long onHeader(ByteBuf bytes) throws ProtocolException;

  /**
   * Where the payload under way belongs, from its first byte to its last; null to drop what comes.
   * Asked before every piece.
   */
  abstract @Nullable MemorySegment target();

  /** Called when all payload bytes of the frame have been read. */
  abstract void onPayloadRead() throws ProtocolException;

  /** The buffer for the next read: a slice of the target, or the scratch. */
  final ByteBuf nextBuffer() {
    lent = null;
    if (missing >= MIN_DIRECT_BYTES) {
      MemorySegment target = target();
      if (target != null && target.isNative()) {
        long length = Math.min(missing, PIECE_BYTES);
        lent = Unpooled.wrappedBuffer(target.asSlice(position, length).asByteBuffer()).clear();
        return lent;
      }
    }
    return scratch.lend();
  }

  /** When bytes last came. */
  final long readNanos() {
    return readNanos;
  }

  /** True between the first byte of a frame and its last. */
  final boolean insideFrame() {
    return missing > 0 || header.isReadable();
  }

  /** True between a header and the last byte of its payload. */
  final boolean insidePayload() {
    return missing > 0;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // The same buffer, not one with equal bytes.
  public final void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    ByteBuf bytes = (ByteBuf) message;
    readNanos = System.nanoTime();
    try {
      if (bytes == lent) {
        advance(bytes.readableBytes());
      } else {
        while (bytes.isReadable()) {
          consume(bytes);
        }
      }
    } finally {
      lent = null;
      bytes.release();
    }
  }

  private void consume(ByteBuf bytes) throws ProtocolException {
    if (missing > 0) {
      int length = (int) Math.min(missing, bytes.readableBytes());
      MemorySegment target = target();
      if (target != null) {
        place(bytes, length, target);
      }
      bytes.skipBytes(length);
      advance(length);
      return;
    }
    ByteBuf whole = bytes;
    if (header.isReadable() || bytes.readableBytes() < headerBytes) {
      bytes.readBytes(header, Math.min(bytes.readableBytes(), header.writableBytes()));
      if (header.isWritable()) {
        return;
      }
      whole = header;
    }
    position = 0;
    missing = onHeader(whole);
    header.clear();
    if (missing == 0) {
      onPayloadRead();
    }
  }

  private void place(ByteBuf bytes, int length, MemorySegment target) {
    if (scratch.is(bytes)) {
      MemorySegment.copy(scratch.memory(), bytes.readerIndex(), target, position, length);
    } else {
      MemorySegment source = MemorySegment.ofBuffer(bytes.nioBuffer(bytes.readerIndex(), length));
      MemorySegment.copy(source, 0, target, position, length);
    }
  }

  private void advance(long length) throws ProtocolException {
    position += length;
    missing -= length;
    if (missing == 0) {
      onPayloadRead();
    }
  }
}
