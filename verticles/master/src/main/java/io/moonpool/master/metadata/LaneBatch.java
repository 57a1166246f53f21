package io.moonpool.master.metadata;

import java.util.List;

/**
 * What there is to do in a lane now.
 *
 * @param started units that were started
 * @param droppedUnits replicas that were removed without a transfer, since every other segment has
 *     one
 * @param more there are units that can be started at once; otherwise {@link
 *     LaneListener#laneChanged} says when there may be some
 */
public record LaneBatch(List<LaneUnit> started, long droppedUnits, boolean more) {
  /** Copies the list. */
  public LaneBatch {
    started = List.copyOf(started);
  }
}
