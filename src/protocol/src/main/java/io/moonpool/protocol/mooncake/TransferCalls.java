package io.moonpool.protocol.mooncake;

import static io.moonpool.protocol.mooncake.MooncakeCalls.one;
import static io.moonpool.protocol.mooncake.MooncakeCalls.plain;
import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.i32;
import static io.moonpool.protocol.wire.Structs.i64;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;
import static io.moonpool.protocol.wire.Structs.u32;
import static io.moonpool.protocol.wire.Structs.u64;
import static io.moonpool.protocol.wire.Structs.uuid;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.Choices;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Scalars;
import java.util.List;
import java.util.UUID;

/** The calls about copies, moves, and tasks for them. */
public final class TransferCalls {
  private static final Codec<TransferMessages.CopyStarted> COPY_STARTED =
      struct(
          field(MooncakeTypes.REPLICA, TransferMessages.CopyStarted::source),
          field(Containers.list(MooncakeTypes.REPLICA), TransferMessages.CopyStarted::targets),
          TransferMessages.CopyStarted::new);

  private static final Codec<TransferMessages.DynamicCopyEnd> DYNAMIC_END =
      struct(
          uuid(TransferMessages.DynamicCopyEnd::client),
          field(Containers.BYTES, TransferMessages.DynamicCopyEnd::key),
          text(TransferMessages.DynamicCopyEnd::tenant),
          uuid(TransferMessages.DynamicCopyEnd::lease),
          u64(TransferMessages.DynamicCopyEnd::epoch),
          TransferMessages.DynamicCopyEnd::new);

  private static final Codec<TransferMessages.EndedTask> ENDED_TASK =
      struct(
          uuid(TransferMessages.EndedTask::id),
          i32(TransferMessages.EndedTask::status),
          text(TransferMessages.EndedTask::message),
          TransferMessages.EndedTask::new);

  /** Starts a copy. */
  public static final Call<TransferMessages.CopyStart, TransferMessages.CopyStarted> COPY_START =
      one(
          "CopyStart",
          struct(
              uuid(TransferMessages.CopyStart::client),
              field(Containers.BYTES, TransferMessages.CopyStart::key),
              text(TransferMessages.CopyStart::tenant),
              text(TransferMessages.CopyStart::source),
              field(Containers.list(Containers.TEXT), TransferMessages.CopyStart::targets),
              TransferMessages.CopyStart::new),
          COPY_STARTED);

  /** Starts a copy for dynamic replication. */
  public static final Call<TransferMessages.DynamicCopyStart, TransferMessages.CopyStarted>
      DYNAMIC_REPLICA_COPY_START =
          one(
              "DynamicReplicaCopyStart",
              struct(
                  uuid(TransferMessages.DynamicCopyStart::client),
                  field(Containers.BYTES, TransferMessages.DynamicCopyStart::key),
                  text(TransferMessages.DynamicCopyStart::tenant),
                  text(TransferMessages.DynamicCopyStart::source),
                  field(
                      Containers.list(Containers.TEXT), TransferMessages.DynamicCopyStart::targets),
                  uuid(TransferMessages.DynamicCopyStart::lease),
                  u64(TransferMessages.DynamicCopyStart::epoch),
                  TransferMessages.DynamicCopyStart::new),
              COPY_STARTED);

  /** Ends a copy. */
  public static final Call<DiskMessages.ClientKey, Void> COPY_END =
      one("CopyEnd", DiskCalls.CLIENT_KEY, Scalars.UNIT);

  /** Ends a copy for dynamic replication. */
  public static final Call<TransferMessages.DynamicCopyEnd, Void> DYNAMIC_REPLICA_COPY_END =
      one("DynamicReplicaCopyEnd", DYNAMIC_END, Scalars.UNIT);

  /** Gives up a copy. */
  public static final Call<DiskMessages.ClientKey, Void> COPY_REVOKE =
      one("CopyRevoke", DiskCalls.CLIENT_KEY, Scalars.UNIT);

  /** Gives up a copy for dynamic replication. */
  public static final Call<TransferMessages.DynamicCopyEnd, Void> DYNAMIC_REPLICA_COPY_REVOKE =
      one("DynamicReplicaCopyRevoke", DYNAMIC_END, Scalars.UNIT);

