package io.moonpool.core.index;

import java.util.Arrays;

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
  long objectsSwept;
  long objectsEvicted;
  long replicasEvicted;
  long bytesEvicted;
  long groupsPutOff;
  long extentsFreed;
  long quarantinedExtents;
  long quarantinedBytes;
  long softPinned;
  long diskFloors;
  long diskPatterns;
  long offloadsWaiting;
  long offloadsOpen;
  long offloadDeferredBytes;
  long offloadsStored;
  long offloadsFailed;
  long offloadsToRetry;
  long offloadsRetried;
  long offloadsOverdue;
  long replicasAdded;
  long replicasReaped;
  long transfersOverdue;
  long replicasCopied;
  long promotionsAdmitted;
  long promotionsRare;
  long promotionsMemoryFull;
  long promotionsQueueFull;
  long promotionsWaiting;
  long promotionsOpen;
  long promotionsCompleted;
  long promotionsFailed;
  long promotionsExpired;
  long promotionsCancelled;
  long promotionCandidates;
  long promotedBytes;
  long objectsReported;
  long deadReported;

  private final Orders orders;
  private long[] objectsOfTenants = new long[4];

  IndexStats(Orders orders) {
    this.orders = orders;
  }

  /** An object got its first completed write. */
  void add(int tenant, long size) {
    objects++;
    objectBytes += size;
    if (tenant >= objectsOfTenants.length) {
      objectsOfTenants = Arrays.copyOf(objectsOfTenants, tenant + 1 + tenant / 2);
    }
    objectsOfTenants[tenant]++;
  }

  /** An object is gone, or has no completed write any more. */
  void remove(int tenant, long size) {
    objects--;
    objectBytes -= size;
    objectsOfTenants[tenant]--;
  }

  /** Objects of a tenant with a completed write. */
  public long objectsOfTenant(int tenant) {
    long[] counts = objectsOfTenants;
    return tenant < counts.length ? counts[tenant] : 0;
  }

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

  /** Objects that lost their last replica with a segment. */
  public long objectsSwept() {
    return objectsSwept;
  }

  /** Objects of which at least one replica was evicted. */
  public long objectsEvicted() {
    return objectsEvicted;
  }

  /** Replicas that were evicted. */
  public long replicasEvicted() {
    return replicasEvicted;
  }

  /** The sum of the sizes of these replicas, in bytes. */
  public long bytesEvicted() {
    return bytesEvicted;
  }

  /** How often a group was not evicted since a member was leased. */
  public long groupsPutOff() {
    return groupsPutOff;
  }

  /**
   * Objects in that tier that could be evicted once their lease has ended: not hard-pinned, with a
   * replica in memory that no task reads.
   */
  public long evictionCandidates(EvictionTier tier) {
    return tier == EvictionTier.UNPINNED ? orders.unpinned.size() : orders.softPinned.size();
  }

  /** The same for both tiers. */
  public long evictionCandidates() {
    return evictionCandidates(EvictionTier.UNPINNED) + evictionCandidates(EvictionTier.SOFT_PINNED);
  }

  /** Objects with a soft pin that was not found to have run out. */
  public long softPinned() {
    return softPinned;
  }

  /** Extents that wait until nobody can touch them. */
  public long quarantinedExtents() {
    return quarantinedExtents;
  }

  /** The bytes of these extents. */
  public long quarantinedBytes() {
    return quarantinedBytes;
  }

  /** Floors that are kept for disks. */
  public long diskFloors() {
    return diskFloors;
  }

  /** Floors of removals by pattern that are kept for disks. */
  public long diskPatterns() {
    return diskPatterns;
  }

  /** Objects that wait until their node takes them to its disk. */
  public long offloadsWaiting() {
    return offloadsWaiting;
  }

  /** Objects that nodes have taken and not settled. */
  public long offloadsOpen() {
    return offloadsOpen;
  }

  /** Bytes of memory that an eviction wants back when their offload has ended. */
  public long offloadDeferredBytes() {
    return offloadDeferredBytes;
  }

  /** Objects that nodes stored on their disk and that have a replica there since. */
  public long offloadsStored() {
    return offloadsStored;
  }

  /** Objects that nodes could not store. */
  public long offloadsFailed() {
    return offloadsFailed;
  }

  /** Objects that wait to be copied to a disk which could not take or store them. */
  public long offloadsToRetry() {
    return offloadsToRetry;
  }

  /** Objects of these that were queued for their disk again. */
  public long offloadsRetried() {
    return offloadsRetried;
  }

  /** Objects whose memory nodes did not give back in time. */
  public long offloadsOverdue() {
    return offloadsOverdue;
  }

  /** Replicas that were added to objects. */
  public long replicasAdded() {
    return replicasAdded;
  }

  /** Replicas that were being added, and were not there in time. */
  public long replicasReaped() {
    return replicasReaped;
  }

  /** Copies and moves that were not ended within their grant. */
  public long transfersOverdue() {
    return transfersOverdue;
  }

  /** Replicas that were made by copies. */
  public long replicasCopied() {
    return replicasCopied;
  }

  /** Objects that were to be copied from a disk to memory since they were read. */
  public long promotionsAdmitted() {
    return promotionsAdmitted;
  }

  /** Reads of objects on disk that were too rare for that. */
  public long promotionsRare() {
    return promotionsRare;
  }

  /** Reads of objects on disk for which there was no room in memory. */
  public long promotionsMemoryFull() {
    return promotionsMemoryFull;
  }

  /** Reads of objects on disk while too many promotions were under way. */
  public long promotionsQueueFull() {
    return promotionsQueueFull;
  }

  /** Promotions that wait for the node that has the disk. */
  public long promotionsWaiting() {
    return promotionsWaiting;
  }

  /** Promotions that nodes have taken and not settled. */
  public long promotionsOpen() {
    return promotionsOpen;
  }

  /** Promotions whose object got a replica in memory. */
  public long promotionsCompleted() {
    return promotionsCompleted;
  }

  /** Promotions that nodes could not make, or for which there was no space. */
  public long promotionsFailed() {
    return promotionsFailed;
  }

  /** Promotions that were not taken, or not settled, in time. */
  public long promotionsExpired() {
    return promotionsExpired;
  }

  /** Promotions whose object, disk or memory went meanwhile. */
  public long promotionsCancelled() {
    return promotionsCancelled;
  }

  /** Objects to be promoted when there is room. */
  public long promotionCandidates() {
    return promotionCandidates;
  }

  /** Bytes of the objects of completed promotions. */
  public long promotedBytes() {
    return promotedBytes;
  }

  /** Records of disks that were registered by reports. */
  public long objectsReported() {
    return objectsReported;
  }

  /** Records of disks that were found dead when they were reported. */
  public long deadReported() {
    return deadReported;
  }

  /** Extents that were handed back. */
  public long extentsFreed() {
    return extentsFreed;
  }
}
