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
 * @param processes the namespace that the owner's process number is of; in another one the number
 *     means another process, or none
 * @param handshake the owner's data server, which tells how to map it
 */
record ShmEndpoint(UUID host, long processes, TcpEndpoint handshake) {
  private static final byte VERSION = 1;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");

  byte[] encode() {
    byte[] address = handshake.encode();
    return ByteBuffer.allocate(1 + 3 * Long.BYTES + address.length)
        .put(VERSION)
        .putLong(host.getMostSignificantBits())
        .putLong(host.getLeastSignificantBits())
        .putLong(processes)
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
      return new ShmEndpoint(host, in.getLong(), TcpEndpoint.decode(in));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("an endpoint descriptor that is cut off", e);
    }
  }

  /**
   * The endpoint of a segment of this process.
   *
   * @throws IOException when the kernel does not tell where this process is
   */
  static ShmEndpoint ofThisProcess(TcpEndpoint handshake) throws IOException {
    return new ShmEndpoint(thisHost(), thisProcesses(), handshake);
  }

  /**
   * True when the owner's memory can be found from this process.
   *
   * @throws IOException when the kernel does not tell where this process is
   */
  boolean isNear() throws IOException {
    return host.equals(thisHost()) && processes == thisProcesses();
  }

  /** A random number of each boot, which containers of one machine share. */
  private static UUID thisHost() throws IOException {
    try {
      return UUID.fromString(Files.readString(BOOT_ID).trim());
    } catch (IllegalArgumentException e) {
      throw new IOException("not a boot id in " + BOOT_ID, e);
    }
  }

  /** The number in a link such as {@code pid:[4026531836]}. */
  private static long thisProcesses() throws IOException {
    String link = Files.readSymbolicLink(PID_NAMESPACE).toString();
    try {
      return Long.parseLong(link, link.indexOf('[') + 1, link.length() - 1, 10);
    } catch (NumberFormatException e) {
      throw new IOException("not a namespace in " + PID_NAMESPACE, e);
    }
  }
}
