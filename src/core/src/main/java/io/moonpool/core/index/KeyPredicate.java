package io.moonpool.core.index;

/** Chooses objects by their key. */
@FunctionalInterface
public interface KeyPredicate {
  /**
   * Whether the key is meant.
   *
   * @param tenant the tenant's small number
   * @param bytes holds the key; do not write to it, do not keep it
   */
  boolean test(int tenant, byte[] bytes, int offset, int length);

  /**
   * What chooses the same keys later, when nobody is there any more to be told that it cannot: one
   * that can neither fail nor change.
   */
  default KeyPredicate lasting() {
    return this;
  }

  /** Whether it is known to choose every key that another one does. */
  default boolean covers(KeyPredicate other) {
    return equals(other);
  }
}
