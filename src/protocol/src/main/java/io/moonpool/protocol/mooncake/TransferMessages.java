package io.moonpool.protocol.mooncake;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Arguments and answers of the calls about copies, moves, and tasks for them. */
public final class TransferMessages {
  private TransferMessages() {}

  /** A copy that a client makes; segments by name. */
  public record CopyStart(
      UUID client, byte[] key, String tenant, String source, List<String> targets) {}

  /** A copy that a client makes for the master's dynamic replication. */
  public record DynamicCopyStart(
      UUID client,
      byte[] key,
      String tenant,
      String source,
      List<String> targets,
      UUID lease,
      long epoch) {}

  /** The end of such a copy. */
  public record DynamicCopyEnd(UUID client, byte[] key, String tenant, UUID lease, long epoch) {}

  /** What a copy reads and writes. */
  public record CopyStarted(Replica source, List<Replica> targets) {}

  /** A move that a client makes; segments by name. */
  public record MoveStart(UUID client, byte[] key, String tenant, String source, String target) {}

  /** What a move reads and writes; no target when there is nothing to be written. */
  public record MoveStarted(Replica source, Optional<Replica> target) {}

  /** Asks the master to have an object copied. */
  public record CreateCopy(byte[] key, String tenant, List<String> targets) {}

  /** Asks the master to have an object moved. */
  public record CreateMove(byte[] key, String tenant, String source, String target) {}

  /**
   * How a task is.
   *
   * @param type the number of a {@link io.moonpool.model.TaskType}
   * @param status the number of a {@link io.moonpool.model.TaskStatus}
   * @param createdMillis since 1970
   * @param updatedMillis since 1970
   * @param client who has it
   */
  public record TaskState(
      UUID id,
      int type,
      int status,
      long createdMillis,
      long updatedMillis,
      UUID client,
      String message) {}

  /** Asks for tasks. */
  public record FetchTasks(UUID client, long most) {}

  /**
   * A task for a client.
   *
   * @param type the number of a {@link io.moonpool.model.TaskType}
   * @param payload what to do, as JSON
   * @param createdMillis since 1970
   * @param mostRetries how often the client may try again
   */
  public record AssignedTask(
      UUID id, int type, String payload, long createdMillis, int mostRetries) {}

  /**
   * How a task ended.
   *
   * @param status the number of a {@link io.moonpool.model.TaskStatus}
   */
  public record EndedTask(UUID id, int status, String message) {}

  /** Tells how a task ended. */
  public record MarkTask(UUID client, EndedTask task) {}
}