  /** Starts a move. */
  public static final Call<TransferMessages.MoveStart, TransferMessages.MoveStarted> MOVE_START =
      one(
          "MoveStart",
          struct(
              uuid(TransferMessages.MoveStart::client),
              field(Containers.BYTES, TransferMessages.MoveStart::key),
              text(TransferMessages.MoveStart::tenant),
              text(TransferMessages.MoveStart::source),
              text(TransferMessages.MoveStart::target),
              TransferMessages.MoveStart::new),
          struct(
              field(MooncakeTypes.REPLICA, TransferMessages.MoveStarted::source),
              field(Choices.optional(MooncakeTypes.REPLICA), TransferMessages.MoveStarted::target),
              TransferMessages.MoveStarted::new));

  /** Ends a move. */
  public static final Call<DiskMessages.ClientKey, Void> MOVE_END =
      one("MoveEnd", DiskCalls.CLIENT_KEY, Scalars.UNIT);

  /** Gives up a move. */
  public static final Call<DiskMessages.ClientKey, Void> MOVE_REVOKE =
      one("MoveRevoke", DiskCalls.CLIENT_KEY, Scalars.UNIT);

  /** Asks the master to have an object copied; answers the task. */
  public static final Call<TransferMessages.CreateCopy, UUID> CREATE_COPY_TASK =
      one(
          "CreateCopyTask",
          struct(
              field(Containers.BYTES, TransferMessages.CreateCopy::key),
              text(TransferMessages.CreateCopy::tenant),
              field(Containers.list(Containers.TEXT), TransferMessages.CreateCopy::targets),
              TransferMessages.CreateCopy::new),
          Scalars.ID);

  /** Asks the master to have an object moved; answers the task. */
  public static final Call<TransferMessages.CreateMove, UUID> CREATE_MOVE_TASK =
      one(
          "CreateMoveTask",
          struct(
              field(Containers.BYTES, TransferMessages.CreateMove::key),
              text(TransferMessages.CreateMove::tenant),
              text(TransferMessages.CreateMove::source),
              text(TransferMessages.CreateMove::target),
              TransferMessages.CreateMove::new),
          Scalars.ID);

  /** Tells how a task is. */
  public static final Call<UUID, TransferMessages.TaskState> QUERY_TASK =
      one(
          "QueryTask",
          Scalars.ID,
          struct(
              uuid(TransferMessages.TaskState::id),
              i32(TransferMessages.TaskState::type),
              i32(TransferMessages.TaskState::status),
              i64(TransferMessages.TaskState::createdMillis),
              i64(TransferMessages.TaskState::updatedMillis),
              uuid(TransferMessages.TaskState::client),
              text(TransferMessages.TaskState::message),
              TransferMessages.TaskState::new));

  /** Asks for tasks. */
  public static final Call<TransferMessages.FetchTasks, List<TransferMessages.AssignedTask>>
      FETCH_TASKS =
          one(
              "FetchTasks",
              struct(
                  uuid(TransferMessages.FetchTasks::client),
                  u64(TransferMessages.FetchTasks::most),
                  TransferMessages.FetchTasks::new),
              Containers.list(
                  struct(
                      uuid(TransferMessages.AssignedTask::id),
                      i32(TransferMessages.AssignedTask::type),
                      text(TransferMessages.AssignedTask::payload),
                      i64(TransferMessages.AssignedTask::createdMillis),
                      u32(TransferMessages.AssignedTask::mostRetries),
                      TransferMessages.AssignedTask::new)));

  /** Tells how a task ended. */
  public static final Call<TransferMessages.MarkTask, Void> MARK_TASK_TO_COMPLETE =
      one(
          "MarkTaskToComplete",
          struct(
              uuid(TransferMessages.MarkTask::client),
              field(ENDED_TASK, TransferMessages.MarkTask::task),
              TransferMessages.MarkTask::new),
          Scalars.UNIT);

  /** The form of {@link #MARK_TASK_TO_COMPLETE} that is listed in the table of calls. */
  public static final Call<Long, Boolean> MARK_TASK_TO_COMPLETE_LISTED =
      plain("MarkTaskToComplete", Scalars.U64, Scalars.BOOL);

  private static final List<Call<?, ?>> ALL =
      List.of(
          COPY_START,
          DYNAMIC_REPLICA_COPY_START,
          COPY_END,
          DYNAMIC_REPLICA_COPY_END,
          COPY_REVOKE,
          DYNAMIC_REPLICA_COPY_REVOKE,
          MOVE_START,
          MOVE_END,
          MOVE_REVOKE,
          CREATE_COPY_TASK,
          CREATE_MOVE_TASK,
          QUERY_TASK,
          FETCH_TASKS,
          MARK_TASK_TO_COMPLETE,
          MARK_TASK_TO_COMPLETE_LISTED);

  private TransferCalls() {}

  /** All of them. */
  static List<Call<?, ?>> all() {
    return ALL;
  }
}
