package io.moonpool.model;

import org.jspecify.annotations.Nullable;

/**
 * What one item of a batch came to: a value, or an error of the table. Errors are values here,
 * since the other items of the batch go on.
 *
 * @param code {@link ErrorCode#OK} exactly when there is a value
 * @param value the result; null on errors, and for calls without a result
 */
public record Outcome<T>(ErrorCode code, @Nullable T value) {
  /** A success. */
  public static <T> Outcome<T> of(T value) {
    return new Outcome<>(ErrorCode.OK, value);
  }

  /** A success of a call without a result. */
  public static Outcome<Void> done() {
    return new Outcome<>(ErrorCode.OK, null);
  }

  /** An error. */
  public static <T> Outcome<T> error(ErrorCode code) {
    return new Outcome<>(code, null);
  }

  /** True when there is a value. */
  public boolean ok() {
    return code == ErrorCode.OK;
  }

  /**
   * The value.
   *
   * @throws StoreException when this is an error
   */
  public T get() {
    T present = value;
    if (code != ErrorCode.OK || present == null) {
      throw new StoreException(code == ErrorCode.OK ? ErrorCode.INTERNAL_ERROR : code);
    }
    return present;
  }
}
