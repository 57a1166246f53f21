package io.moonpool.master.disk;

import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.AckTombstones;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.DropDiskObjects;
import io.moonpool.protocol.call.MemoryOnly;
import io.moonpool.protocol.call.OffloadSegment;
import io.moonpool.protocol.call.ReportDiskObjects;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettlePromotions;
import io.moonpool.protocol.call.TakeDiskWork;
import io.vertx.core.Future;
import java.util.List;

/**
 * What nodes ask a master about their disks. Call from any Vert.x context; futures complete on it.
 *
 * <p>All of it fails with CLIENT_NOT_FOUND or another error of admission when the node is not
 * registered with that incarnation, and with SEGMENT_NOT_FOUND when the disk is not mounted with
 * that generation: register and mount again.
 */
public interface DiskOperations {
  /** Takes over what a node found on its disk. */
  Future<List<Outcome<Void>>> report(ReportDiskObjects request);

  /** Waits for work. A second call for the same disk ends the first with nothing. */
  Future<DiskWork> take(TakeDiskWork request);

  /** Takes over how offloads ended. */
  Future<List<Outcome<Void>>> settle(SettleOffloads request);

  /** Takes over how promotions ended. */
  Future<List<Outcome<Void>>> settle(SettlePromotions request);

  /** Forgets what a node is about to evict from its disk. */
  Future<List<Outcome<Void>>> drop(DropDiskObjects request);

  /**
   * Has what would be lost with a memory segment written to its node's disk, and tells what that is
   * now: ask again until nothing is. Fails with UNAVAILABLE_IN_CURRENT_STATUS while the segment
   * takes new objects.
   */
  Future<MemoryOnly> offload(OffloadSegment request);

  /** Forgets what a disk will never report again. */
  Future<Void> acknowledge(AckTombstones request);
}
