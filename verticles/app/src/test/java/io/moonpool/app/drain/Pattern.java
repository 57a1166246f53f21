package io.moonpool.app.drain;

/** Values in which every byte depends on where it is. */
final class Pattern {
  private Pattern() {}

  /**
   * A value that differs from that of any other number, and in which no part is that of another
   * place.
   */
  static byte[] value(int number, int bytes) {
    byte[] value = new byte[bytes];
    long state = number * 0x9E3779B97F4A7C15L + 1;
    for (int i = 0; i < bytes; i++) {
      if (i % Long.BYTES == 0) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
      }
      value[i] = (byte) (state >>> 8 * (i % Long.BYTES) ^ i >>> 12);
    }
    return value;
  }
}
