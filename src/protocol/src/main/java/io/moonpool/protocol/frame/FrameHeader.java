package io.moonpool.protocol.frame;

import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Message;
import io.netty.buffer.ByteBuf;

/**
 * The headers of frames, all integers little-endian:
 *
 * <pre>
 * request                     response
 *  0  u8   magic 0x15          0  u8   magic 0x15
 *  1  u8   version 0           1  u8   version 0
 *  2  u8   serialisation 0     2  u8   error code
 *  3  u8   message type 0      3  u8   message type 0
 *  4  u32  sequence            4  u32  sequence of the request
 *  8  u32  function id         8  u32  body length
 * 12  u32  body length        12  u32  attachment length
 * 16  u32  attachment length  16  body, attachment
 * 20  body, attachment
 * </pre>
 */
public final class FrameHeader {
  /** The length of a request's header. */
  public static final int REQUEST_BYTES = 20;

  /** The length of a response's header. */
  public static final int RESPONSE_BYTES = 16;

  static final byte MAGIC = 0x15;
  static final byte VERSION = 0;

  /** Where the sequence is, in both headers. */
  public static final int SEQUENCE_AT = 4;

  /** Offsets in requests. */
  static final int SERIALISATION_AT = 2;

  static final int FUNCTION_AT = 8;
  static final int REQUEST_BODY_AT = 12;
  static final int REQUEST_ATTACHMENT_AT = 16;

  /** Where a response has its error code. */
  public static final int ERROR_AT = 2;

  /** Where a response has the length of its body. */
  public static final int RESPONSE_BODY_AT = 8;

  static final int RESPONSE_ATTACHMENT_AT = 12;

  /** The error code of a response that is one. */
  public static final int NO_ERROR = 0;

  /** Other error codes of responses. */
  static final int BAD_ARGUMENTS = 4;

  static final int EXCEPTION = 10;
  static final int UNKNOWN_FUNCTION = 11;

  /** The body of a response with an error code of 1 to 254. */
  static final Message<String> ERROR_TEXT = Message.of(Containers.TEXT);

  private FrameHeader() {}

  /** Fills in the header of a request whose body is already in the buffer, but for the sequence. */
  public static void setRequest(ByteBuf frame, int functionId) {
    frame.setIntLE(0, MAGIC);
    frame.setIntLE(FUNCTION_AT, functionId);
    frame.setIntLE(REQUEST_BODY_AT, frame.writerIndex() - REQUEST_BYTES);
    frame.setIntLE(REQUEST_ATTACHMENT_AT, 0);
  }

  /** Fills in the header of a response whose body is already in the buffer. */
  static void setResponse(ByteBuf frame, int sequence, int error) {
    frame.setIntLE(0, MAGIC | error << 16);
    frame.setIntLE(SEQUENCE_AT, sequence);
    frame.setIntLE(RESPONSE_BODY_AT, frame.writerIndex() - RESPONSE_BYTES);
    frame.setIntLE(RESPONSE_ATTACHMENT_AT, 0);
  }
}
