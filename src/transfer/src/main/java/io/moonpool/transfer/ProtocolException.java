package io.moonpool.transfer;

import java.io.IOException;

/** Bytes on a data connection that are no frame; the connection is closed. */
final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
