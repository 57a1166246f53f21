package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import java.util.UUID;

/**
 * The frames on a data connection. All numbers are big-endian.
 *
 * <p>A request is a header of {@value #REQUEST_BYTES} bytes, and for {@link #PUT} the payload:
 *
 * <pre>
 *  0 int  magic            8 long request id      32 long generation   56 long deadline
 *  4 byte opcode          16 long segment, high   40 long offset
 *  5 byte version         24 long segment, low    48 long length
 * </pre>
 *
 * <p>An answer is a header of {@value #ANSWER_BYTES} bytes, and the payload of a {@link #GET},
 * {@link #OPEN_SHARED} or {@link #OPEN_UCX} that was not refused. Answers come in the order of the
 * requests, the answer to a put after its whole payload:
 *
 * <pre>
 *  0 int  magic            8 long request id      24 long payload length
 *  4 int  refusal         16 long server's clock
 * </pre>
 *
 * <p>Deadlines are readings of the server's own monotonic clock. A client learns it from the
 * answers, so that time which a request spends in buffers is not added to its grant.
 */
final class Wire {
  static final int REQUEST_BYTES = 64;
  static final int ANSWER_BYTES = 32;

  /** Opens a connection; the segment field holds the server's instance instead. */
  static final byte HELLO = 1;

  /** Writes the payload to the segment. */
  static final byte PUT = 2;

  /** Reads from the segment. */
  static final byte GET = 3;

  /** Asks for the shared memory of the segment; the connection then stands for the mapping. */
  static final byte OPEN_SHARED = 4;

  /** Asks for a {@link UcxTicket}; the connection then stands for it. */
  static final byte OPEN_UCX = 5;

  /** Gives the ticket back: nothing is under way and nothing will be. */
  static final byte LEAVE_UCX = 6;

  /** The request id of an answer that nobody asked for: the owner wants the ticket back. */
  static final long REVOKED = -1;

  /** The longest payload of one frame in bytes; a longer one closes the connection. */
  static final long MAX_PAYLOAD = 16L << 20;

  private static final int REQUEST_MAGIC = 0x4d505451;
  private static final int ANSWER_MAGIC = 0x4d505441;
  private static final byte VERSION = 1;

  private Wire() {}

  /** A decoded request header. */
  record Request(
      byte opcode,
      long requestId,
      UUID segmentId,
      long generation,
      long offset,
      long length,
      long deadline) {}

  /** A decoded answer header. */
  record Answer(Refusal refusal, long requestId, long serverClock, long length) {}

  static void writeRequest(ByteBuf out, Request request) {
    out.writeInt(REQUEST_MAGIC);
    out.writeByte(request.opcode);
    out.writeByte(VERSION);
    out.writeShort(0);
    out.writeLong(request.requestId);
    out.writeLong(request.segmentId.getMostSignificantBits());
    out.writeLong(request.segmentId.getLeastSignificantBits());
    out.writeLong(request.generation);
    out.writeLong(request.offset);
    out.writeLong(request.length);
    out.writeLong(request.deadline);
  }

  /**
   * Reads a request header of {@value #REQUEST_BYTES} bytes.
   *
   * @throws ProtocolException when it is not one
   */
  static Request readRequest(ByteBuf in) throws ProtocolException {
    int magic = in.readInt();
    byte opcode = in.readByte();
    byte version = in.readByte();
    if (magic != REQUEST_MAGIC || version != VERSION) {
      throw new ProtocolException("not a request of this version");
    }
    in.skipBytes(Short.BYTES);
    return new Request(
        opcode,
        in.readLong(),
        new UUID(in.readLong(), in.readLong()),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }

  static void writeAnswer(ByteBuf out, Answer answer) {
    out.writeInt(ANSWER_MAGIC);
    out.writeInt(answer.refusal.number());
    out.writeLong(answer.requestId);
    out.writeLong(answer.serverClock);
    out.writeLong(answer.length);
  }

  /**
   * Reads an answer header of {@value #ANSWER_BYTES} bytes.
   *
   * @throws ProtocolException when it is not one
   */
  static Answer readAnswer(ByteBuf in) throws ProtocolException {
    if (in.readInt() != ANSWER_MAGIC) {
      throw new ProtocolException("not an answer");
    }
    return new Answer(Refusal.ofNumber(in.readInt()), in.readLong(), in.readLong(), in.readLong());
  }
}
