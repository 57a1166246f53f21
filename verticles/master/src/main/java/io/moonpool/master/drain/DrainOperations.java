package io.moonpool.master.drain;

import io.moonpool.model.TaskStatus;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a master can be asked about drains, and about single copies and moves. Call from any Vert.x
 * context; futures complete on it, and fail with a {@link io.moonpool.model.StoreException}.
 *
 * <p>Where a segment is named, its id or its name will do; a name that several segments have is
 * INVALID_PARAMS, an unknown one SEGMENT_NOT_FOUND.
 */
public interface DrainOperations extends TransferOperations {
  /**
   * Starts a job that empties segments. They take no new objects from now on.
   *
   * @return the job, once it is durable. Fails with INVALID_PARAMS; SEGMENT_NOT_FOUND for an
   *     unknown segment, also of a node without any; CLIENT_NOT_FOUND for an unknown node;
   *     UNAVAILABLE_IN_CURRENT_STATUS when a segment is in a job already, is about to be unmounted,
   *     or a target takes no objects; PERSISTENT_FAIL when the journal cannot be written
   */
  Future<JobInfo> createJob(DrainRequest request);

  /** What that job would do; nothing is changed. Fails as {@link #createJob}. */
  Future<DrainPlan> planJob(DrainRequest request);

  /** A job, with what its units wait for now. Fails with JOB_NOT_FOUND. */
  Future<JobInfo> job(UUID id);

  /** All jobs that are remembered, the newest first. */
  Future<List<JobInfo>> jobs();

  /**
   * Ends a job: no unit is started any more, those that no node has are given up, and its segments
   * take objects again. What nodes have goes on to its end, and is still counted.
   *
   * @return the job. Fails with JOB_NOT_FOUND, or UNAVAILABLE_IN_CURRENT_STATUS when it has ended
   */
  Future<JobInfo> cancel(UUID id);

  /**
   * Has segments take objects again that a job has emptied or failed to empty.
   *
   * @param node name, id, address or host id of the node whose segments are meant; empty when
   *     segments are named
   * @param segments empty when a node is named
   * @return the segments that take objects again, or will when they are mounted. Fails with
   *     INVALID_PARAMS; SEGMENT_NOT_FOUND; CLIENT_NOT_FOUND; UNAVAILABLE_IN_CURRENT_STATUS while a
   *     job empties one of them
   */
  Future<List<JobInfo.Source>> undrain(String node, List<String> segments);

  /**
   * Starts to move an object's replica to another segment. What is on the disk of the source's node
   * stays.
   *
   * @return the task. Fails with INVALID_PARAMS when source and target are the same, the target is
   *     unknown or a disk, or the object has no replica on the source; OBJECT_NOT_FOUND;
   *     UNAVAILABLE_IN_CURRENT_STATUS when the target takes no objects;
   *     OBJECT_HAS_REPLICATION_TASK; TASK_PENDING_LIMIT_EXCEEDED. A target without room does not
   *     fail: the task waits for some
   */
  Future<TaskInfo> createMoveTask(MoveRequest request);

  /**
   * Starts to copy an object to more segments; those that have a replica are skipped.
   *
   * @return the task. Fails as {@link #createMoveTask}
   */
  Future<TaskInfo> createCopyTask(CopyRequest request);

  /** A task. Fails with TASK_NOT_FOUND, also when it is forgotten. */
  Future<TaskInfo> task(UUID id);

  /**
   * The latest tasks, the newest first.
   *
   * @param status only those in that status; null for all
   * @param job only those of that drain job; null for all
   * @param limit at most so many
   */
  Future<List<TaskInfo>> tasks(@Nullable TaskStatus status, @Nullable UUID job, int limit);

  /**
   * Tells a listener of all that happens to a job, beginning with how it is now; figures at most
   * four times a second.
   *
   * @return ends the listening. Fails with JOB_NOT_FOUND
   */
  Future<DrainWatch> watch(UUID job, DrainListener listener);
}
