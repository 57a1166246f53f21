package io.moonpool.master.journal;

import java.util.UUID;

/**
 * One fact that a master remembers. Facts are true when they are appended, whether they become
 * durable or not, so a journal that recovers from a failure writes all of them.
 */
public sealed interface JournalRecord {
  /** In place of a disk's number: all disks that are absent or not scanned to the end. */
  int EVERY_ABSENT_DISK = 0;

  /**
   * A master started. Disks that were mounted are absent from now on.
   *
   * @param epoch its number
   * @param endEpoch the next start gets this epoch or a later one: the versions of this one are
   *     used up to there at most
   * @param wallMillis when, by the wall clock
   */
  record EpochStarted(long epoch, long endEpoch, long wallMillis) implements JournalRecord {}

  /** The master that runs may use versions up to a later epoch. */
  record EpochExtended(long endEpoch) implements JournalRecord {}

  /** A tenant has a number, which is part of the hash of its keys. */
  record TenantNumbered(int number, String name) implements JournalRecord {}

  /**
   * A disk is mounted; the first time, it becomes known.
   *
   * @param disk its number, at least 1; never used again for another
   * @param segmentId the id that the disk itself holds
   * @param nodeId of the node that has it
   * @param name for people
   */
  record DiskMounted(int disk, UUID segmentId, UUID nodeId, String name) implements JournalRecord {}

  /**
   * A mounted disk goes. Appended before any metadata loop is told.
   *
   * @param wallMillis when, by the wall clock
   */
  record DiskAbsent(int disk, long wallMillis) implements JournalRecord {}

  /** The scan of a mounted disk is complete, and every metadata loop knows. */
  record DiskScanned(int disk) implements JournalRecord {}

  /** A disk was absent for too long: records with a lower version on it are dead. */
  record DiskVoided(int disk, long deadBelow) implements JournalRecord {}

  /** An absent disk does not exist any more. */
  record DiskForgotten(int disk) implements JournalRecord {}

  /**
   * Records of keys are dead.
   *
   * @param disk on which, or {@link #EVERY_ABSENT_DISK}
   */
  record FloorsAdded(int disk, Floors floors) implements JournalRecord {}

  /**
   * Records of keys that a removal by pattern chose are dead, on all disks that are absent or not
   * scanned to the end.
   *
   * @param firstShard of the shards that it is about
   * @param endShard behind the last of them
   * @param below records with this or a higher version are not meant
   * @param survivors by the hash of a key, the version from which on its records live
   */
  record PatternFloorAdded(
      KeySelection keys, int firstShard, int endShard, long below, Floors survivors)
      implements JournalRecord {
    /** Whether it says all that an earlier one does. */
    boolean replaces(PatternFloorAdded earlier) {
      return firstShard <= earlier.firstShard
          && endShard >= earlier.endShard
          && below >= earlier.below
          && keys.covers(earlier.keys);
    }
  }

  /** A disk has tombstones for what is below floors. */
  record FloorsAcknowledged(int disk, Floors floors) implements JournalRecord {}

  /** All of what is known of a disk; only in snapshots. */
  record DiskKept(JournaledDisk disk, boolean needsFloors) implements JournalRecord {}

  /** Floors of earlier mounts of a disk; only in snapshots. */
  record EarlierFloorsKept(int disk, Floors floors) implements JournalRecord {}

  /**
   * A drain job as it is now, in place of what was known of it.
   *
   * @param form its figures and its request; only the drains read it. Not copied: do not write to
   *     it
   */
  record DrainJobKept(UUID id, byte[] form) implements JournalRecord {}

  /** A drain job is not to be remembered any longer. */
  record DrainJobForgotten(UUID id) implements JournalRecord {}

  /**
   * A segment takes no new objects when it is mounted, until it is released.
   *
   * @param segmentId chosen by its node
   * @param nodeId of its node
   * @param job the drain job that wants it
   * @param name for people
   */
  record SegmentHeld(UUID segmentId, UUID nodeId, UUID job, String name) implements JournalRecord {}

  /** A segment that was held may take objects again. */
  record SegmentReleased(UUID segmentId) implements JournalRecord {}

  /** The snapshot is complete. */
  record SnapshotEnded() implements JournalRecord {}
}
