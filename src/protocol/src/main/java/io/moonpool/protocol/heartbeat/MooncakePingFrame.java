package io.moonpool.protocol.heartbeat;

import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.wire.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

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

  /** More than the answer with the longest version takes. */
  private static final int MAX_BODY_BYTES = 2 * MAX_VERSION_BYTES;

  private static final int NAMED = 1;

  // Taken from the calls' descriptions once, so that nothing on the way of a ping reads those.
  private static final int PING = SegmentCalls.PING.functionId();
  private static final int SERVICE_READY = SegmentCalls.SERVICE_READY.functionId();
  private static final int PING_TYPE = SegmentCalls.PING.request().code();
  private static final int PING_ANSWER_TYPE = SegmentCalls.PING.answer().code();
  private static final long PING_LITERAL = literal(SegmentCalls.PING.request().literal());
  private static final long PING_ANSWER_LITERAL = literal(SegmentCalls.PING.answer().literal());

  private static final int ID_BYTES = 16;
  private static final int HAS_VALUE = 1;

  /** There is one master, so its group never changes. */
  private static final long VIEW = 0;

  private MooncakePingFrame() {}

  /** The byte 4, a literal of six bytes, and NUL. */
  private static long literal(String digits) {
    return Unpooled.wrappedBuffer(HexFormat.of().parseHex("04" + digits + "00")).readLongLE();
  }

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
    int function = frames.getIntLE(at + FUNCTION_AT);
    boolean ready = function == SERVICE_READY && bytes == SERVICE_READY_BYTES;
    boolean ping = function == PING && (bytes == SHORT_PING_BYTES || bytes == NAMED_PING_BYTES);
    return ready || ping ? bytes : NONE;
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
    int textBytes = version.getBytes(StandardCharsets.UTF_8).length;
    if (textBytes > MAX_VERSION_BYTES) {
      throw new IllegalArgumentException(
          "a version has at most " + MAX_VERSION_BYTES + " bytes, not " + textBytes);
    }
    ByteBuf body =
        SegmentCalls.SERVICE_READY
            .answer()
            .encode(
                UnpooledByteBufAllocator.DEFAULT,
                0,
                MAX_BODY_BYTES,
                version,
                named ? Form.LITERAL : Form.SHORT);
    byte[] answer = new byte[ANSWER_HEADER + body.readableBytes()];
    ByteBuf out = Unpooled.wrappedBuffer(answer).clear();
    out.writeIntLE(MAGIC).writeIntLE(0).writeIntLE(body.readableBytes()).writeIntLE(0);
    out.writeBytes(body);
    body.release();
    return answer;
  }

  /** Writes what {@link #serviceReadyAnswer} made, with the sequence of a request. */
  public static void writeServiceReady(ByteBuf out, byte[] answer, int sequence) {
    int at = out.writerIndex();
    out.writeBytes(answer);
    out.setIntLE(at + SEQUENCE_AT, sequence);
  }
}
