package io.moonpool.core.index;

import java.util.Arrays;

/**
 * Holds what a successful start call answers. Made once and filled again by each call, so that a
 * batch allocates nothing. Not thread safe.
 */
public final class StartedWrite {
  private long version;
  private long[] replicaIds = new long[4];
  private int replicas;

  void begin(long version) {
    this.version = version;
    replicas = 0;
  }

  void add(long replicaId) {
    if (replicas == replicaIds.length) {
      replicaIds = Arrays.copyOf(replicaIds, replicas * 2);
    }
    replicaIds[replicas++] = replicaId;
  }

  /** Names the write; the end or revoke call gives it back. */
  public long version() {
    return version;
  }

  /** How many replicas: as many as there were extents. */
  public int replicas() {
    return replicas;
  }

  /** The id of the replica in the extent of that index. */
  public long replicaId(int index) {
    return replicaIds[index];
  }
}
