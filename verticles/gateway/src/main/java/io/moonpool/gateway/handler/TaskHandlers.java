package io.moonpool.gateway.handler;

import io.moonpool.gateway.client.MooncakeClient;
import io.moonpool.gateway.client.MooncakeClients;
import io.moonpool.gateway.transfer.Transfers;
import io.moonpool.master.api.CallTable;
import io.moonpool.master.drain.CopyRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.MoveRequest;
import io.moonpool.master.drain.TaskInfo;
import io.moonpool.master.drain.TaskOperations;
import io.moonpool.master.segment.SegmentDirectory;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import io.moonpool.model.Tenants;
import io.moonpool.protocol.call.ReplicaTarget;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.mooncake.TransferCalls;
import io.moonpool.protocol.mooncake.TransferMessages.AssignedTask;
import io.moonpool.protocol.mooncake.TransferMessages.CreateCopy;
import io.moonpool.protocol.mooncake.TransferMessages.CreateMove;
import io.moonpool.protocol.mooncake.TransferMessages.FetchTasks;
import io.moonpool.protocol.mooncake.TransferMessages.MarkTask;
import io.moonpool.protocol.mooncake.TransferMessages.TaskState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tasks: clients ask for them each second, and tell how they ended. */
public final class TaskHandlers {
  private static final UUID NIL = new UUID(0, 0);
  private static final int MOST_TASKS = 1_000;
  private static final int MOST_RETRIES = 10;

  private final DrainOperations drains;
  private final TaskOperations tasks;
  private final MooncakeClients clients;
  private final Transfers transfers;
  private final SegmentDirectory segments;
  private final LongSupplier wallMillis;

