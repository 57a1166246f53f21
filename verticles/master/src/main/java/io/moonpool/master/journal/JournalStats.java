package io.moonpool.master.journal;

/**
 * How a journal fared since it was opened.
 *
 * @param records that were appended
 * @param groups of records that were made durable together
 * @param failures of writing
 * @param snapshots that were written
 * @param bytes of its file
 * @param floors that it remembers
 */
public record JournalStats(
    long records, long groups, long failures, long snapshots, long bytes, long floors) {
  /** Of a journal that keeps nothing. */
  public static final JournalStats NONE = new JournalStats(0, 0, 0, 0, 0, 0);
}
