package io.moonpool.master.drain;

import io.moonpool.master.metadata.LaneBatch;
import io.moonpool.master.metadata.LanePlan;
import io.moonpool.master.metadata.LaneSpec;
import io.moonpool.master.metadata.LaneStatus;
import io.moonpool.master.metadata.StartedTransfer;
import io.moonpool.master.metadata.TransferRequest;
import io.moonpool.master.metadata.UnitRef;
import io.moonpool.model.ErrorCode;
import io.vertx.core.Future;
import java.util.UUID;

/**
 * The metadata loops as jobs and tasks see them. A lane is the part of a job that one loop has: the
 * replicas on the job's sources, of the keys of that loop. Lanes are numbered from 0.
 *
 * <p>Called on the control loop; futures complete there.
 */
interface Lanes {
  /** How many there are. */
  int count();

  /** Opens the lanes of a job, in place of those that it has. */
  Future<Void> open(LaneSpec spec);

  /**
   * Starts the transfers of the next units of a lane.
   *
   * @param maxBytes no unit is started when those before it have as many bytes together
   */
  Future<LaneBatch> take(int lane, UUID job, int maxUnits, long maxBytes);

  /** A unit is to be tried again, after those that were not tried yet. */
  void again(int lane, UUID job, UnitRef unit);

  /** A unit has failed for good: it stays where it is. */
  void fail(int lane, UUID job, UnitRef unit);

  /** How far a job is, all its lanes together. */
  Future<LaneStatus> status(UUID job);

  /** Forgets the lanes of a job. */
  void close(UUID job);

  /** Starts the transfer of a task that somebody made by hand. */
  Future<StartedTransfer> start(TransferRequest request);

  /** Has the scheduler told, once, when space becomes free. Look again afterwards. */
  void wantSpace();

  /**
   * Makes a transfer real: the targets have the bytes.
   *
   * @return OK; OBJECT_NOT_FOUND or INVALID_VERSION when the object was removed or overwritten
   *     meanwhile; or what it failed with
   */
  Future<ErrorCode> end(StartedTransfer transfer);

  /** Undoes a transfer that was started. */
  Future<Void> revoke(StartedTransfer transfer);

  /** What a job would have to do; changes nothing. */
  Future<LanePlan> plan(LaneSpec spec);
}
