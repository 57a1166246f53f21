package io.moonpool.gateway.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * A body of Mooncake's protocol, put together by hand: knows nothing of the codecs that are tested
 * with it. Sizes of containers are written when it is known how wide they are.
 */
public final class WireBody {
  private sealed interface Part {
    record Bytes(byte[] bytes) implements Part {}

    record Size(int size) implements Part {}
  }

  private final List<Part> parts = new ArrayList<>();
  private int largest;

  /** An empty body. */
  public WireBody() {}

  private WireBody raw(int bytes, long value) {
    ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    byte[] part = new byte[bytes];
    buffer.get(0, part);
    parts.add(new Part.Bytes(part));
    return this;
  }

  /** One byte. */
  public WireBody u8(int value) {
    return raw(1, value);
  }

  /** A flag. */
  public WireBody bool(boolean value) {
    return raw(1, value ? 1 : 0);
  }

  /** Four bytes. */
  public WireBody i32(int value) {
    return raw(4, value);
  }

  /** Eight bytes. */
  public WireBody u64(long value) {
    return raw(8, value);
  }

  /** Two times eight bytes. */
  public WireBody uuid(UUID id) {
    return u64(id.getMostSignificantBits()).u64(id.getLeastSignificantBits());
  }

  /** The size of a container; its elements follow. */
  public WireBody size(int size) {
    parts.add(new Part.Size(size));
    largest = Math.max(largest, size);
    return this;
  }

  /** A string. */
  public WireBody text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    size(bytes.length);
    parts.add(new Part.Bytes(bytes));
    return this;
  }

  /**
   * The bytes on the wire.
   *
   * @param literal the type, in hexadecimal digits
   * @param named whether the body names its type
   */
  public byte[] encode(String literal, boolean named) {
    byte[] type = HexFormat.of().parseHex(literal);
    int width = largest < 256 ? 0 : largest < 65_536 ? 1 : 2;
    boolean meta = named || width > 0;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    little(out, 4, code(type) | (meta ? 1 : 0));
    if (meta) {
      out.write((named ? 4 : 0) | width << 3);
    }
    if (named) {
      out.writeBytes(type);
      out.write(0);
    }
    for (Part part : parts) {
      switch (part) {
        case Part.Bytes(byte[] bytes) -> out.writeBytes(bytes);
        case Part.Size(int size) -> little(out, 1 << width, size);
      }
    }
    return out.toByteArray();
  }

  private static void little(ByteArrayOutputStream out, int bytes, long value) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }

  static int code(byte[] type) {
    return md5Prefix(type) & ~1;
  }

  static int md5Prefix(byte[] bytes) {
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(bytes)).getInt();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
