package io.moonpool.storage;

import io.moonpool.model.ErrorCode;

/**
 * What a read came to.
 *
 * @param code {@link ErrorCode#OK}, or what went wrong; then the buffer's content means nothing
 * @param detail for people: what failed on which file and where; empty for OK
 * @param start where in the caller's buffer the wanted bytes start
 * @param length how many there are
 * @param verified true when the whole value was read and matched the store's checksum
 */
public record ReadResult(ErrorCode code, String detail, long start, long length, boolean verified) {
  static ReadResult of(long start, long length, boolean verified) {
    return new ReadResult(ErrorCode.OK, "", start, length, verified);
  }

  static ReadResult error(ErrorCode code, String detail) {
    return new ReadResult(code, detail + ": " + code.advice(), 0, 0, false);
  }

  /** True when the bytes are there. */
  public boolean ok() {
    return code == ErrorCode.OK;
  }
}
