package io.moonpool.storage;

import io.moonpool.model.ErrorCode;
import io.moonpool.storage.file.FileException;

/**
 * What a call came to that gives nothing back.
 *
 * @param code {@link ErrorCode#OK}, or what went wrong
 * @param detail a sentence for people: what failed on which file, and what to do; empty for OK
 */
public record StoreResult(ErrorCode code, String detail) {
  /** It went well. */
  public static final StoreResult OK = new StoreResult(ErrorCode.OK, "");

  /** It did not. */
  static StoreResult error(ErrorCode code, String detail) {
    return new StoreResult(code, detail + ": " + code.advice());
  }

  /** The file system refused. */
  static StoreResult error(FileException e) {
    return error(e.code(), String.valueOf(e.getMessage()));
  }

  /** True when it went well. */
  public boolean ok() {
    return code == ErrorCode.OK;
  }
}
