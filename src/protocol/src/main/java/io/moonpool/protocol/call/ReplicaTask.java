package io.moonpool.protocol.call;

import io.moonpool.model.TaskType;
import java.util.List;
import java.util.UUID;

/**
 * Bytes that a node is to write from a replica of its own into memory that the master reserved. It
 * tells all that the node needs: the master has started the transfer, and ends it when the node has
 * settled the task.
 *
 * <p>A node may be given more tasks of a group than may run at a time, so that the next one is
 * there when one ends. Those wait at the node, in the order in which they came.
 *
 * @param isDrain a drain job made the task, not a user
 * @param object what is transferred; its version does not change
 * @param source the replica on the node that takes the task
 * @param targets where the bytes go. Empty when every target already has them: nothing to transfer
 * @param group the drain job that made the task; the task's own id when a user did
 * @param atOnce so many tasks of its group may run at a time, at least 1
 * @param grantMillis how long from now on the targets may be written; the reservation ends then
 */
public record ReplicaTask(
    UUID taskId,
    TaskType type,
    boolean isDrain,
    DiskObject object,
    ReplicaSource source,
    List<ReplicaTarget> targets,
    UUID group,
    int atOnce,
    long grantMillis) {
  /** Copies the list. */
  public ReplicaTask {
    targets = List.copyOf(targets);
  }

  /** A task that is of no group. */
  public ReplicaTask(
      UUID taskId,
      TaskType type,
      boolean isDrain,
      DiskObject object,
      ReplicaSource source,
      List<ReplicaTarget> targets,
      long grantMillis) {
    this(taskId, type, isDrain, object, source, targets, taskId, 1, grantMillis);
  }
}
