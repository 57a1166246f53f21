package io.moonpool.protocol.heartbeat;

/** What a ping's answer tells the node: how the master sees it, and what it has to do. */
public enum PingStatus {
  /** Recorded, and the node is ACTIVE: nothing to do. */
  OK(1),
  /**
   * The master does not know this incarnation, or has given it up: register and mount again with
   * the same start id.
   */
  NEED_REMOUNT(2),
  /**
   * Recorded, and the node is ACTIVE again. Until now it was SUSPECTED, and nothing of it was
   * served: its pings came too late.
   */
  SUSPECTED(3);

  private final int number;

  PingStatus(int number) {
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
  public static PingStatus ofNumber(int number) {
    return switch (number) {
      case 1 -> OK;
      case 2 -> NEED_REMOUNT;
      case 3 -> SUSPECTED;
      default -> throw new IllegalArgumentException("no PingStatus has the number " + number);
    };
  }
}
