package io.moonpool.master.metadata;

import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTarget;
import io.moonpool.protocol.call.ReplicaTask;
import java.util.List;
import java.util.UUID;

/**
 * A transfer that is under way: its source is held and its targets are reserved until it is ended,
 * revoked, or out of its grant.
 *
 * @param isDrain a drain job started it
 * @param object what is transferred
 * @param targets the replicas to be written; empty when every target has one already, so that the
 *     transfer can be ended at once
 */
public record StartedTransfer(
    UUID taskId,
    TaskType type,
    boolean isDrain,
    DiskObject object,
    ReplicaSource source,
    List<ReplicaTarget> targets) {
  /** Copies the list. */
  public StartedTransfer {
    targets = List.copyOf(targets);
  }

  /** Names it for {@link DrainProxy#end} and {@link DrainProxy#revoke}. */
  public TransferId id() {
    return new TransferId(type, object.tenant(), object.key(), object.version(), taskId);
  }

  /**
   * What is told to somebody who carries it out for itself, of no group.
   *
   * @param leftMillis how long from now on the targets may be written
   */
  public ReplicaTask task(long leftMillis) {
    return task(taskId, 1, leftMillis);
  }

  /**
   * What a node is told to do.
   *
   * @param group whose tasks share {@code atOnce}
   * @param atOnce so many tasks of the group may run at a time
   * @param leftMillis how long from now on the targets may be written
   */
  public ReplicaTask task(UUID group, int atOnce, long leftMillis) {
    return new ReplicaTask(
        taskId, type, isDrain, object, source, targets, group, atOnce, leftMillis);
  }
}
