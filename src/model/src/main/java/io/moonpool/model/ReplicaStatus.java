package io.moonpool.model;

/** The life of a replica. */
public enum ReplicaStatus {
  /** Never stored. */
  UNDEFINED(0),
  /** Never stored. */
  INITIALIZED(1),
  /** Space is allocated and a writer fills it. */
  PROCESSING(2),
  /** Readable. */
  COMPLETE(3),
  /** Removed, waiting for that to become durable. */
  REMOVED(4),
  /** Never stored. */
  FAILED(5);

  private static final ReplicaStatus[] VALUES = values();

  private final int number;

  ReplicaStatus(int number) {
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
  public static ReplicaStatus ofNumber(int number) {
    for (ReplicaStatus value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no ReplicaStatus has the number " + number);
  }
}
