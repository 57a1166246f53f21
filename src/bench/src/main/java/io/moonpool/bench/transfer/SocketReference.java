package io.moonpool.bench.transfer;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The reference for tcp: blocking sockets with large buffers, one thread a connection, payload read
 * straight into its place, nothing checked. What a put or get costs here, the machine costs.
 */
final class SocketReference implements AutoCloseable {
  private static final int BUFFER_BYTES = 4 << 20;
  private static final int HEADER_BYTES = 64;
  private static final int ANSWER_BYTES = 32;
  private static final byte PUT = 1;
  private static final byte GET = 2;

  private final SocketChannel channel;
  private final ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES);
  private final ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER_BYTES);

  private SocketReference(SocketChannel channel) {
    this.channel = channel;
  }

  /** The second process's side. */
  static final class Server implements AutoCloseable {
    private final ServerSocketChannel listener;
    private final MemorySegment memory;

    private Server(ServerSocketChannel listener, MemorySegment memory) {
      this.listener = listener;
      this.memory = memory;
    }

    int port() {
      return listener.socket().getLocalPort();
    }

    private void accept() {
      while (true) {
        try {
          SocketChannel accepted = listener.accept();
          configure(accepted);
          Thread.ofPlatform().daemon().name("bench-reference").start(() -> serve(accepted));
        } catch (AsynchronousCloseException e) {
          return;
        } catch (IOException e) {
          throw new IllegalStateException("the reference program cannot accept", e);
        }
      }
    }

    private void serve(SocketChannel channel) {
      ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES);
      ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER_BYTES);
      try (channel) {
        while (true) {
          readFully(channel, header.clear());
          header.flip();
          byte operation = header.get();
          ByteBuffer place = memory.asSlice(header.getLong(8), header.getInt(16)).asByteBuffer();
          if (operation == PUT) {
            readFully(channel, place);
            writeFully(channel, answer.clear());
          } else {
            writeFully(channel, answer.clear(), place);
          }
        }
      } catch (IOException e) {
        // The client is gone.
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  static Server serve(MemorySegment memory) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Server server = new Server(listener, memory);
    Thread.ofPlatform().daemon().name("bench-reference-accept").start(server::accept);
    return server;
  }

  static SocketReference connect(int port) throws IOException {
    SocketChannel channel = SocketChannel.open();
    configure(channel);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return new SocketReference(channel);
  }

  private static void configure(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
  }

  void put(ByteBuffer local, long offset) throws IOException {
    writeFully(channel, header(PUT, offset, local.remaining()), local);
    readFully(channel, answer.clear());
  }

  void get(ByteBuffer local, long offset) throws IOException {
    writeFully(channel, header(GET, offset, local.remaining()));
    answer.clear();
    ByteBuffer[] both = {answer, local};
    while (local.hasRemaining()) {
      if (channel.read(both) < 0) {
        throw new EOFException();
      }
    }
  }

  private ByteBuffer header(byte operation, long offset, int length) {
    header.clear();
    return header.put(0, operation).putLong(8, offset).putInt(16, length);
  }

  private static void readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException();
      }
    }
  }

  private static void writeFully(SocketChannel channel, ByteBuffer... buffers) throws IOException {
    ByteBuffer last = buffers[buffers.length - 1];
    while (last.hasRemaining()) {
      channel.write(buffers);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
