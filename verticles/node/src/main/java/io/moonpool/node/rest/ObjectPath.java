package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The key in a path: everything behind the prefix, slashes included, with bytes written {@code %XX}
 * and the whole UTF-8. Dots and doubled slashes are part of the key.
 */
final class ObjectPath {
  /** What paths of objects start with. */
  static final String PREFIX = "/v1/objects/";

  private ObjectPath() {}

  /**
   * The key.
   *
   * @param path as it was sent, starting with {@link #PREFIX}
   * @throws StoreException when it cannot be decoded
   */
  static String key(String path) {
    byte[] source = path.substring(PREFIX.length()).getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(source.length);
    for (int i = 0; i < source.length; i++) {
      if (source[i] != '%') {
        bytes.put(source[i]);
        continue;
      }
      int high = i + 2 < source.length ? Character.digit(source[i + 1], 16) : -1;
      int low = i + 2 < source.length ? Character.digit(source[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw malformed("a % that is not followed by two hexadecimal digits");
      }
      bytes.put((byte) (high << 4 | low));
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw malformed("bytes that are not UTF-8");
    }
  }

  private static StoreException malformed(String what) {
    return new StoreException(
        ErrorCode.INVALID_KEY, "the path has " + what + ": percent-encode the UTF-8 of the key");
  }
}
