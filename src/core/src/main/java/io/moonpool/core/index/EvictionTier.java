package io.moonpool.core.index;

/** Which objects may be evicted. Hard-pinned objects never are. */
public enum EvictionTier {
  /** Objects without a live soft pin. */
  UNPINNED,
  /** Objects with a live soft pin. */
  SOFT_PINNED
}
