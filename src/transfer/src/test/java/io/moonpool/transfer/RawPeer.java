package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.UUID;

/** One end of a data connection, byte by byte: what a correct peer never does can be done here. */
final class RawPeer implements AutoCloseable {
  private final Socket socket;

  private RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
  }

  static RawPeer connect(TcpEndpoint endpoint) throws IOException {
    return new RawPeer(new Socket(endpoint.host(), endpoint.port()));
  }

  static RawPeer accept(ServerSocket listener) throws IOException {
    return new RawPeer(listener.accept());
  }

  static ServerSocket listen() throws IOException {
    ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    listener.setSoTimeout(20_000);
    return listener;
  }

  /** Greets a server, and reads its answer. */
  RawPeer greet(TcpEndpoint endpoint) throws IOException, ProtocolException {
    send(new Wire.Request(Wire.HELLO, 0, new UUID(endpoint.server(), 0), 0, 0, 0, 0));
    Wire.Answer answer = readAnswer();
    if (answer.refusal() != Refusal.NONE) {
      throw new IOException("refused: " + answer.refusal());
    }
    return this;
  }

  void send(Wire.Request request) throws IOException {
    ByteBuf out = Unpooled.buffer(Wire.REQUEST_BYTES);
    Wire.writeRequest(out, request);
    send(out.array());
  }

  void send(Wire.Answer answer) throws IOException {
    ByteBuf out = Unpooled.buffer(Wire.ANSWER_BYTES);
    Wire.writeAnswer(out, answer);
    send(out.array());
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  Wire.Answer readAnswer() throws IOException, ProtocolException {
    return Wire.readAnswer(Unpooled.wrappedBuffer(read(Wire.ANSWER_BYTES)));
  }

  Wire.Request readRequest() throws IOException, ProtocolException {
    return Wire.readRequest(Unpooled.wrappedBuffer(read(Wire.REQUEST_BYTES)));
  }

  byte[] read(int bytes) throws IOException {
    byte[] read = socket.getInputStream().readNBytes(bytes);
    if (read.length < bytes) {
      throw new EOFException("closed after " + read.length + " of " + bytes + " bytes");
    }
    return read;
  }

  /** Reads until the other end closes, and drops it. */
  void readToEnd() {
    try {
      while (socket.getInputStream().read(new byte[65536]) >= 0) {
        // What comes does not matter.
      }
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the connection is still open", e);
    } catch (IOException e) {
      // Reset: closed as well.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
