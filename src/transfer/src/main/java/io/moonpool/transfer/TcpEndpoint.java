package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where a data server listens.
 *
 * @param host a name or an address literal
 * @param port 1 to 65535
 * @param server the instance of the server, so that a successor at the same address is noticed
 */
record TcpEndpoint(String host, int port, long server) {
  private static final byte VERSION = 1;

  byte[] encode() {
    byte[] name = host.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + Long.BYTES + Short.BYTES + name.length)
        .put(VERSION)
        .putLong(server)
        .putShort((short) port)
        .put(name)
        .array();
  }

  /**
   * Reads a descriptor.
   *
   * @throws IllegalArgumentException when it is none of this version
   */
  static TcpEndpoint decode(SegmentEndpoint endpoint) {
    return decode(ByteBuffer.wrap(endpoint.descriptor()));
  }

  static TcpEndpoint decode(ByteBuffer in) {
    try {
      if (in.get() != VERSION) {
        throw new IllegalArgumentException("an endpoint descriptor of another version");
      }
      long server = in.getLong();
      int port = Short.toUnsignedInt(in.getShort());
      byte[] name = new byte[in.remaining()];
      in.get(name);
      return new TcpEndpoint(new String(name, StandardCharsets.UTF_8), port, server);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("an endpoint descriptor that is cut off", e);
    }
  }
}
