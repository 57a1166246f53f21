package io.moonpool.master.heartbeat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * The buffer that one heartbeat connection is read into, again and again. What is left of an
 * incomplete ping stays in it, and the next read goes behind.
 */
final class PingBuffer implements RecvByteBufAllocator {
  /** Reads of one connection before the others have their turn. */
  private static final int READS_IN_A_ROW = 4;

  private final ByteBuf buffer;

  PingBuffer(ByteBuf buffer) {
    this.buffer = buffer;
  }

  ByteBuf buffer() {
    return buffer;
  }

  @Override
  @SuppressWarnings("deprecation") // the type is part of the interface
  public Handle newHandle() {
    return new SameBuffer();
  }

  @SuppressWarnings("deprecation") // the type is part of the interface
  private final class SameBuffer implements ExtendedHandle {
    private int reads;
    private int lastBytes;
    private int attemptedBytes;

    @Override
    public ByteBuf allocate(ByteBufAllocator ignored) {
      return buffer.retain();
    }

    @Override
    public int guess() {
      return buffer.writableBytes();
    }

    @Override
    public void reset(ChannelConfig config) {
      reads = 0;
    }

    @Override
    public void incMessagesRead(int count) {
      reads += count;
    }

    @Override
    public void lastBytesRead(int bytes) {
      lastBytes = bytes;
    }

    @Override
    public int lastBytesRead() {
      return lastBytes;
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      attemptedBytes = bytes;
    }

    @Override
    public int attemptedBytesRead() {
      return attemptedBytes;
    }

    @Override
    public boolean continueReading() {
      return reads < READS_IN_A_ROW && lastBytes > 0 && lastBytes == attemptedBytes;
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return reads < READS_IN_A_ROW && lastBytes > 0 && maybeMoreData.get();
    }

    @Override
    public void readComplete() {}
  }
}
