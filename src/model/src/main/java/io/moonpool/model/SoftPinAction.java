package io.moonpool.model;

/** What a write does to the object's soft pin. */
public enum SoftPinAction {
  /** Keeps it. */
  PRESERVE(0),
  /** Sets it to now plus its TTL. */
  ENABLE(1),
  /** Clears it. */
  DISABLE(2);

  private static final SoftPinAction[] VALUES = values();

  private final int number;

  SoftPinAction(int number) {
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
  public static SoftPinAction ofNumber(int number) {
    for (SoftPinAction value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no SoftPinAction has the number " + number);
  }
}
