package io.moonpool.protocol.wire;

/**
 * A value, or an error of any type.
 *
 * @param <T> the type of values
 * @param <E> the type of errors
 */
public sealed interface Expected<T, E> {
  /** A value. */
  record Value<T, E>(T value) implements Expected<T, E> {}

  /** An error. */
  record Failure<T, E>(E error) implements Expected<T, E> {}
}
