package io.moonpool.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a process needs to reach a segment of another through UCX.
 *
 * @param worker the number of the owner's UCX worker; a new one is made when the owner has to fence
 *     peers off, and the ticket is void then
 * @param address the worker's address
 * @param base where the segment starts in the owner
 * @param bytes the segment's size
 * @param key the segment's remote key
 */
record UcxTicket(long worker, byte[] address, long base, long bytes, byte[] key) {
  /** No ticket is longer. */
  static final int MAX_BYTES = 64 << 10;

  private static final int HEADER_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES;

  MemorySegment encode() {
    return MemorySegment.ofArray(
        ByteBuffer.allocate(HEADER_BYTES + address.length + key.length)
            .putLong(worker)
            .putLong(base)
            .putLong(bytes)
            .putInt(address.length)
            .putInt(key.length)
            .put(address)
            .put(key)
            .array());
  }

  /**
   * Reads a ticket.
   *
   * @throws ProtocolException when it is none
   */
  static UcxTicket decode(MemorySegment encoded) throws ProtocolException {
    ByteBuffer in = ByteBuffer.wrap(encoded.toArray(ValueLayout.JAVA_BYTE));
    try {
      long worker = in.getLong();
      long base = in.getLong();
      long bytes = in.getLong();
      int addressLength = in.getInt();
      int keyLength = in.getInt();
      if (bytes <= 0
          || addressLength <= 0
          || keyLength <= 0
          || addressLength > MAX_BYTES
          || keyLength > MAX_BYTES
          || addressLength + keyLength != in.remaining()) {
        throw new ProtocolException("an impossible description of memory");
      }
      byte[] address = new byte[addressLength];
      in.get(address);
      byte[] key = new byte[keyLength];
      in.get(key);
      return new UcxTicket(worker, address, base, bytes, key);
    } catch (BufferUnderflowException e) {
      throw new ProtocolException("a description of memory that is cut off");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UcxTicket that
        && worker == that.worker
        && base == that.base
        && bytes == that.bytes
        && Arrays.equals(address, that.address)
        && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(worker) * 31 + Long.hashCode(base);
  }

  @Override
  public String toString() {
    return "ticket of worker " + worker + " for " + bytes + " bytes";
  }
}
