package io.moonpool.master.metadata;

import java.util.List;

/**
 * What there is to do in a lane now.
 *
 * @param started units that were started
 * @param droppedUnits replicas that were removed without a transfer, since every other segment has
 *     one
 * @param rehomedUnits units that had moved and have left their disk, since one at their new home
 *     has them
 * @param undoneUnits units that had moved and are moved again, since their new home went before its
 *     disk had them
 * @param undoneBytes the bytes of their objects
 * @param more there are units that can be started at once; otherwise {@link
 *     LaneListener#laneChanged} says when there may be some
 */
public record LaneBatch(
    List<LaneUnit> started,
    long droppedUnits,
    long rehomedUnits,
    long undoneUnits,
    long undoneBytes,
    boolean more) {
  /** Copies the list. */
  public LaneBatch {
    started = List.copyOf(started);
  }
}
