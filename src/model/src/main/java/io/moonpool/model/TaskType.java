package io.moonpool.model;

/** What a task does with an object's replicas. */
public enum TaskType {
  /** Makes further replicas; the source stays. */
  REPLICA_COPY(0),
  /** Makes a replica elsewhere and removes the source. */
  REPLICA_MOVE(1);

  private static final TaskType[] VALUES = values();

  private final int number;

  TaskType(int number) {
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
  public static TaskType ofNumber(int number) {
    for (TaskType value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no TaskType has the number " + number);
  }
}
