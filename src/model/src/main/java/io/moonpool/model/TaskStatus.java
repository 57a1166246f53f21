package io.moonpool.model;

/** The life of a copy or move of one object: PENDING, PROCESSING, then FAILED or SUCCESS. */
public enum TaskStatus {
  /** Waits for its node, or for space. */
  PENDING(0),
  /** A node has it. */
  PROCESSING(1),
  /** It ended without effect. */
  FAILED(2),
  /** The replicas are where they should be. */
  SUCCESS(3);

  private final int number;

  TaskStatus(int number) {
    this.number = number;
  }

  /** The number on the wire. */
  public int number() {
    return number;
  }

  /** True when it stays so. */
  public boolean terminal() {
    return this == FAILED || this == SUCCESS;
  }

  /**
   * The value with that number.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static TaskStatus ofNumber(int number) {
    for (TaskStatus value : values()) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no TaskStatus has the number " + number);
  }
}
