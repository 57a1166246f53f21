package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of one connection in order. A small payload is copied behind its header, so that
 * both leave with one system call; a large one is written from where it lies, in pieces, as fast as
 * the socket takes them and never more than {@link #PASS_BYTES} before the loop sees to others.
 *
 * <p>Runs on the channel's event loop.
 */
final class Outbox {
  /** Payloads up to this size are copied. */
  static final int COPY_BYTES = 16 << 10;

  private static final int PIECE_BYTES = 256 << 10;
  private static final int PASS_BYTES = 1 << 20;

  private final Channel channel;
  private final int headerBytes;
  private final Runnable again;
  private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();

  /** The payload of the frame at the head, when its header is written and bytes are missing. */
  private @Nullable MemorySegment payload;

  private long position;
  private boolean pumping;
  private boolean closed;

  /**
   * Makes an empty one.
   *
   * @param again what the loop is to call, when it has seen to others, to have {@link #pump} go on
   */
  Outbox(Channel channel, int headerBytes, Runnable again) {
    this.channel = channel;
    this.headerBytes = headerBytes;
    this.again = again;
  }

  /** Queues a frame; {@link #pump} sends it. A closed outbox releases it at once. */
  void add(Outgoing frame) {
    if (closed) {
      frame.released(false);
    } else {
      queue.add(frame);
    }
  }

  /** Frames of which not all bytes have been handed to the channel. */
  int size() {
    return queue.size();
  }

  /** The frames that are waiting or under way, first to last. */
  Iterable<Outgoing> frames() {
    return queue;
  }

  /** Sends what the socket takes. Call it after {@link #add} and when the channel gets writable. */
  void pump() {
    if (pumping || closed) {
      return;
    }
    pumping = true;
    try {
      long budget = PASS_BYTES;
      boolean wrote = false;
      while (budget > 0 && channel.isWritable() && !queue.isEmpty()) {
        budget -= writeNext();
        wrote = true;
      }
      if (wrote) {
        channel.flush();
      }
    } catch (RuntimeException e) {
      // Memory that was closed too early, a bug of its owner: this connection is out of step now.
      channel.pipeline().fireExceptionCaught(e);
    } finally {
      pumping = false;
    }
    if (!closed && !queue.isEmpty() && channel.isWritable()) {
      channel.eventLoop().execute(again);
    }
  }

  /** Releases all frames; call it when the channel is inactive and has dropped its own buffers. */
  void close() {
    closed = true;
    payload = null;
    for (Outgoing frame = queue.poll(); frame != null; frame = queue.poll()) {
      frame.released(false);
    }
  }

  private long writeNext() {
    Outgoing frame = queue.element();
    MemorySegment bytes = payload;
    if (bytes != null) {
      return writePiece(frame, bytes);
    }
    if (frame.dropped()) {
      queue.remove();
      frame.released(false);
      return 0;
    }
    return start(frame);
  }

  private long start(Outgoing frame) {
    MemorySegment bytes = frame.payload();
    int inline = bytes != null && bytes.byteSize() <= COPY_BYTES ? (int) bytes.byteSize() : 0;
    ByteBuf out = channel.alloc().directBuffer(headerBytes + inline);
    frame.writeHeader(out);
    if (bytes == null || inline > 0) {
      if (bytes != null) {
        append(out, bytes, 0, inline);
      }
      queue.remove();
      channel.write(out, channel.voidPromise());
      frame.released(true);
      return (long) headerBytes + inline;
    }
    channel.write(out, channel.voidPromise());
    payload = bytes;
    position = 0;
    return headerBytes + writePiece(frame, bytes);
  }

  private long writePiece(Outgoing frame, MemorySegment bytes) {
    int length = (int) Math.min(PIECE_BYTES, bytes.byteSize() - position);
    ByteBuf piece;
    if (bytes.isNative()) {
      piece = Unpooled.wrappedBuffer(bytes.asSlice(position, length).asByteBuffer());
    } else {
      piece = channel.alloc().directBuffer(length);
      append(piece, bytes, position, length);
    }
    position += length;
    if (position < bytes.byteSize()) {
      channel.write(piece, channel.voidPromise());
      return length;
    }
    payload = null;
    queue.remove();
    ChannelPromise promise = channel.newPromise();
    promise.addListener(done -> frame.released(done.isSuccess()));
    channel.write(piece, promise);
    return length;
  }

  private static void append(ByteBuf out, MemorySegment from, long offset, int length) {
    int at = out.writerIndex();
    MemorySegment to = MemorySegment.ofBuffer(out.internalNioBuffer(at, length));
    MemorySegment.copy(from, offset, to, 0, length);
    out.writerIndex(at + length);
  }
}
