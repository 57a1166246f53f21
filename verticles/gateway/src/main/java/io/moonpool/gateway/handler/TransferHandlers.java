package io.moonpool.gateway.handler;

import io.moonpool.gateway.client.MooncakeClient;
import io.moonpool.gateway.client.MooncakeClients;
import io.moonpool.gateway.segment.Replicas;
import io.moonpool.gateway.transfer.Transfers;
import io.moonpool.gateway.transfer.Transfers.Transfer;
import io.moonpool.master.api.CallTable;
import io.moonpool.master.drain.TaskOperations;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTarget;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.StartTransfer;
import io.moonpool.protocol.mooncake.DiskMessages.ClientKey;
import io.moonpool.protocol.mooncake.Replica;
import io.moonpool.protocol.mooncake.TransferCalls;
import io.moonpool.protocol.mooncake.TransferMessages.CopyStart;
import io.moonpool.protocol.mooncake.TransferMessages.CopyStarted;
import io.moonpool.protocol.mooncake.TransferMessages.MoveStart;
import io.moonpool.protocol.mooncake.TransferMessages.MoveStarted;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Copies and moves that clients carry out, by a task of the master or by their own wish. Whether a
 * move is a drain's the master knows by its own record of the task.
 */
public final class TransferHandlers {
  private static final long UNKNOWN_VERSION = -1;

  /** The source and the targets have ids of their own only as replicas of the master's index. */
  private static final long NO_REPLICA = 0;

  private final TaskOperations tasks;
  private final MooncakeClients clients;
  private final Transfers transfers;
  private final Replicas replicas;

  /** Handlers that carry calls out by these operations. */
  public TransferHandlers(
      TaskOperations tasks, MooncakeClients clients, Transfers transfers, Replicas replicas) {
    this.tasks = tasks;
    this.clients = clients;
    this.transfers = transfers;
    this.replicas = replicas;
  }

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    calls
        .on(TransferCalls.COPY_START, this::copy)
        .on(TransferCalls.COPY_END, ends(TaskType.REPLICA_COPY, true))
        .on(TransferCalls.COPY_REVOKE, ends(TaskType.REPLICA_COPY, false))
        .on(TransferCalls.MOVE_START, this::move)
        .on(TransferCalls.MOVE_END, ends(TaskType.REPLICA_MOVE, true))
        .on(TransferCalls.MOVE_REVOKE, ends(TaskType.REPLICA_MOVE, false))
        .on(TransferCalls.DYNAMIC_REPLICA_COPY_START, ignored -> noDynamicReplication())
        .on(TransferCalls.DYNAMIC_REPLICA_COPY_END, ignored -> noDynamicReplication())
        .on(TransferCalls.DYNAMIC_REPLICA_COPY_REVOKE, ignored -> noDynamicReplication());
  }

  private static <T> Future<T> noDynamicReplication() {
    return Future.failedFuture(
        new StoreException(
            ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
            "this master has asked for no dynamic replication"));
  }

  private Future<CopyStarted> copy(CopyStart request) {
    StartTransfer wish =
        new StartTransfer(
            request.client(), request.tenant(), request.key(), request.source(), request.targets());
    return start(TaskType.REPLICA_COPY, wish)
        .map(work -> new CopyStarted(source(work), targets(work)));
  }

  private Future<MoveStarted> move(MoveStart request) {
    StartTransfer wish =
        new StartTransfer(
            request.client(),
            request.tenant(),
            request.key(),
            request.source(),
            List.of(request.target()));
    return start(TaskType.REPLICA_MOVE, wish)
        .map(work -> new MoveStarted(source(work), targets(work).stream().findFirst()));
  }

  /** A task that the client was given is under way already. */
  private Future<ReplicaTask> start(TaskType type, StartTransfer wish) {
    Transfer known = transfers.find(wish.client(), wish.tenant(), wish.key());
    if (known != null && known.byMaster()) {
      return known.work().type() == type
          ? Future.succeededFuture(known.work())
          : Future.failedFuture(new StoreException(ErrorCode.OBJECT_HAS_REPLICATION_TASK));
    }
    return tasks
        .startTransfer(type, wish)
        .onSuccess(work -> transfers.begin(wish.client(), work, false));
  }

  private Replica source(ReplicaTask work) {
    ReplicaSource source = work.source();
    if (source.type() != ReplicaType.MEMORY) {
      throw new StoreException(ErrorCode.REPLICA_IS_GONE);
    }
    return place(NO_REPLICA, source.generation(), source.offset(), work, ReplicaStatus.COMPLETE);
  }

  private List<Replica> targets(ReplicaTask work) {
    List<Replica> targets = new ArrayList<>(work.targets().size());
    for (ReplicaTarget target : work.targets()) {
      targets.add(
          place(
              target.replicaId(),
              target.generation(),
              target.offset(),
              work,
              ReplicaStatus.PROCESSING));
    }
    return targets;
  }

  private Replica place(
      long id, long generation, long offset, ReplicaTask work, ReplicaStatus status) {
    Replica place = replicas.memory(id, generation, offset, work.object().size(), status);
    if (place == null) {
      throw new StoreException(ErrorCode.REPLICA_IS_GONE);
    }
    return place;
  }

  private Function<ClientKey, Future<Void>> ends(TaskType type, boolean done) {
    return request -> end(type, request, done);
  }

  private Future<Void> end(TaskType type, ClientKey request, boolean done) {
    Transfer known = transfers.find(request.client(), request.tenant(), request.key());
    if (known != null && known.byMaster()) {
      return known.work().type() == type
          ? settle(request.client(), known, done)
          : Future.failedFuture(new StoreException(ErrorCode.INVALID_PARAMS));
    }
    EndTransfer end =
        new EndTransfer(
            request.client(),
            request.tenant(),
            request.key(),
            known == null ? UNKNOWN_VERSION : known.work().object().version());
    Future<Void> ended = done ? tasks.endTransfer(type, end) : tasks.revokeTransfer(type, end);
    return ended
        .onSuccess(
            ignored -> {
              if (known != null) {
                transfers.end(request.client(), known);
              }
            })
        .recover(
            failure ->
                Future.failedFuture(
                    known == null && StoreException.codeOf(failure) == ErrorCode.INVALID_VERSION
                        ? new StoreException(ErrorCode.OBJECT_NO_REPLICATION_TASK)
                        : failure));
  }

  /** Tells the master how a task ended. */
  private Future<Void> settle(UUID id, Transfer transfer, boolean done) {
    MooncakeClient client = clients.find(id);
    if (client == null) {
      return Future.failedFuture(new StoreException(ErrorCode.ILLEGAL_CLIENT));
    }
    SettledTask settled =
        new SettledTask(
            transfer.work().taskId(),
            done ? ErrorCode.OK.number() : ErrorCode.TRANSFER_FAIL.number(),
            done ? "" : "its client gave it up");
    transfers.end(id, transfer);
    return Outcomes.only(
        tasks.settle(new SettleTasks(client.id(), client.incarnation(), List.of(settled))));
  }
}
