package io.moonpool.protocol.http;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Decodes a part of a path: bytes written {@code %XX}, the rest as it is (a plus is a plus), the
 * whole UTF-8.
 */
public final class PercentEncoding {
  private PercentEncoding() {}

  /**
   * Decodes.
   *
   * @param encoded as it was sent
   * @param malformed the error of what cannot be decoded
   * @throws StoreException of that error
   */
  public static String decode(String encoded, ErrorCode malformed) {
    byte[] source = encoded.getBytes(StandardCharsets.UTF_8);
    byte[] target = new byte[source.length];
    int length = 0;
    for (int i = 0; i < source.length; i++) {
      if (source[i] != '%') {
        target[length++] = source[i];
        continue;
      }
      boolean complete = i + 2 < source.length;
      int high = complete ? Character.digit(source[i + 1], 16) : -1;
      int low = complete ? Character.digit(source[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw refusal(malformed, "a % that is not followed by two hexadecimal digits");
      }
      target[length++] = (byte) (high << 4 | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(target, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw refusal(malformed, "bytes that are not UTF-8");
    }
  }

  private static StoreException refusal(ErrorCode code, String what) {
    return new StoreException(
        code, "the path has " + what + ": percent-encode the UTF-8 of the key");
  }
}
