package io.moonpool.master.drain;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A copy or move of one object on its way: what the table knows of it. Belongs to the control loop.
 */
final class Task {
  final UUID id;
  final TaskType type;

  /** The drain job that it belongs to; null when somebody made it by hand. */
  final @Nullable UUID job;

  /** So many tasks of its job may run at a time. */
  int atOnce = 1;

  final String tenant;
  final String key;

  /** Id of the segment that it reads from; null while any will do. */
  @Nullable UUID source;

  /** Ids of the segments that it writes to; of a drain's once they are chosen. */
  List<UUID> targets;

  /** By the wall clock, for people. */
  final long createdAtMillis;

  /** On the monotonic clock: since when it is in its status. */
  long sinceMillis;

  long updatedAtMillis;
  TaskStatus status = TaskStatus.PENDING;
  ErrorCode code = ErrorCode.OK;
  String message = "";
  long bytes;

  /** The node that carries it out, once that is known. */
  @Nullable UUID node;

  /** The incarnation that took it. */
  long incarnation;

  /** Who hears of its end. */
  private final Consumer<Task> whenEnded;

  /** Who hears that its node has done its part. */
  private Consumer<Task> whenReturned = returned -> {};

  /** How its end is recorded, once the node has told; a second call of the node waits for it. */
  @Nullable Future<Void> settling;

  Task(
      UUID id,
      TaskType type,
      @Nullable UUID job,
      String tenant,
      String key,
      @Nullable UUID source,
      List<UUID> targets,
      long createdAtMillis,
      Consumer<Task> whenEnded) {
    this.id = id;
    this.type = type;
    this.job = job;
    this.tenant = tenant;
    this.key = key;
    this.source = source;
    this.targets = List.copyOf(targets);
    this.createdAtMillis = createdAtMillis;
    this.updatedAtMillis = createdAtMillis;
    this.whenEnded = whenEnded;
  }

  /** Names who hears that its node has done its part, before the end is recorded. */
  void whenReturned(Consumer<Task> hearing) {
    whenReturned = hearing;
  }

  void tellReturned() {
    whenReturned.accept(this);
  }

  void tellEnd() {
    whenEnded.accept(this);
  }

  TaskInfo info() {
    return new TaskInfo(
        id,
        type,
        status,
        job,
        tenant,
        key,
        source,
        targets,
        bytes,
        node,
        createdAtMillis,
        updatedAtMillis,
        code,
        message);
  }
}
