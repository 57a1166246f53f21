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
}
