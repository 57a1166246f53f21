package io.moonpool.master.drain;

import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.TakeTasks;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What nodes ask a master about tasks. Call from any Vert.x context; futures complete on it.
 *
 * <p>All of it fails with CLIENT_NOT_FOUND or another error of admission when the node is not
 * registered with that incarnation: register again.
 */
public interface TaskOperations extends TransferOperations {
  /**
   * Waits for tasks. Several calls of a node may wait; a task is given to one of them whose caller
   * is there.
   *
   * @param callerGone whether nobody can hear the answer any more; asked on another thread
   * @return empty when the time is over, or nobody hears it
   */
  Future<List<ReplicaTask>> take(TakeTasks request, BooleanSupplier callerGone);

  /**
   * Takes over how tasks ended.
   *
   * @return per task: OK, also when it was told before; TASK_NOT_FOUND; ILLEGAL_CLIENT when another
   *     node or incarnation has it; INVALID_PARAMS for an unknown code or a task that was not taken
   */
  Future<List<Outcome<Void>>> settle(SettleTasks request);
}