  /**
   * Handlers that carry calls out by these operations.
   *
   * @param wallMillis since 1970
   */
  public TaskHandlers(
      DrainOperations drains,
      TaskOperations tasks,
      MooncakeClients clients,
      Transfers transfers,
      SegmentDirectory segments,
      LongSupplier wallMillis) {
    this.drains = drains;
    this.tasks = tasks;
    this.clients = clients;
    this.transfers = transfers;
    this.segments = segments;
    this.wallMillis = wallMillis;
  }

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    calls
        .on(TransferCalls.CREATE_COPY_TASK, this::copy)
        .on(TransferCalls.CREATE_MOVE_TASK, this::move)
        .on(TransferCalls.QUERY_TASK, id -> drains.task(id).map(TaskHandlers::told))
        .onLong(TransferCalls.FETCH_TASKS, this::fetch)
        .on(TransferCalls.MARK_TASK_TO_COMPLETE, this::mark)
        // What the number in this form names is not known: no task has a number here.
        .orElse(
            TransferCalls.MARK_TASK_TO_COMPLETE_LISTED, ignored -> Future.succeededFuture(false));
  }

  private Future<UUID> copy(CreateCopy request) {
    return drains
        .createCopyTask(new CopyRequest(request.tenant(), text(request.key()), request.targets()))
        .map(TaskInfo::id);
  }

  private Future<UUID> move(CreateMove request) {
    return drains
        .createMoveTask(
            new MoveRequest(
                request.tenant(), text(request.key()), request.source(), request.target()))
        .map(TaskInfo::id);
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  private static TaskState told(TaskInfo task) {
    UUID node = task.node();
    return new TaskState(
        task.id(),
        task.type().number(),
        task.status().number(),
        task.createdAtMillis(),
        task.updatedAtMillis(),
        node == null ? NIL : node,
        task.message());
  }

  /** Clients ask each second and do not wait: so they are not kept waiting. */
  private Future<List<AssignedTask>> fetch(FetchTasks request, BooleanSupplier callerGone) {
    MooncakeClient client = clients.find(request.client());
    if (client == null || request.most() == 0) {
      return Future.succeededFuture(List.of());
    }
    int most = request.most() < 0 ? MOST_TASKS : (int) Math.min(MOST_TASKS, request.most());
    return tasks
        .take(new TakeTasks(client.id(), client.incarnation(), most, 0), callerGone)
        .map(taken -> assigned(client, taken))
        .recover(
            failure ->
                failure instanceof StoreException
                    ? Future.succeededFuture(List.of())
                    : Future.failedFuture(failure));
  }

  private List<AssignedTask> assigned(MooncakeClient client, List<ReplicaTask> taken) {
    List<AssignedTask> assigned = new ArrayList<>(taken.size());
    for (ReplicaTask task : taken) {
      String payload = payload(task);
      if (payload == null) {
        settle(
            client,
            task.taskId(),
            ErrorCode.NOT_SUPPORTED,
            "Mooncake's clients cannot do it: its key is no text, it is on a disk, or a segment"
                + " went away");
        continue;
      }
      transfers.begin(client.id(), task, true);
      assigned.add(
          new AssignedTask(
              task.taskId(), task.type().number(), payload, wallMillis.getAsLong(), MOST_RETRIES));
    }
    return assigned;
  }

  /** What a client is to do, or null when it cannot be said. */
  private @Nullable String payload(ReplicaTask task) {
    String key = text(task.object().key());
    String source = segments.name(task.source().generation());
    JsonArray targets = new JsonArray();
    for (ReplicaTarget target : task.targets()) {
      targets.add(segments.name(target.generation()));
    }
    if (source == null
        || task.source().type() != ReplicaType.MEMORY
        || targets.contains(null)
        || !Arrays.equals(key.getBytes(StandardCharsets.UTF_8), task.object().key())) {
      return null;
    }
    JsonObject payload =
        new JsonObject()
            .put("tenant_id", Tenants.orDefault(task.object().tenant()))
            .put("key", key)
            .put("source", source);
    if (task.type() == TaskType.REPLICA_MOVE) {
      payload.put("target", targets.getString(0));
    } else {
      payload
          .put("targets", targets)
          .put("dynamic_replication_lease_id_high", 0)
          .put("dynamic_replication_lease_id_low", 0)
          .put("dynamic_replication_version_epoch", 0);
    }
    return payload.encode();
  }

  /**
   * A client's word on a task. It ended with the call that ended its transfer; a task that a client
   * calls done without that call was not done.
   */
  private Future<Void> mark(MarkTask request) {
    TaskStatus status = status(request.task().status());
    if (status == null || !status.terminal()) {
      return Future.failedFuture(
          new StoreException(ErrorCode.INVALID_PARAMS, "a task ends with SUCCESS or FAILED"));
    }
    MooncakeClient client = clients.find(request.client());
    if (client == null) {
      return Future.failedFuture(new StoreException(ErrorCode.ILLEGAL_CLIENT));
    }
    boolean open = transfers.endTask(client.id(), request.task().id());
    if (status == TaskStatus.SUCCESS && open) {
      return settle(
          client,
          request.task().id(),
          ErrorCode.TRANSFER_FAIL,
          "its client says that it is done, but did not end it");
    }
    return status == TaskStatus.SUCCESS
        ? ended(client, request.task().id())
        : settle(client, request.task().id(), ErrorCode.TRANSFER_FAIL, request.task().message());
  }

  private static @Nullable TaskStatus status(int number) {
    try {
      return TaskStatus.ofNumber(number);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether a task has ended, or ends just now; it is never ended by that. */
  private Future<Void> ended(MooncakeClient client, UUID id) {
    return drains
        .task(id)
        .compose(
            task ->
                client.id().equals(task.node())
                    ? Future.succeededFuture()
                    : Future.failedFuture(new StoreException(ErrorCode.ILLEGAL_CLIENT)));
  }

  private Future<Void> settle(MooncakeClient client, UUID task, ErrorCode code, String message) {
    return Outcomes.only(
        tasks.settle(
            new SettleTasks(
                client.id(),
                client.incarnation(),
                List.of(new SettledTask(task, code.number(), message)))));
  }
}
