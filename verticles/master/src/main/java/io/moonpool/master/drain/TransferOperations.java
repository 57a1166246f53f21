package io.moonpool.master.drain;

import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.StartTransfer;
import io.vertx.core.Future;

/**
 * Copies and moves that clients carry out by themselves. Call from any Vert.x context; futures
 * complete on it, and fail with a {@link io.moonpool.model.StoreException}.
 *
 * <p>An object has one copy or move at a time. A client that does not end its own in time loses it:
 * nothing was written then.
 */
public interface TransferOperations {
  /**
   * Starts a copy or move.
   *
   * @return where it reads, what it writes, and for how long. Fails with INVALID_PARAMS;
   *     INVALID_KEY; SEGMENT_NOT_FOUND; UNAVAILABLE_IN_CURRENT_STATUS when a target takes no
   *     objects; OBJECT_NOT_FOUND; REPLICA_NOT_FOUND when there is no complete replica on the
   *     source; REPLICA_IS_NOT_READY; OBJECT_HAS_REPLICATION_TASK; NO_AVAILABLE_HANDLE when a
   *     target has no room; TENANT_NOT_REGISTERED; ILLEGAL_CLIENT when a task has the id of the
   *     client
   */
  Future<ReplicaTask> startTransfer(TaskType type, StartTransfer request);

  /**
   * Ends one whose targets have all bytes. Whether it is a drain's the master knows by itself.
   *
   * @return fails with OBJECT_NOT_FOUND and INVALID_VERSION when the object was removed or
   *     overwritten meanwhile; OBJECT_NO_REPLICATION_TASK when there is none, or its time was over;
   *     ILLEGAL_CLIENT when it is another client's, or a task's; INVALID_PARAMS for a copy that is
   *     ended as a move or the other way round; REPLICA_IS_GONE when source or targets have gone
   */
  Future<Void> endTransfer(TaskType type, EndTransfer request);

  /** Gives one up. Fails as {@link #endTransfer}. */
  Future<Void> revokeTransfer(TaskType type, EndTransfer request);
}
