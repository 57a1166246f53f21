package io.moonpool.master.segment;

import io.vertx.core.Future;
import java.util.UUID;

/**
 * The small numbers by which disks are known, also after a restart of the master, and what the
 * journal has to know of them. On the control loop, on which its futures complete.
 */
public interface DiskNumbers {
  /**
   * A disk is about to be mounted.
   *
   * @param nodeId of its node, for people
   * @param name of its segment, for people
   * @return its number, at least 1, a new one for a disk that was never seen; completes when it is
   *     durable that the disk is mounted
   */
  Future<Integer> mounting(UUID diskId, UUID nodeId, String name);

  /** A disk that was mounted, or was about to be, is not: before metadata loops are told. */
  void absent(int disk);

  /**
   * Every metadata loop knows that the scan of a mounted disk is complete.
   *
   * @return completes when that is durable
   */
  Future<Void> scanned(int disk);
}
