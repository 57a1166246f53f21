package io.moonpool.core.index;

import java.util.Map;
import java.util.Set;

/**
 * How far a lane is.
 *
 * @param replicas on its sources, whatever their status
 * @param unitsOf units by the generation of the source: a replica on a disk that goes with one in
 *     memory is none, nor is one of {@code rehomingOf}
 * @param rehomingOf units that have moved and stay on a disk until one has them at their new home,
 *     by the generation of the source
 * @param bytes of these replicas
 * @param active units that were started and not settled
 * @param waitingForObject units that wait for a change of their object
 * @param waitingForSpace units for which no target has room
 * @param failed units that failed for good
 * @param paused why whole sources wait
 * @param exhausted nothing is left to be started, nothing waits and nothing is active
 * @param touchedUntilMillis until when somebody may touch what was on the sources; 0 when nobody
 *     may
 */
public record LaneFigures(
    long replicas,
    Map<Long, Long> unitsOf,
    Map<Long, Long> rehomingOf,
    long bytes,
    long active,
    long waitingForObject,
    long waitingForSpace,
    long failed,
    Set<WaitReason> paused,
    boolean exhausted,
    long touchedUntilMillis) {
  /** Copies maps and set. */
  public LaneFigures {
    unitsOf = Map.copyOf(unitsOf);
    rehomingOf = Map.copyOf(rehomingOf);
    paused = Set.copyOf(paused);
  }
}
