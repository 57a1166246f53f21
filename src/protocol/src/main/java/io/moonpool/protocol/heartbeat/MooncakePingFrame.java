package io.moonpool.protocol.heartbeat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * The layout of the two calls of Mooncake's clients that are served beside {@link HeartbeatFrame}:
 * {@code Ping} and {@code ServiceReady}. All integers are little-endian:
 *
 * <pre>
 * request                          answer
 *  0  u32  0x15, the magic          0  u32  0x15
 *  4  u32  sequence                 4  u32  sequence of the request
 *  8  u32  function id              8  u32  body length
 * 12  u32  body length             12  u32  attachment length, 0
 * 16  u32  attachment length, 0    16  body
 * 20  body
 * </pre>
 *
 * <p>A body begins with the code of its type; its lowest bit tells that a byte 4 and the type's
 * literal follow. Then comes, in a ping, the client's id as two u64; in its answer a byte 1, the
 * view's version as i64 and the status as i32; in the answer of ServiceReady a byte 1 and the
 * version as a byte of length and UTF-8. The request of ServiceReady has no body.
 *
 * <p>So there are three requests of a fixed size each. All methods work at an absolute index,
 * allocate nothing unless they say so, and may be called by any thread that owns the buffer.
 */
public final class MooncakePingFrame {
  /** The first byte of these frames. */
  public static final byte FIRST_BYTE = 0x15;

  /** What {@link #requestBytes} tells of bytes that are no beginning of such a request. */
  public static final int NONE = -1;

  /** What {@link #requestBytes} tells when there are too few bytes to know. */
  public static final int INCOMPLETE = 0;

  /** The size of a request of ServiceReady. */
  public static final int SERVICE_READY_BYTES = 20;

  /** The size of a ping without its literal. */
  public static final int SHORT_PING_BYTES = 40;

  /** The size of a ping with its literal. */
  public static final int NAMED_PING_BYTES = 48;

  /** The size of the longer answer to a ping. */
  public static final int PING_ANSWER_BYTES = 41;

  /** The longest version that fits, in bytes of UTF-8. */
  public static final int MAX_VERSION_BYTES = 255;

  private static final int MAGIC = 0x15;
  private static final int SEQUENCE_AT = 4;
  private static final int FUNCTION_AT = 8;
  private static final int LENGTH_AT = 12;
  private static final int ATTACHMENT_AT = 16;
  private static final int BODY_AT = 20;
  private static final int ANSWER_HEADER = 16;

  private static final int PING = 0xd6c2dae5;
  private static final int SERVICE_READY = 0x7b81bb56;

  private static final int PING_TYPE = 0x3c6d83e0;
  private static final int PING_ANSWER_TYPE = 0x742a8f52;
  private static final int SERVICE_READY_ANSWER_TYPE = 0x1cb3cc34;
  private static final int NAMED = 1;

  /** The byte 4, the literal of an id, and NUL. */
  private static final long PING_LITERAL = 0x00ff_8989_0404_fd04L;

  /** The byte 4, the literal of an outcome of a struct of i64 and i32, and NUL. */
  private static final long PING_ANSWER_LITERAL = 0x0001_ff01_03fd_8704L;

  /** The byte 4, the literal of an outcome of a string, and NUL. */
  private static final byte[] SERVICE_READY_ANSWER_LITERAL = {
    4, (byte) 0x87, (byte) 0x80, 0x0c, 1, 0
  };

  private static final int ID_BYTES = 16;
  private static final int HAS_VALUE = 1;

  /** There is one master, so its group never changes. */
  private static final long VIEW = 0;

  private MooncakePingFrame() {}

  /**
   * Tells how long the request at an index is.
   *
   * @param readable bytes from there on that may be looked at
   * @return its size; {@link #INCOMPLETE} when more bytes are needed to tell; {@link #NONE} when it
   *     is none of these requests
   */
  public static int requestBytes(ByteBuf frames, int at, int readable) {
    if (readable < BODY_AT) {
      return INCOMPLETE;
    }
    if (frames.getIntLE(at) != MAGIC || frames.getIntLE(at + ATTACHMENT_AT) != 0) {
      return NONE;
    }
    int bytes = BODY_AT + frames.getIntLE(at + LENGTH_AT);
    return switch (frames.getIntLE(at + FUNCTION_AT)) {
      case SERVICE_READY -> bytes == SERVICE_READY_BYTES ? bytes : NONE;
      case PING -> bytes == SHORT_PING_BYTES || bytes == NAMED_PING_BYTES ? bytes : NONE;
      default -> NONE;
    };
  }

