package io.moonpool.storage.recovery;

import java.util.List;

/**
 * What a recovery scan found.
 *
 * @param buckets buckets that can be read
 * @param liveObjects objects in them that are not dead
 * @param liveBytes bytes of their values
 * @param damaged buckets that were set aside now
 * @param damagedBytes what is in {@code damaged/} takes, earlier damages included
 * @param removedLeftovers files of unfinished writes and evictions that were deleted
 * @param unknownFiles names that the store did not write, left alone
 * @param tombstones tombstones that still matter
 * @param damagedTombstones tombstones that could not be read: what they killed may be reported
 *     again
 * @param duplicates copies that a newer one of the same object killed
 * @param indexBytes bytes of the index files that were read
 * @param millis how long it took
 */
public record RecoveryReport(
    int buckets,
    long liveObjects,
    long liveBytes,
    List<DamagedBucket> damaged,
    long damagedBytes,
    int removedLeftovers,
    int unknownFiles,
    long tombstones,
    long damagedTombstones,
    long duplicates,
    long indexBytes,
    long millis) {
  /** Copies the list. */
  public RecoveryReport {
    damaged = List.copyOf(damaged);
  }
}
