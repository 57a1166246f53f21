package io.moonpool.master.segment;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The small numbers by which disks are known, also after a restart of the master. */
public interface DiskNumbers {
  /**
   * The number of a disk, a new one for a disk that was never seen. On the control loop.
   *
   * @param nodeId of its node, for people
   * @param name of its segment, for people
   * @return at least 1; completes on the control loop when the number is durable
   */
  Future<Integer> numberOf(UUID diskId, UUID nodeId, String name);

  /** Numbers that are forgotten with the process. */
  static DiskNumbers inMemory() {
    Map<UUID, Integer> known = new HashMap<>();
    return (diskId, nodeId, name) ->
        Future.succeededFuture(known.computeIfAbsent(diskId, any -> known.size() + 1));
  }
}
