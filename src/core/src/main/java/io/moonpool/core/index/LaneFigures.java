package io.moonpool.core.index;

import java.util.Map;
import java.util.Set;

/**
 * How far a lane is.
 *
 * @param replicas on its sources, whatever their status
 * @param unitsOf units by the generation of the source: a replica on a disk that goes with one in
 *     memory is none
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
    long bytes,
    long active,
    long waitingForObject,
    long waitingForSpace,
    long failed,
    Set<WaitReason> paused,
    boolean exhausted,
    long touchedUntilMillis) {
  /** Copies map and set. */
  public LaneFigures {
    unitsOf = Map.copyOf(unitsOf);
    paused = Set.copyOf(paused);
  }
}
