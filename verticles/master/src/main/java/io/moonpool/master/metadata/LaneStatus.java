package io.moonpool.master.metadata;

import io.moonpool.core.index.WaitReason;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How far the lane of a job is, on one loop or all together.
 *
 * @param replicas on the sources, whatever their status
 * @param unitsOf units by the generation of the source: a replica on a disk that goes with one in
 *     memory is none, nor is one of {@code rehomingOf}
 * @param rehomingOf units that have moved and stay on a disk until one has them at their new home,
 *     by the generation of the source
 * @param waitingForObject units that wait for their object: it is being written, copied or moved
 * @param waitingForSpace units for which no target has room
 * @param paused why whole sources wait: their node is not heard from, a disk is being scanned,
 *     floors cannot be made durable
 * @param exhausted nothing is left to be started, nothing waits and nothing is active: what is left
 *     has failed for good
 * @param leaseLeftMillis how long somebody may still read or write bytes on the sources that were
 *     given up; 0 when nobody may. The sources are empty when there are no replicas and this is 0
 * @param first units that wait or have failed, and why; a few
 */
public record LaneStatus(
    long replicas,
    Map<Long, Long> unitsOf,
    Map<Long, Long> rehomingOf,
    long waitingForObject,
    long waitingForSpace,
    Set<WaitReason> paused,
    boolean exhausted,
    long leaseLeftMillis,
    List<WaitingUnit> first) {
  /** At most so many units are named. */
  public static final int FIRST = 10;

  /** Copies the collections. */
  public LaneStatus {
    unitsOf = Map.copyOf(unitsOf);
    rehomingOf = Map.copyOf(rehomingOf);
    paused = Set.copyOf(paused);
    first = List.copyOf(first);
  }

  /** Units on the sources. */
  public long units() {
    return unitsOf.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Units that have moved and are not on a disk at their new home yet. */
  public long rehoming() {
    return rehomingOf.values().stream().mapToLong(Long::longValue).sum();
  }

  /** No replica is on the sources, and nobody can touch what was there. */
  public boolean isEmpty() {
    return replicas == 0 && leaseLeftMillis == 0;
  }

  /** Of several loops, all together. */
  public static LaneStatus sum(List<LaneStatus> parts) {
    Set<WaitReason> paused = EnumSet.noneOf(WaitReason.class);
    Map<Long, Long> unitsOf = new HashMap<>();
    Map<Long, Long> rehomingOf = new HashMap<>();
    List<WaitingUnit> first = new ArrayList<>();
    for (LaneStatus part : parts) {
      paused.addAll(part.paused);
      part.unitsOf.forEach((source, count) -> unitsOf.merge(source, count, Long::sum));
      part.rehomingOf.forEach((source, count) -> rehomingOf.merge(source, count, Long::sum));
      part.first.stream().limit(FIRST - first.size()).forEach(first::add);
    }
    return new LaneStatus(
        parts.stream().mapToLong(LaneStatus::replicas).sum(),
        unitsOf,
        rehomingOf,
        parts.stream().mapToLong(LaneStatus::waitingForObject).sum(),
        parts.stream().mapToLong(LaneStatus::waitingForSpace).sum(),
        paused,
        parts.stream().allMatch(LaneStatus::exhausted),
        parts.stream().mapToLong(LaneStatus::leaseLeftMillis).max().orElse(0),
        first);
  }
}
