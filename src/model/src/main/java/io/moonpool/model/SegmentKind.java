package io.moonpool.model;

/** What a segment is made of. */
public enum SegmentKind {
  /** A node's registered memory; the master allocates in it. */
  MEMORY(0),
  /** A node's SSD directory; the node decides where bytes go in it. */
  LOCAL_DISK(1);

  private static final SegmentKind[] VALUES = values();

  private final int number;

  SegmentKind(int number) {
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
  public static SegmentKind ofNumber(int number) {
    for (SegmentKind value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no SegmentKind has the number " + number);
  }
}
