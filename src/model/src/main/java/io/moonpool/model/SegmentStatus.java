package io.moonpool.model;

/** The life of a segment. Readable in all but UNMOUNTING; allocatable only in OK. */
public enum SegmentStatus {
  /** Never stored. */
  UNDEFINED(0),
  /** Serves and accepts new objects. */
  OK(1),
  /** Serves, accepts no new object, is being emptied. */
  DRAINING(2),
  /** Empty: may be unmounted without loss. */
  DRAINED(3),
  /** Serves until its grace period ends. */
  GRACEFULLY_UNMOUNTING(4),
  /** Its replicas are being removed. */
  UNMOUNTING(5);

  private static final SegmentStatus[] VALUES = values();

  private final int number;

  SegmentStatus(int number) {
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
  public static SegmentStatus ofNumber(int number) {
    for (SegmentStatus value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no SegmentStatus has the number " + number);
  }
}
