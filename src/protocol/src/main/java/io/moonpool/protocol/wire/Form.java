package io.moonpool.protocol.wire;

import io.netty.buffer.ByteBuf;

/** The two forms of a body. Both are accepted; an answer has the form of its request. */
public enum Form {
  /** The body names its type. */
  LITERAL,
  /** The body has the code of its type only. */
  SHORT;

  /** Set in the head when a meta byte follows. */
  static final int HAS_META = 1;

  /** Set in the meta byte when a type literal follows. */
  static final int HAS_LITERAL = 4;

  /** The type code that a body begins with; 0 for bodies that are too short to have one. */
  public static int code(ByteBuf body) {
    return body.readableBytes() < 4 ? 0 : body.getIntLE(body.readerIndex()) & ~HAS_META;
  }

  /**
   * The form of a body, told from its first bytes.
   *
   * @param fallback the answer for bodies that are too short to tell
   */
  public static Form of(ByteBuf body, Form fallback) {
    if (body.readableBytes() < 4) {
      return fallback;
    }
    int start = body.readerIndex();
    if ((body.getByte(start) & HAS_META) == 0) {
      return SHORT;
    }
    return body.readableBytes() > 4 && (body.getByte(start + 4) & HAS_LITERAL) == 0
        ? SHORT
        : LITERAL;
  }
}
