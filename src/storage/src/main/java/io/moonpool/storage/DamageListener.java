package io.moonpool.storage;

/**
 * Is told of damaged objects, on the thread that found them. The store goes on listing the object:
 * whoever listens tells the master and then lays a tombstone on it. Must not block.
 */
public interface DamageListener {
  /** Listens to nothing. */
  DamageListener NONE = damage -> {};

  /** An object was found to be damaged; the same one perhaps more than once. */
  void damaged(Damage damage);
}
