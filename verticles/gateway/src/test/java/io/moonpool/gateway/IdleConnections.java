package io.moonpool.gateway;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that connects so many times and does no more: its files do not count against those of
 * the master, which tests run in their own process. It ends when its input does.
 */
final class IdleConnections {
  /** What it prints when all are there. */
  static final String READY = "READY";

  /** Some of them begin a frame. */
  private static final int ONE_IN = 3;

  private IdleConnections() {}

  /** Arguments: port, count. */
  public static void main(String[] arguments) throws IOException {
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
    List<SocketChannel> open = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      SocketChannel channel = SocketChannel.open(address);
      if (i % ONE_IN == 0) {
        channel.write(ByteBuffer.wrap(new byte[] {0x15, 0, 0, 0, 0, 0, 0, 0, 1, 2}));
      }
      open.add(channel);
    }
    System.out.println(READY);
    while (System.in.read() >= 0) {
      // Holds them.
    }
    for (SocketChannel channel : open) {
      channel.close();
    }
  }
}
