package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Decides into which memory a channel reads next: the bytes of a large payload go straight to where
 * they belong, everything else to the loop's scratch buffer. Belongs to one channel.
 *
 * <p>Only for channels that read at once when they have allocated (epoll, NIO): the handler's
 * checks of deadline and generation hold for the read that follows immediately.
 */
final class DirectReceive implements RecvByteBufAllocator {
  /** Bytes that one channel may read before the loop looks at the others: some 0.3 ms of copy. */
  private static final int PASS_BYTES = 1 << 20;

  private final FrameHandler handler;

  DirectReceive(FrameHandler handler) {
    this.handler = handler;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new DirectHandle();
  }

  private final class DirectHandle implements ExtendedHandle {
    private boolean autoRead;
    private int attempted;
    private int last;
    private int total;

    @Override
    public ByteBuf allocate(ByteBufAllocator ignored) {
      return handler.nextBuffer();
    }

    @Override
    public int guess() {
      return LoopScratch.BYTES;
    }

    @Override
    public void reset(ChannelConfig config) {
      autoRead = config.isAutoRead();
      total = 0;
    }

    @Override
    public void incMessagesRead(int messages) {
      // The budget counts bytes.
    }

    @Override
    public void lastBytesRead(int bytes) {
      last = bytes;
      if (bytes > 0) {
        total += bytes;
      }
    }

    @Override
    public int lastBytesRead() {
      return last;
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      attempted = bytes;
    }

    @Override
    public int attemptedBytesRead() {
      return attempted;
    }

    @Override
    public boolean continueReading() {
      // After the last byte of a payload the peer most likely waits for the answer.
      return autoRead && total < PASS_BYTES && last == attempted && handler.insidePayload();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return continueReading();
    }

    @Override
    public void readComplete() {
      // Nothing to learn: sizes do not adapt.
    }
  }
}
