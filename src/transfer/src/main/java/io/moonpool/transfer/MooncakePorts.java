package io.moonpool.transfer;

/**
 * Where segments are served to clients of Mooncake, at the address of the data server.
 *
 * @param handshake port of the handshake, the one that is announced; 0 for any free one
 * @param data port of the bytes, which the handshake tells; 0 for any free one
 */
public record MooncakePorts(int handshake, int data) {
  /** Any free ports. */
  public static final MooncakePorts ANY = new MooncakePorts(0, 0);

  /**
   * Checks the ports.
   *
   * @throws IllegalArgumentException with a sentence that says what to correct
   */
  public MooncakePorts {
    check(handshake);
    check(data);
    if (handshake != 0 && handshake == data) {
      throw new IllegalArgumentException(
          "the handshake and the data of Mooncake's clients need two ports, not twice " + data);
    }
  }

  private static void check(int port) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("a port must be 0 to 65535, not " + port);
    }
  }
}
