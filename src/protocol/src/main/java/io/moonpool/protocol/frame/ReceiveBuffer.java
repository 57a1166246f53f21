package io.moonpool.protocol.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a connection that were received and not yet decoded. Usually one buffer as the
 * socket filled it; only a frame that arrives in pieces is copied together. Memory grows with what
 * arrived, never with what a header claims.
 */
final class ReceiveBuffer {
  private @Nullable ByteBuf bytes;

  /** Takes over a buffer. */
  void append(ByteBufAllocator allocator, ByteBuf more) {
    ByteBuf held = bytes;
    if (held == null || !held.isReadable()) {
      if (held != null) {
        held.release();
      }
      bytes = more;
      return;
    }
    try {
      int length = more.readableBytes();
      if (held.maxFastWritableBytes() < length || held.refCnt() > 1) {
        held = grow(allocator, held, length);
        bytes = held;
      }
      held.writeBytes(more);
    } finally {
      more.release();
    }
  }

  /** Doubling makes the copies linear in what is received. */
  private static ByteBuf grow(ByteBufAllocator allocator, ByteBuf held, int length) {
    int readable = held.readableBytes();
    int needed = Math.addExact(readable, length);
    ByteBuf grown = allocator.ioBuffer((int) Math.min(2L * needed, Integer.MAX_VALUE - 8));
    grown.writeBytes(held);
    held.release();
    return grown;
  }

  /** The undecoded bytes, or null when there are none. */
  @Nullable ByteBuf readable() {
    ByteBuf held = bytes;
    if (held != null && !held.isReadable()) {
      release();
      return null;
    }
    return held;
  }

  /** Forgets all bytes. */
  void release() {
    ByteBuf held = bytes;
    if (held != null) {
      bytes = null;
      held.release();
    }
  }
}
