package io.moonpool.model;

/** Where a replica's bytes live. */
public enum ReplicaType {
  /** A node's mounted memory. */
  MEMORY(0),
  /** A shared file system; not offered by Moonpool. */
  DISK(1),
  /** The owning node's SSD. */
  LOCAL_DISK(2),
  /** A remote NVMe namespace; not offered by Moonpool. */
  NOF_SSD(3),
  /** A wildcard in requests, never a stored type. */
  ALL(4);

  private static final ReplicaType[] VALUES = values();

  private final int number;

  ReplicaType(int number) {
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
  public static ReplicaType ofNumber(int number) {
    for (ReplicaType value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no ReplicaType has the number " + number);
  }
}
