package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Where a shared segment is.
 *
 * @param host the running kernel of its owner; processes on any other cannot map it
 * @param handshake the owner's data server, which tells how to map it
 */
record ShmEndpoint(UUID host, TcpEndpoint handshake) {
  private static final byte VERSION = 1;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  byte[] encode() {
    byte[] address = handshake.encode();
    return ByteBuffer.allocate(1 + 2 * Long.BYTES + address.length)
        .put(VERSION)
        .putLong(host.getMostSignificantBits())
        .putLong(host.getLeastSignificantBits())
        .put(address)
        .array();
  }

  /**
   * Reads a descriptor.
   *
   * @throws IllegalArgumentException when it is none of this version
   */
  static ShmEndpoint decode(SegmentEndpoint endpoint) {
    ByteBuffer in = ByteBuffer.wrap(endpoint.descriptor());
    try {
      if (in.get() != VERSION) {
        throw new IllegalArgumentException("an endpoint descriptor of another version");
      }
      UUID host = new UUID(in.getLong(), in.getLong());
      return new ShmEndpoint(host, TcpEndpoint.decode(in));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("an endpoint descriptor that is cut off", e);
    }
  }

  /**
   * The kernel that this process runs on: a random number of each boot. Containers share it.
   *
   * @throws IOException when the kernel does not tell
   */
  static UUID thisHost() throws IOException {
    try {
      return UUID.fromString(Files.readString(BOOT_ID).trim());
    } catch (IllegalArgumentException e) {
      throw new IOException("not a boot id in " + BOOT_ID, e);
    }
  }
}
