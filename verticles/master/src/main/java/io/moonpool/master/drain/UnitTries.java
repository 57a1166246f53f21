package io.moonpool.master.drain;

import io.moonpool.master.metadata.UnitRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often the units of a job have failed. Only those that have failed take room here. Belongs to
 * the control loop.
 */
final class UnitTries {
  /** A unit is tried so often. */
  static final int MAX = 3;

  /** So many units that failed for good are named. */
  private static final int NAMED = 16;

  /** By the replica on the source. */
  private final Map<Long, Integer> failures = new HashMap<>();

  /** Units that failed for good, by the generation of the source. */
  private final Map<Long, Long> failedOn = new HashMap<>();

  private final List<JobInfo.BlockedUnit> first = new ArrayList<>();

  /** A try has failed; answers how many of that unit have. */
  int failed(UnitRef unit) {
    return failures.merge(unit.replicaId(), 1, Integer::sum);
  }

  /** A unit has failed for good, as that task did. */
  void givenUp(UnitRef unit, Task task) {
    failures.remove(unit.replicaId());
    failedOn.merge(unit.sourceGeneration(), 1L, Long::sum);
    if (first.size() < NAMED) {
      // Some nodes begin what they say with the name of the error.
      String reason =
          task.message.startsWith(task.code.name())
              ? task.message
              : task.code + ": " + task.message;
      first.add(new JobInfo.BlockedUnit(task.tenant, task.key, reason));
    }
  }

  /** A unit is not on its source any more. */
  void ended(UnitRef unit) {
    failures.remove(unit.replicaId());
  }

  /** How many units failed for good on a source. */
  long givenUpOn(long sourceGeneration) {
    return failedOn.getOrDefault(sourceGeneration, 0L);
  }

  /** The first units that failed for good, and why. */
  List<JobInfo.BlockedUnit> first() {
    return first;
  }
}
