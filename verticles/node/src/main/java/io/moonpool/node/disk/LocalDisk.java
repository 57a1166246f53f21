package io.moonpool.node.disk;

import io.vertx.core.Future;

/** A node's disk, for those who look after it. Any context may call; futures complete on it. */
public interface LocalDisk {
  /**
   * What it holds now.
   *
   * @return fails with UNAVAILABLE_IN_CURRENT_STATUS until the disk is open, and when its workers
   *     have more to do than they can
   */
  Future<DiskStatus> status();

  /**
   * Starts to give back the space of dead objects: buckets without live ones are deleted, and what
   * lives in those that are mostly dead is copied. Reads and offloads go on meanwhile.
   *
   * @param deadRatio which part of a bucket's values must be dead for it to be copied, above 0 to 1
   * @return how it has begun, see {@link DiskStatus#collection} for the rest; fails with
   *     INVALID_PARAMS, and with UNAVAILABLE_IN_CURRENT_STATUS until the disk is open or while a
   *     collection is under way
   */
  Future<DiskCollection> collect(double deadRatio);
}
