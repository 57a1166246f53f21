package io.moonpool.transfer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The socket options that both ends of a data connection share. */
final class DataChannels {
  private static final int LOW_WATER_BYTES = 256 << 10;
  private static final int HIGH_WATER_BYTES = 512 << 10;

  /** System calls of one flush before the loop sees to others; each writes a piece at most. */
  private static final int WRITE_SPIN = 4;

  private DataChannels() {}

  /** Sets the options of a connected or accepted channel that do not need to be set earlier. */
  static void configure(Channel channel, TransferConfig config, FrameHandler handler) {
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
    channel.config().setOption(ChannelOption.SO_SNDBUF, config.socketBufferBytes());
    channel
        .config()
        .setWriteBufferWaterMark(new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES));
    channel.config().setWriteSpinCount(WRITE_SPIN);
    // Others (io_uring) read later than they allocate, and checks made in between would be void.
    if (channel instanceof EpollSocketChannel || channel instanceof NioSocketChannel) {
      channel.config().setRecvByteBufAllocator(new DirectReceive(handler));
    }
  }
}
