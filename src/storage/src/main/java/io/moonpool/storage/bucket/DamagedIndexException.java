package io.moonpool.storage.bucket;

import java.io.IOException;

/** The bytes of an index file are not those that were written. */
public final class DamagedIndexException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedIndexException(String message) {
    super(message);
  }
}
