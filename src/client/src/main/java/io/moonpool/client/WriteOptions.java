package io.moonpool.client;

import io.moonpool.model.ReplicateConfig;

/**
 * How one put or upsert is done.
 *
 * @param replicate replicas, pins, placement and groups; an empty host id is filled in from {@link
 *     ClientOptions#hostId()}
 * @param ignoreExisting a put of an object that already exists succeeds without writing; no effect
 *     on upserts
 * @param manifest the value lists the parts of a larger one and is no value of its own: it is
 *     stored under {@link io.moonpool.model.ChecksumKind#MANIFEST}. Only for {@link
 *     io.moonpool.client.parts}
 * @param spaceWaitMillis how long a write that finds the pool full tries again, in milliseconds; 0:
 *     it fails with NO_AVAILABLE_HANDLE at once, when the master's own wait for space is over. What
 *     is in memory only is copied to disk before it gives way, and what somebody reads stays until
 *     that lease is over, so a pool with disks has space again in a while
 */
public record WriteOptions(
    ReplicateConfig replicate, boolean ignoreExisting, boolean manifest, long spaceWaitMillis) {
  /** Checks the time. */
  public WriteOptions {
    if (spaceWaitMillis < 0) {
      throw new IllegalArgumentException("the wait for space is 0 ms or more");
    }
  }

  /** One replica; an existing object is an error. */
  public static final WriteOptions DEFAULT = of(ReplicateConfig.DEFAULT);

  /** The defaults with other replicas, pins, placement or groups. */
  public static WriteOptions of(ReplicateConfig replicate) {
    return new WriteOptions(replicate, false, false, 0);
  }

  /** The defaults with that many replicas. */
  public static WriteOptions replicas(int replicas) {
    return of(ReplicateConfig.DEFAULT.withReplicaNum(replicas));
  }

  /** These options, where an existing object is a success or an error. */
  public WriteOptions withIgnoreExisting(boolean ignore) {
    return new WriteOptions(replicate, ignore, manifest, spaceWaitMillis);
  }

  /** These options for a manifest. */
  public WriteOptions asManifest() {
    return new WriteOptions(replicate, ignoreExisting, true, spaceWaitMillis);
  }

  /** These options with other replicas, pins, placement or groups. */
  public WriteOptions withReplicate(ReplicateConfig newReplicate) {
    return new WriteOptions(newReplicate, ignoreExisting, manifest, spaceWaitMillis);
  }

  /**
   * These options, with patience when the pool is full.
   *
   * @param millis how long to try again; 0: not at all
   */
  public WriteOptions withSpaceWaitMillis(long millis) {
    return new WriteOptions(replicate, ignoreExisting, manifest, millis);
  }
}
