package io.moonpool.gateway.wire;

import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes memory by Mooncake's {@code tcp} transport over plain sockets, written from the
 * protocol's description alone: a handshake tells the port of the data. One thread.
 */
public final class WireData implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final int HEADER_BYTES = 24;
  private static final int READ = 0x80;
  private static final int WRITE = 0x81;
  private static final String MARK = "VTCM";

  private final Socket socket = new Socket();
  private final DataInputStream in;

  /** A connection to a data port. */
  public WireData(String host, int dataPort) {
    try {
      connect(socket, host, dataPort);
      // A test opens more connections than the kernel lets wait for their end.
      socket.setSoLinger(true, 0);
      in = new DataInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void connect(Socket socket, String host, int port) throws IOException {
    socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
  }

  /** What the owner of an endpoint says of itself. */
  public static JsonObject handshake(String endpoint) {
    int colon = endpoint.lastIndexOf(':');
    try (Socket socket = new Socket()) {
      connect(
          socket, endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
      socket.getOutputStream().write(greeting("{\"buffers\":[],\"protocol\":\"tcp\"}"));
      return readGreeting(new DataInputStream(socket.getInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] greeting(String json) {
    byte[] text = json.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(9 + text.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(text.length + 1L)
        .put((byte) 1)
        .put(text)
        .array();
  }

  static JsonObject readGreeting(DataInputStream in) throws IOException {
    long length = Long.reverseBytes(in.readLong());
    if (in.readByte() != 1) {
      throw new AssertionError("not the type of a handshake");
    }
    byte[] text = new byte[Math.toIntExact(length - 1)];
    in.readFully(text);
    return new JsonObject(new String(text, StandardCharsets.UTF_8));
  }

  /** The port of the data of an endpoint. */
  public static int dataPort(String endpoint) {
    JsonObject said = handshake(endpoint);
    if (!said.getString("protocol").equals("tcp") || said.getInteger("tcp_proto_version") < 2) {
      throw new AssertionError("not the transport that was expected: " + said);
    }
    return said.getInteger("tcp_data_port");
  }

  private static byte[] header(int opcode, long size, long address) {
    return ByteBuffer.allocate(HEADER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(size)
        .putLong(address)
        .put((byte) opcode)
        .array();
  }

  /** Writes; answers the code of the status, 0 for done. */
  public int write(long address, byte[] bytes) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(header(WRITE, bytes.length, address));
      out.write(bytes);
      return status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads; null when the address is rejected. */
  public byte[] read(long address, long size) {
    try {
      socket.getOutputStream().write(header(READ, size, address));
      if (status() != 0) {
        return null;
      }
      byte[] bytes = new byte[Math.toIntExact(size)];
      in.readFully(bytes);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int status() throws IOException {
    int code = Integer.reverseBytes(in.readInt());
    byte[] mark = new byte[4];
    in.readFully(mark);
    if (!new String(mark, StandardCharsets.US_ASCII).equals(MARK)) {
      throw new AssertionError("not a status");
    }
    return code;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
