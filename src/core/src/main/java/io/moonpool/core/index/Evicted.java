package io.moonpool.core.index;

/**
 * What a call evicted.
 *
 * @param objects of which at least one replica went
 * @param bytes of all replicas that went; not all of it may be free yet
 * @param deferredBytes of objects that were queued for offload: their memory goes when they are on
 *     disk
 * @param more the call was stopped by its budget: another one goes on. Otherwise it reached its
 *     goal or there is nothing left that may be evicted now
 */
public record Evicted(long objects, long bytes, long deferredBytes, boolean more) {
  /** Nothing was queued for offload. */
  public Evicted(long objects, long bytes, boolean more) {
    this(objects, bytes, 0, more);
  }
}
