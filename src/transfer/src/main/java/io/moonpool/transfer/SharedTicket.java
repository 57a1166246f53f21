package io.moonpool.transfer;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What a process needs to map the memory of another.
 *
 * @param pid the owner, as the owner sees it
 * @param fd the owner's descriptor of the memory
 * @param dataBytes size of the data, which start at 0
 * @param controlOffset where the {@link ControlBlock} starts
 * @param slot the receiver's slot in it
 * @param token what the receiver must find in its slot; another process, or one of another
 *     container with the same number, has another
 */
record SharedTicket(long pid, int fd, long dataBytes, long controlOffset, int slot, UUID token) {
  /** The encoded size in bytes. */
  static final int BYTES = 48;

  MemorySegment encode() {
    return MemorySegment.ofArray(
        ByteBuffer.allocate(BYTES)
            .putLong(pid)
            .putInt(fd)
            .putInt(slot)
            .putLong(dataBytes)
            .putLong(controlOffset)
            .putLong(token.getMostSignificantBits())
            .putLong(token.getLeastSignificantBits())
            .array());
  }

  static SharedTicket decode(MemorySegment bytes) throws ProtocolException {
    ByteBuffer in = bytes.asByteBuffer();
    long pid = in.getLong();
    int fd = in.getInt();
    int slot = in.getInt();
    SharedTicket ticket =
        new SharedTicket(
            pid, fd, in.getLong(), in.getLong(), slot, new UUID(in.getLong(), in.getLong()));
    if (pid <= 0
        || fd < 0
        || slot < 0
        || slot >= ControlBlock.SLOTS
        || ticket.dataBytes <= 0
        || ticket.controlOffset < ticket.dataBytes) {
      throw new ProtocolException("an impossible description of shared memory");
    }
    return ticket;
  }
}
