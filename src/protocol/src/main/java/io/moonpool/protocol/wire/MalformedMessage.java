package io.moonpool.protocol.wire;

/**
 * Bytes of a peer that are no message of the expected type. Carries no stack trace: it says
 * something about the peer, not about this program, and a peer must not be able to make it costly.
 */
public final class MalformedMessage extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A message that cannot be decoded.
   *
   * @param message what is wrong, as a sentence without full stop
   */
  public MalformedMessage(String message) {
    super(message, null, false, false);
  }
}
