package io.moonpool.core.index;

/**
 * When objects of memory are copied to the disk of the node that holds them.
 *
 * @param enabled whether they are at all
 * @param onEvict when their memory is wanted back; otherwise when their write has ended
 * @param force evict objects from memory rather than keep them when they cannot be offloaded now
 * @param queueLimit how many objects of this loop may wait for one disk, at least 1
 * @param capRatio with {@code force}: an eviction queues at most this share of the limit, 0 to 1
 * @param holdMillis how long a node may read the memory of an object that it was told to offload,
 *     at least 1
 */
public record OffloadPolicy(
    boolean enabled,
    boolean onEvict,
    boolean force,
    int queueLimit,
    double capRatio,
    long holdMillis) {
  /** Nothing is offloaded. */
  public static final OffloadPolicy OFF = new OffloadPolicy(false, false, false, 1, 0, 1);

  /** Checks the values. */
  public OffloadPolicy {
    if (queueLimit < 1 || !(capRatio >= 0 && capRatio <= 1) || holdMillis < 1) {
      throw new IllegalArgumentException(
          "the offload queue holds at least 1, the ratio is 0 to 1, the hold at least 1 ms: "
              + queueLimit
              + ", "
              + capRatio
              + ", "
              + holdMillis
              + " ms");
    }
  }
}
