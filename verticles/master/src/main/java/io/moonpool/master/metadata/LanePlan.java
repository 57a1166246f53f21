package io.moonpool.master.metadata;

import java.util.List;

/**
 * What a drain would do. Nothing was changed to find out.
 *
 * @param units replicas that would be moved
 * @param bytes of these
 * @param fromDisk how many of these units are read from disk
 * @param dropped replicas that would be removed without a transfer
 * @param waiting units that would have to wait now
 * @param targets where units would go
 * @param noRoomBytes of the units that would find no room there, and wait for some
 * @param first units that would have to wait, and why; a few
 */
public record LanePlan(
    long units,
    long bytes,
    long fromDisk,
    long dropped,
    long waiting,
    List<TargetRoom> targets,
    long noRoomBytes,
    List<WaitingUnit> first) {
  /** Copies the lists. */
  public LanePlan {
    targets = List.copyOf(targets);
    first = List.copyOf(first);
  }
}
