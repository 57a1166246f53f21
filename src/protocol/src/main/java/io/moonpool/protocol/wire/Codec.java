package io.moonpool.protocol.wire;

import java.io.ByteArrayOutputStream;

/**
 * The description of a type on the wire: its literal, how it is written and how it is read.
 *
 * <p>Most codecs are put together from those of {@link Scalars}, {@link Containers}, {@link
 * Choices} and {@link Structs}. Implementations are immutable.
 *
 * @param <T> the Java type
 */
public abstract class Codec<T> {
  /**
   * Types may be nested so deep. Descriptions are finite, so this bounds recursion for all input.
   */
  static final int MAX_DEPTH = 32;

  private final int fixedBytes;
  private final int minBytes;
  private final int depth;

  /**
   * A codec of values of one size.
   *
   * @param fixedBytes that size
   */
  protected Codec(int fixedBytes) {
    this(fixedBytes, fixedBytes, 1);
  }

  /**
   * A codec.
   *
   * @param fixedBytes the size of every value, or -1 when sizes differ
   * @param minBytes the size of the smallest value, container sizes taken as one byte
   * @param depth one more than the greatest depth of the parts
   */
  protected Codec(int fixedBytes, int minBytes, int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("types are nested deeper than " + MAX_DEPTH);
    }
    this.fixedBytes = fixedBytes;
    this.minBytes = minBytes;
    this.depth = depth;
  }

  /** The size of every value in bytes, or -1 when sizes differ. */
  public final int fixedBytes() {
    return fixedBytes;
  }

  /** True when every value has the same size. */
  public final boolean isFixed() {
    return fixedBytes >= 0;
  }

  /** The size of the smallest value in bytes. */
  public final int minBytes() {
    return minBytes;
  }

  /** How deep the type is nested; 1 for a scalar. */
  public final int depth() {
    return depth;
  }

  /** Appends the type literal. */
  public abstract void describe(ByteArrayOutputStream literal);

  /** Adds a value to the sizes. Need not be overridden by codecs of fixed size. */
  public void measure(T value, Sizes sizes) {
    sizes.add(fixedBytes);
  }

  /** Writes a value. */
  public abstract void write(WireWriter out, T value);

  /**
   * Reads a value.
   *
   * @throws MalformedMessage when the bytes are none
   */
  public abstract T read(WireReader in);
}
