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
 */
public record WriteOptions(ReplicateConfig replicate, boolean ignoreExisting, boolean manifest) {
  /** One replica; an existing object is an error. */
  public static final WriteOptions DEFAULT = of(ReplicateConfig.DEFAULT);

  /** The defaults with other replicas, pins, placement or groups. */
  public static WriteOptions of(ReplicateConfig replicate) {
    return new WriteOptions(replicate, false, false);
  }

  /** The defaults with that many replicas. */
  public static WriteOptions replicas(int replicas) {
    return of(ReplicateConfig.DEFAULT.withReplicaNum(replicas));
  }

  /** These options, where an existing object is a success or an error. */
  public WriteOptions withIgnoreExisting(boolean ignore) {
    return new WriteOptions(replicate, ignore, manifest);
  }

  /** These options for a manifest. */
  public WriteOptions asManifest() {
    return new WriteOptions(replicate, ignoreExisting, true);
  }

  /** These options with other replicas, pins, placement or groups. */
  public WriteOptions withReplicate(ReplicateConfig newReplicate) {
    return new WriteOptions(newReplicate, ignoreExisting, manifest);
  }
}
