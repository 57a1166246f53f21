package io.moonpool.model;

/** A classification that clients may give; no policy uses it. */
public enum ObjectDataType {
  /** Not given. */
  UNKNOWN(0),
  /** KV cache blocks. */
  KVCACHE(1),
  /** A tensor. */
  TENSOR(2),
  /** Model weights. */
  WEIGHT(3),
  /** Samples. */
  SAMPLE(4),
  /** Activations. */
  ACTIVATION(5),
  /** Gradients. */
  GRADIENT(6),
  /** Optimizer state. */
  OPTIMIZER_STATE(7),
  /** Metadata. */
  METADATA(8),
  /** Anything else. */
  GENERAL(9);

  private static final ObjectDataType[] VALUES = values();

  private final int number;

  ObjectDataType(int number) {
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
  public static ObjectDataType ofNumber(int number) {
    for (ObjectDataType value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no ObjectDataType has the number " + number);
  }
}
