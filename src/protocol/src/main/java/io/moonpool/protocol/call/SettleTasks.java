package io.moonpool.protocol.call;

import java.util.List;
import java.util.UUID;

/**
 * Tells how tasks ended. Per item: OK, also when it was settled before; TASK_NOT_FOUND;
 * ILLEGAL_CLIENT when another node or incarnation has the task; INVALID_PARAMS.
 */
public record SettleTasks(UUID nodeId, long incarnation, List<SettledTask> tasks) {
  /** Copies the list. */
  public SettleTasks {
    tasks = List.copyOf(tasks);
  }
}
