package io.moonpool.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A type as the whole body of a request or an answer: {@code [u32 head][u8 meta][type literal,
 * NUL][payload]}, where meta and literal may be missing, see {@link Form}.
 *
 * <p>Immutable; any thread.
 *
 * @param <T> the Java type
 */
public final class Message<T> {
  /** How many elements all containers of one message may hold together, by default. */
  public static final int MAX_ELEMENTS = 1 << 20;

  private static final int WIDTH_SHIFT = 3;
  private static final int META_BITS = Form.HAS_LITERAL | 3 << WIDTH_SHIFT;

  private final @Nullable Codec<T> codec;
  private final @Nullable T onlyValue;
  private final byte[] literal;
  private final int code;

  private Message(@Nullable Codec<T> codec, @Nullable T onlyValue) {
    this.codec = codec;
    this.onlyValue = onlyValue;
    ByteArrayOutputStream described = new ByteArrayOutputStream();
    if (codec != null) {
      codec.describe(described);
    }
    this.literal = described.toByteArray();
    this.code = codec == null ? 0 : (md5Prefix(literal) & ~Form.HAS_META);
  }

  /** Bodies of that type. */
  public static <T> Message<T> of(Codec<T> codec) {
    return new Message<>(codec, null);
  }

  /** The empty body, of calls without arguments. */
  public static <T> Message<T> empty(T onlyValue) {
    return new Message<>(null, onlyValue);
  }

  /**
   * The first four bytes of the MD5 of some bytes, read big-endian: type codes and function ids are
   * made of it.
   */
  public static int md5Prefix(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("MD5").digest(bytes);
      return (hash[0] & 0xff) << 24
          | (hash[1] & 0xff) << 16
          | (hash[2] & 0xff) << 8
          | (hash[3] & 0xff);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  /** The type literal in hexadecimal digits, without the NUL; empty for empty bodies. */
  public String literal() {
    return HexFormat.of().formatHex(literal);
  }

  /** The code of the type: the head without its lowest bit; 0 for empty bodies. */
  public int code() {
    return code;
  }

  /**
   * Encodes into a new buffer of exactly the size needed.
   *
   * @param headroom bytes to leave free before the body, for a frame header
   * @param maxBytes the largest body allowed
   * @return owned by the caller; reader index 0, written up to its end
   * @throws IllegalArgumentException when the body would be larger than {@code maxBytes}
   */
  public ByteBuf encode(
      ByteBufAllocator allocator, int headroom, int maxBytes, T value, Form form) {
    Codec<T> type = codec;
    if (type == null) {
      return allocator.ioBuffer(headroom).writerIndex(headroom);
    }
    Sizes sizes = new Sizes();
    type.measure(value, sizes);
    int widthBits = sizes.widthBits();
    boolean named = form == Form.LITERAL;
    boolean hasMeta = named || widthBits > 0;
    long length = 4L + (hasMeta ? 1 : 0) + (named ? literal.length + 1 : 0) + sizes.payloadBytes();
    if (length > maxBytes) {
      throw new IllegalArgumentException(
          "a message of " + length + " bytes exceeds the limit of " + maxBytes);
    }
    int end = headroom + (int) length;
    ByteBuf out = allocator.ioBuffer(end, end);
    try {
      out.writerIndex(headroom);
      out.writeIntLE(hasMeta ? code | Form.HAS_META : code);
      if (hasMeta) {
        out.writeByte((named ? Form.HAS_LITERAL : 0) | widthBits << WIDTH_SHIFT);
      }
      if (named) {
        out.writeBytes(literal).writeByte(0);
      }
      type.write(new WireWriter(out, 1 << widthBits), value);
      if (out.writerIndex() != end) {
        throw new IllegalStateException(
            "measured " + length + " bytes but wrote " + (out.writerIndex() - headroom));
      }
      return out;
    } catch (RuntimeException e) {
      out.release();
      throw e;
    }
  }

  /** Decodes the readable bytes of a buffer, all of them. */
  public T decode(ByteBuf body) {
    return decode(body, MAX_ELEMENTS);
  }

  /**
   * Decodes the readable bytes of a buffer, all of them.
   *
   * @param maxElements how many elements all containers may hold together
   * @throws MalformedMessage when they are no such message; the reader index is then anywhere
   */
  public T decode(ByteBuf body, int maxElements) {
    Codec<T> type = codec;
    if (type == null) {
      if (body.isReadable()) {
        throw new MalformedMessage("a call without arguments has a body");
      }
      return java.util.Objects.requireNonNull(onlyValue);
    }
    if (body.readableBytes() < 4) {
      throw new MalformedMessage("the body is shorter than its head");
    }
    int head = body.readIntLE();
    if ((head & ~Form.HAS_META) != code) {
      throw new MalformedMessage(
          "the body has the type code "
              + Integer.toHexString(head & ~Form.HAS_META)
              + ", expected "
              + Integer.toHexString(code));
    }
    int widthBits = 0;
    if ((head & Form.HAS_META) != 0) {
      widthBits = readMeta(body);
    }
    WireReader in = new WireReader(body, 1 << widthBits, maxElements);
    T value = type.read(in);
    in.end();
    return value;
  }

  private int readMeta(ByteBuf body) {
    if (!body.isReadable()) {
      throw new MalformedMessage("the body ends before its meta byte");
    }
    int meta = body.readUnsignedByte();
    if ((meta & ~META_BITS) != 0) {
      throw new MalformedMessage("the meta byte " + meta + " has unknown bits");
    }
    if ((meta & Form.HAS_LITERAL) != 0) {
      readLiteral(body);
    }
    return meta >> WIDTH_SHIFT;
  }

  private void readLiteral(ByteBuf body) {
    int start = body.readerIndex();
    int length = literal.length;
    if (body.readableBytes() <= length) {
      throw new MalformedMessage("the body ends inside its type literal");
    }
    for (int i = 0; i < length; i++) {
      if (body.getByte(start + i) != literal[i]) {
        throw new MalformedMessage("the type literal is not " + literal());
      }
    }
    if (body.getByte(start + length) != 0) {
      throw new MalformedMessage("the type literal is longer than " + literal());
    }
    body.readerIndex(start + length + 1);
  }
}
