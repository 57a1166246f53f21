package io.moonpool.protocol.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the payload of one message. Every read checks what is left first; containers also draw on
 * the message's budget of elements, so that a few bytes cannot stand for many objects.
 *
 * <p>Belongs to the thread that decodes.
 */
public final class WireReader {
  private final ByteBuf in;
  private final int sizeBytes;
  private int elementsLeft;

  /**
   * A reader of the readable bytes of a buffer.
   *
   * @param sizeBytes the width of container sizes: 1, 2, 4 or 8
   * @param maxElements how many elements all containers of the message may hold together
   */
  WireReader(ByteBuf in, int sizeBytes, int maxElements) {
    this.in = in;
    this.sizeBytes = sizeBytes;
    this.elementsLeft = maxElements;
  }

  /** Reads one byte. */
  public byte i8() {
    need(1);
    return in.readByte();
  }

  /** Reads a 16-bit integer. */
  public short i16() {
    need(2);
    return in.readShortLE();
  }

  /** Reads a 32-bit integer. */
  public int i32() {
    need(4);
    return in.readIntLE();
  }

  /** Reads a 64-bit integer. */
  public long i64() {
    need(8);
    return in.readLongLE();
  }

  /** Reads a byte that is 0 or 1. */
  public boolean bool() {
    int value = i8();
    if ((value & ~1) != 0) {
      throw new MalformedMessage("a flag is " + (value & 0xff) + ", expected 0 or 1");
    }
    return value != 0;
  }

  /**
   * Reads the size of a container of elements and checks it against what is left.
   *
   * @param minElementBytes the least that an element takes
   */
  public int elements(int minElementBytes) {
    int count = size(minElementBytes);
    if (count > elementsLeft) {
      throw new MalformedMessage("the message has too many elements: split the batch");
    }
    elementsLeft -= count;
    return count;
  }

  /** Reads the size of a string and checks it against what is left. */
  public int length() {
    return size(1);
  }

  private int size(int minElementBytes) {
    need(sizeBytes);
    long size =
        switch (sizeBytes) {
          case 1 -> in.readUnsignedByte();
          case 2 -> in.readUnsignedShortLE();
          case 4 -> in.readUnsignedIntLE();
          default -> in.readLongLE();
        };
    // Unsigned 64-bit sizes above 2^63 read as negative. The product cannot overflow: the first
    // comparison bounds the size by the length of the buffer.
    int left = in.readableBytes();
    if (size < 0
        || size > Integer.MAX_VALUE
        || (minElementBytes > 0 && (size > left || size * minElementBytes > left))) {
      throw new MalformedMessage(
          "a container claims "
              + Long.toUnsignedString(size)
              + " elements but "
              + left
              + " bytes are left");
    }
    return (int) size;
  }

  /** Reads so many bytes into an array. */
  public void bytes(byte[] target, int offset, int length) {
    need(length);
    in.readBytes(target, offset, length);
  }

  /** Reads the size and the bytes of a string. */
  public byte[] bytes() {
    byte[] bytes = new byte[length()];
    in.readBytes(bytes);
    return bytes;
  }

  /** Reads a string, which must be UTF-8. */
  public String string() {
    byte[] bytes = bytes();
    String text = new String(bytes, StandardCharsets.UTF_8);
    // The JDK replaces what it cannot decode; only then is the slow check needed.
    if (text.indexOf('\uFFFD') >= 0
        && !Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8))) {
      throw new MalformedMessage("a text is not UTF-8");
    }
    return text;
  }

  /** How many bytes of the message are left. */
  public int left() {
    return in.readableBytes();
  }

  private void need(int bytes) {
    if (in.readableBytes() < bytes) {
      throw new MalformedMessage("the message ends early");
    }
  }

  /** The end of the message. */
  void end() {
    if (in.isReadable()) {
      throw new MalformedMessage(in.readableBytes() + " bytes follow the message");
    }
  }
}
