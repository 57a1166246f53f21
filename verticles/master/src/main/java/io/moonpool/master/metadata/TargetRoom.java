package io.moonpool.master.metadata;

import io.moonpool.core.index.LaneTarget;
import java.util.ArrayList;
import java.util.List;

/**
 * Room for what is to be drained.
 *
 * @param generation of the memory segment's mount
 * @param freeBytes that are free in it now
 * @param roomBytes of these, what the drain may use
 * @param expectedBytes what it would get, when units are spread by room
 */
public record TargetRoom(long generation, long freeBytes, long roomBytes, long expectedBytes) {
  /**
   * Spreads bytes by the room that segments have. What is more than that goes to those where
   * eviction makes room; where there are none, no segment gets it.
   */
  static List<TargetRoom> spread(long bytes, List<LaneTarget> targets) {
    long room = targets.stream().mapToLong(LaneTarget::roomBytes).sum();
    long rest = Math.max(0, bytes - room);
    long makers = targets.stream().filter(LaneTarget::makesRoom).count();
    List<TargetRoom> spread = new ArrayList<>(targets.size());
    for (LaneTarget target : targets) {
      double share = room == 0 ? 0 : (double) target.roomBytes() / room;
      long expected = Math.min(target.roomBytes(), Math.round((bytes - rest) * share));
      if (target.makesRoom()) {
        // The last one gets what the others leave, so that nothing is missing.
        long more = rest / makers;
        expected += more;
        rest -= more;
        makers--;
      }
      spread.add(
          new TargetRoom(
              target.segment().generation(), target.freeBytes(), target.roomBytes(), expected));
    }
    return spread;
  }
}
