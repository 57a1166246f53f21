package io.moonpool.gateway.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/** An answer of Mooncake's protocol, read by hand: knows nothing of the codecs that are tested. */
public final class WireAnswer {
  private final int sequence;
  private final int error;
  private final byte[] bytes;
  private final ByteBuffer body;
  private int width = 1;

  WireAnswer(int sequence, int error, byte[] body) {
    this.sequence = sequence;
    this.error = error;
    this.bytes = body;
    this.body = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The request's. */
  public int sequence() {
    return sequence;
  }

  /** The error code of the frame; 0 for a result. */
  public int error() {
    return error;
  }

  /** The whole body. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Checks and skips what precedes the payload. */
  public WireAnswer typed(String literal) {
    byte[] type = HexFormat.of().parseHex(literal);
    int head = body.getInt();
    if ((head & ~1) != WireBody.code(type)) {
      throw new AssertionError("the answer has another type than " + literal);
    }
    if ((head & 1) != 0) {
      int meta = body.get();
      width = 1 << (meta >> 3);
      if ((meta & 4) != 0) {
        byte[] named = new byte[type.length];
        body.get(named);
        if (!java.util.Arrays.equals(named, type) || body.get() != 0) {
          throw new AssertionError("the answer names another type than " + literal);
        }
      }
    }
    return this;
  }

  /** A result is there; otherwise the error follows. */
  public WireAnswer expected() {
    if (!bool()) {
      throw new WireFailure(i32());
    }
    return this;
  }

  public boolean bool() {
    return body.get() != 0;
  }

  public int u8() {
    return body.get() & 0xff;
  }

  public int i32() {
    return body.getInt();
  }

  public long u64() {
    return body.getLong();
  }

  public UUID uuid() {
    return new UUID(u64(), u64());
  }

  /** The size of a container. */
  public int size() {
    return switch (width) {
      case 1 -> body.get() & 0xff;
      case 2 -> body.getShort() & 0xffff;
      case 4 -> body.getInt();
      default -> Math.toIntExact(body.getLong());
    };
  }

  public String text() {
    byte[] text = new byte[size()];
    body.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Nothing is left. */
  public void end() {
    if (body.hasRemaining()) {
      throw new AssertionError(body.remaining() + " bytes are left of the answer");
    }
  }

  /** An error of the table. */
  public static final class WireFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int number;

    WireFailure(int number) {
      super("error " + number);
      this.number = number;
    }

    /** Its number. */
    public int number() {
      return number;
    }
  }
}
