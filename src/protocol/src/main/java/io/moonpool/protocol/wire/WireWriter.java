package io.moonpool.protocol.wire;

import io.netty.buffer.ByteBuf;

/** Writes the payload of one message. Belongs to the thread that encodes. */
public final class WireWriter {
  private final ByteBuf out;
  private final int sizeBytes;

  /**
   * A writer to the end of a buffer.
   *
   * @param sizeBytes the width of container sizes: 1, 2, 4 or 8
   */
  WireWriter(ByteBuf out, int sizeBytes) {
    this.out = out;
    this.sizeBytes = sizeBytes;
  }

  /** Writes one byte. */
  public void i8(int value) {
    out.writeByte(value);
  }

  /** Writes a 16-bit integer. */
  public void i16(int value) {
    out.writeShortLE(value);
  }

  /** Writes a 32-bit integer. */
  public void i32(int value) {
    out.writeIntLE(value);
  }

  /** Writes a 64-bit integer. */
  public void i64(long value) {
    out.writeLongLE(value);
  }

  /** Writes a flag as one byte. */
  public void bool(boolean value) {
    out.writeByte(value ? 1 : 0);
  }

  /** Writes the size of a container. */
  public void size(int size) {
    switch (sizeBytes) {
      case 1 -> out.writeByte(size);
      case 2 -> out.writeShortLE(size);
      case 4 -> out.writeIntLE(size);
      default -> out.writeLongLE(size);
    }
  }

  /** Writes so many bytes of an array. */
  public void bytes(byte[] source, int offset, int length) {
    out.writeBytes(source, offset, length);
  }

  /** Writes the size and the bytes of a string. */
  public void bytes(byte[] value) {
    size(value.length);
    out.writeBytes(value);
  }
}
