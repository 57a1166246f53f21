package io.moonpool.protocol.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/** A blocking socket that sends and reads whatever bytes a test wants. */
final class RawPeer implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final DataInputStream in;

  private RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    this.in = new DataInputStream(socket.getInputStream());
  }

  static RawPeer connect(int port) throws IOException {
    return new RawPeer(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Connects with a receive buffer of that size, to be a slow reader. */
  static RawPeer connect(int port, int receiveBufferBytes) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(receiveBufferBytes);
    socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return new RawPeer(socket);
  }

  static RawPeer accept(ServerSocket server) throws IOException {
    server.setSoTimeout(TIMEOUT_MILLIS);
    return new RawPeer(server.accept());
  }

  static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  void send(ByteBuf bytes) throws IOException {
    socket.getOutputStream().write(ByteBufUtil.getBytes(bytes));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** A response: its header and body. */
  record Response(int error, int sequence, byte[] body) {}

  Response readResponse() throws IOException {
    ByteBuf header = read(FrameHeader.RESPONSE_BYTES);
    byte[] body = new byte[header.getIntLE(FrameHeader.RESPONSE_BODY_AT)];
    in.readFully(body);
    return new Response(
        header.getUnsignedByte(FrameHeader.ERROR_AT),
        header.getIntLE(FrameHeader.SEQUENCE_AT),
        body);
  }

  /** A request: its header and body. */
  record Request(int sequence, int functionId, byte[] body) {}

  Request readRequest() throws IOException {
    ByteBuf header = read(FrameHeader.REQUEST_BYTES);
    byte[] body = new byte[header.getIntLE(FrameHeader.REQUEST_BODY_AT)];
    in.readFully(body);
    return new Request(
        header.getIntLE(FrameHeader.SEQUENCE_AT), header.getIntLE(FrameHeader.FUNCTION_AT), body);
  }

  private ByteBuf read(int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return Unpooled.wrappedBuffer(bytes);
  }

  /** True when the other side closes without another byte. */
  boolean isClosedByPeer() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      return true; // reset: it closed with bytes of ours unread
    }
  }

  /** Reads until the end, whatever comes. */
  long drain() throws IOException {
    byte[] bytes = new byte[1 << 16];
    long total = 0;
    try {
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        total += n;
      }
    } catch (SocketException | EOFException e) {
      return total; // reset: as good as an end
    }
    return total;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
