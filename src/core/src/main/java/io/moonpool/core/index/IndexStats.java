package io.moonpool.core.index;

/**
 * What a loop's objects come to, and what was done to them since it started. Plain counters that
 * their loop writes: other threads may read them and see values that are a little old.
 */
public final class IndexStats {
  long objects;
  long objectBytes;
  long writesInProgress;
  long memoryReplicas;
  long memoryReplicaBytes;
  long diskReplicas;
  long putsStarted;
  long upsertsStarted;
  long writesCompleted;
  long writesRevoked;
  long writesDisplaced;
  long writesReaped;
  long objectsRemoved;
  long extentsFreed;

  IndexStats() {}

  /** Objects with a completed write. */
  public long objects() {
    return objects;
  }

  /** The sum of the sizes of these objects, each counted once, in bytes. */
  public long objectBytes() {
    return objectBytes;
  }

  /** Puts and upserts that were started and neither ended nor given up. */
  public long writesInProgress() {
    return writesInProgress;
  }

  /** Replicas in memory, those of writes in progress included. */
  public long memoryReplicas() {
    return memoryReplicas;
  }

  /** The sum of the sizes of these replicas, in bytes. */
  public long memoryReplicaBytes() {
    return memoryReplicaBytes;
  }

  /** Replicas on local disks. */
  public long diskReplicas() {
    return diskReplicas;
  }

  /** Puts that were started. */
  public long putsStarted() {
    return putsStarted;
  }

  /** Upserts that were started. */
  public long upsertsStarted() {
    return upsertsStarted;
  }

  /** Writes that were completed. */
  public long writesCompleted() {
    return writesCompleted;
  }

  /** Writes that their writer revoked. */
  public long writesRevoked() {
    return writesRevoked;
  }

  /** Writes that another write took the place of. */
  public long writesDisplaced() {
    return writesDisplaced;
  }

  /** Writes that were not ended within their grant. */
  public long writesReaped() {
    return writesReaped;
  }

  /** Objects that somebody asked to remove. */
  public long objectsRemoved() {
    return objectsRemoved;
  }

  /** Extents that were handed back. */
  public long extentsFreed() {
    return extentsFreed;
  }
}
