package io.moonpool.transfer;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A client of Mooncake's tcp transport, byte by byte: knows nothing of the codec that is tested.
 */
final class MooncakeSocket implements AutoCloseable {
  static final int READ = 0x80;
  static final int WRITE = 0x81;

  private final Socket socket;
  private final DataInputStream in;

  MooncakeSocket(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    in = new DataInputStream(socket.getInputStream());
  }

  MooncakeSocket send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** A handshake; answers the text of the other side. */
  String greet(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(9 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
    send(out.putLong(bytes.length + 1L).put((byte) 1).put(bytes).array());
    ByteBuffer header = ByteBuffer.wrap(read(9)).order(ByteOrder.LITTLE_ENDIAN);
    long length = header.getLong();
    if (header.get() != 1) {
      throw new AssertionError("not a handshake");
    }
    return new String(read(Math.toIntExact(length) - 1), StandardCharsets.UTF_8);
  }

  static byte[] header(int opcode, long size, long address) {
    return ByteBuffer.allocate(24)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(size)
        .putLong(address)
        .put((byte) opcode)
        .put(new byte[] {1, 2, 3, 4, 5, 6, 7})
        .array();
  }

  MooncakeSocket ask(int opcode, long size, long address) throws IOException {
    return send(header(opcode, size, address));
  }

  /** The code of a status. */
  int status() throws IOException {
    ByteBuffer status = ByteBuffer.wrap(read(8)).order(ByteOrder.LITTLE_ENDIAN);
    int code = status.getInt();
    byte[] mark = new byte[4];
    status.get(mark);
    if (!new String(mark, StandardCharsets.US_ASCII).equals("VTCM")) {
      throw new AssertionError("not a status");
    }
    return code;
  }

  int write(long address, byte[] bytes) throws IOException {
    return ask(WRITE, bytes.length, address).send(bytes).status();
  }

  byte[] get(long address, int size) throws IOException {
    int status = ask(READ, size, address).status();
    if (status != 0) {
      throw new AssertionError("status " + status);
    }
    return read(size);
  }

  byte[] read(int bytes) throws IOException {
    byte[] read = new byte[bytes];
    in.readFully(read);
    return read;
  }

  boolean isClosedByPeer() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      return true; // reset
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
