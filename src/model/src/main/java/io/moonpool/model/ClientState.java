package io.moonpool.model;

/** The liveness of one incarnation of a node. */
public enum ClientState {
  /** Heard from within the active TTL. */
  ACTIVE(0),
  /** Silent for the active TTL: not served, nothing freed. */
  SUSPECTED(1),
  /** Silent for the suspicion TTL on top: terminal for the incarnation. */
  OFFLINE(2);

  private static final ClientState[] VALUES = values();

  private final int number;

  ClientState(int number) {
    this.number = number;
  }

  /** The number on the wire. */
  public int number() {
    return number;
  }

  /**
   * The value with that number.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static ClientState ofNumber(int number) {
    for (ClientState value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no ClientState has the number " + number);
  }
}
