package io.moonpool.master.drain;

import io.moonpool.master.metadata.LanePlan;
import io.moonpool.master.metadata.TargetRoom;
import io.moonpool.model.SegmentInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a drain would have to do, as of now. Nothing was changed.
 *
 * @param sources the segments that would be emptied
 * @param units objects that would move
 * @param bytes of these objects
 * @param diskUnits those of them that are on disk only, and would be read from there
 * @param droppedUnits objects whose replica would be given up, since others remain
 * @param targets the segments that would take objects
 * @param noRoomBytes of the objects that would find no room there, and wait for some
 * @param blockedUnits objects that could not move now, room aside
 * @param blocked the first of these, and why
 */
public record DrainPlan(
    List<JobInfo.Source> sources,
    long units,
    long bytes,
    long diskUnits,
    long droppedUnits,
    List<Target> targets,
    long noRoomBytes,
    long blockedUnits,
    List<JobInfo.BlockedUnit> blocked) {
  /** Copies the lists. */
  public DrainPlan {
    sources = List.copyOf(sources);
    targets = List.copyOf(targets);
    blocked = List.copyOf(blocked);
  }

  /**
   * A segment that would take objects.
   *
   * @param segment id and name
   * @param freeBytes that are not allocated there
   * @param roomBytes of these, what the drain may use: where the node has no disk, what is below
   *     the high watermark
   * @param expectedBytes that it would get, about
   */
  public record Target(
      JobInfo.Source segment, long freeBytes, long roomBytes, long expectedBytes) {}

  static DrainPlan of(DrainChoice choice, Map<Long, SegmentInfo> segments, LanePlan plan) {
    List<Target> targets = new ArrayList<>();
    for (TargetRoom room : plan.targets()) {
      SegmentInfo segment = segments.get(room.generation());
      if (segment != null) {
        targets.add(
            new Target(
                DrainChoice.source(segment),
                room.freeBytes(),
                room.roomBytes(),
                room.expectedBytes()));
      }
    }
    return new DrainPlan(
        choice.sources().stream().map(DrainChoice::source).toList(),
        plan.units(),
        plan.bytes(),
        plan.fromDisk(),
        plan.dropped(),
        targets,
        plan.noRoomBytes(),
        plan.waiting(),
        plan.first().stream().map(Wording::blocked).toList());
  }
}
