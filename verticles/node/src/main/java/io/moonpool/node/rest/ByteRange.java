package io.moonpool.node.rest;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code Range} header asks for.
 *
 * @param offset bytes from the start of the value
 * @param length bytes; 0 when the range is not inside the value
 */
record ByteRange(long offset, long length) {
  private static final Pattern ONE_RANGE =
      Pattern.compile("\\s*bytes\\s*=\\s*(\\d{0,18})\\s*-\\s*(\\d{0,18})\\s*");

  /**
   * The range of a header.
   *
   * @param size of the value
   * @return null when the whole value is to be sent: no header, several ranges, another unit, or
   *     nothing that can be understood
   */
  static @Nullable ByteRange of(@Nullable String header, long size) {
    if (header == null) {
      return null;
    }
    Matcher matcher = ONE_RANGE.matcher(header);
    if (!matcher.matches()) {
      return null;
    }
    String first = matcher.group(1);
    String last = matcher.group(2);
    if (first.isEmpty()) {
      if (last.isEmpty()) {
        return null;
      }
      long length = Math.min(Long.parseLong(last), size);
      return new ByteRange(size - length, length);
    }
    long offset = Long.parseLong(first);
    long end = last.isEmpty() ? size : Math.min(size, Long.parseLong(last) + 1);
    if (!last.isEmpty() && Long.parseLong(last) < offset) {
      return null;
    }
    return new ByteRange(offset, Math.max(0, end - offset));
  }

  /** The value of a {@code Content-Range} header. */
  String contentRange(long size) {
    return length == 0
        ? "bytes */" + size
        : "bytes " + offset + "-" + (offset + length - 1) + "/" + size;
  }
}
