package io.moonpool.client;

import io.moonpool.model.ReplicateConfig;

/**
 * How one put or upsert is done.
 *
 * @param replicate replicas, pins, placement and groups; an empty host id is filled in from {@link
 *     ClientOptions#hostId()}
 * @param ignoreExisting a put of an object that already exists succeeds without writing; no effect
 *     on upserts
 */
public record WriteOptions(ReplicateConfig replicate, boolean ignoreExisting) {
  /** One replica; an existing object is an error. */
  public static final WriteOptions DEFAULT = new WriteOptions(ReplicateConfig.DEFAULT, false);

  /** The defaults with that many replicas. */
  public static WriteOptions replicas(int replicas) {
    return new WriteOptions(ReplicateConfig.DEFAULT.withReplicaNum(replicas), false);
  }

  /** These options, where an existing object is a success or an error. */
  public WriteOptions withIgnoreExisting(boolean ignore) {
    return new WriteOptions(replicate, ignore);
  }
}