  /**
   * True when a whole request is a ping, whose body is as it has to be.
   *
   * @param bytes what {@link #requestBytes} told
   */
  public static boolean isPing(ByteBuf frames, int at, int bytes) {
    int head = bytes > BODY_AT ? frames.getIntLE(at + BODY_AT) : 0;
    return switch (bytes) {
      case SHORT_PING_BYTES -> head == PING_TYPE;
      case NAMED_PING_BYTES ->
          head == (PING_TYPE | NAMED) && frames.getLongLE(at + BODY_AT + 4) == PING_LITERAL;
      default -> false;
    };
  }

  /** The sequence of a request. */
  public static int sequence(ByteBuf frames, int at) {
    return frames.getIntLE(at + SEQUENCE_AT);
  }

  /** The upper half of the client's id in a ping of that size. */
  public static long idMost(ByteBuf frames, int at, int bytes) {
    return frames.getLongLE(at + bytes - ID_BYTES);
  }

  /** The lower half of the client's id in a ping of that size. */
  public static long idLeast(ByteBuf frames, int at, int bytes) {
    return frames.getLongLE(at + bytes - ID_BYTES + Long.BYTES);
  }

  /**
   * Writes the answer to a ping, {@link #PING_ANSWER_BYTES} at most.
   *
   * @param named whether it carries its literal, as the ping did
   * @param status {@link PingStatus#OK} or {@link PingStatus#NEED_REMOUNT}; the protocol has no
   *     other
   */
  public static void writePingAnswer(ByteBuf out, int sequence, boolean named, PingStatus status) {
    out.writeIntLE(MAGIC).writeIntLE(sequence);
    if (named) {
      out.writeIntLE(PING_ANSWER_BYTES - ANSWER_HEADER).writeIntLE(0);
      out.writeIntLE(PING_ANSWER_TYPE | NAMED).writeLongLE(PING_ANSWER_LITERAL);
    } else {
      out.writeIntLE(PING_ANSWER_BYTES - ANSWER_HEADER - Long.BYTES).writeIntLE(0);
      out.writeIntLE(PING_ANSWER_TYPE);
    }
    out.writeByte(HAS_VALUE).writeLongLE(VIEW).writeIntLE(status.number());
  }

  /**
   * The answer to ServiceReady, whole but for its sequence. Allocates: make it once.
   *
   * @param named whether it carries its literal
   * @throws IllegalArgumentException when the version is longer than {@link #MAX_VERSION_BYTES}
   */
  public static byte[] serviceReadyAnswer(String version, boolean named) {
    byte[] text = version.getBytes(StandardCharsets.UTF_8);
    if (text.length > MAX_VERSION_BYTES) {
      throw new IllegalArgumentException(
          "a version has at most " + MAX_VERSION_BYTES + " bytes, not " + text.length);
    }
    byte[] literal = named ? SERVICE_READY_ANSWER_LITERAL : new byte[0];
    int bodyBytes = 4 + literal.length + 2 + text.length;
    byte[] answer = new byte[ANSWER_HEADER + bodyBytes];
    ByteBuf out = Unpooled.wrappedBuffer(answer).clear();
    out.writeIntLE(MAGIC).writeIntLE(0).writeIntLE(bodyBytes).writeIntLE(0);
    out.writeIntLE(SERVICE_READY_ANSWER_TYPE | (named ? NAMED : 0)).writeBytes(literal);
    out.writeByte(HAS_VALUE).writeByte(text.length).writeBytes(text);
    return answer;
  }

  /** Writes what {@link #serviceReadyAnswer} made, with the sequence of a request. */
  public static void writeServiceReady(ByteBuf out, byte[] answer, int sequence) {
    int at = out.writerIndex();
    out.writeBytes(answer);
    out.setIntLE(at + SEQUENCE_AT, sequence);
  }
}
