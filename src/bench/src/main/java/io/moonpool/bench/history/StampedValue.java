package io.moonpool.bench.history;

import io.vertx.core.buffer.Buffer;

/**
 * Values that name the write that wrote them: a 64-bit number, then bytes that follow from the
 * number and their position, so that a mix of two values, or of a value and anything else, is never
 * taken for a value.
 */
final class StampedValue {
  private static final int[] SIZES = {64, 1_000, 4_096, 7_001, 16_384};

  private StampedValue() {}

  static byte[] of(long stamp) {
    byte[] bytes = new byte[SIZES[(int) (stamp % SIZES.length)]];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = byteAt(stamp, i);
    }
    return bytes;
  }

  /**
   * The number that a value carries.
   *
   * @throws IllegalStateException when it is no value of this kind, whole and unmixed
   */
  static long stampOf(Buffer value) {
    if (value.length() < Long.BYTES) {
      throw new IllegalStateException("a value of " + value.length() + " bytes was never written");
    }
    long stamp = value.getLong(0);
    if (stamp <= 0 || SIZES[(int) (stamp % SIZES.length)] != value.length()) {
      throw new IllegalStateException(
          "a value of " + value.length() + " bytes with the stamp " + stamp + " was never written");
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.getByte(i) != byteAt(stamp, i)) {
        throw new IllegalStateException(
            "the value with the stamp " + stamp + " is wrong at byte " + i);
      }
    }
    return stamp;
  }

  private static byte byteAt(long stamp, int i) {
    if (i < Long.BYTES) {
      return (byte) (stamp >>> (56 - 8 * i));
    }
    long mixed = (stamp * 0x9E3779B97F4A7C15L) ^ (i * 0xBF58476D1CE4E5B9L);
    return (byte) (mixed >>> 32);
  }
}
