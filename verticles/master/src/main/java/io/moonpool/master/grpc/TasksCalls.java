package io.moonpool.master.grpc;

import com.google.protobuf.Descriptors;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.Limits;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.StartTransfer;
import io.moonpool.protocol.grpc.CopyRequest;
import io.moonpool.protocol.grpc.ListTasksAnswer;
import io.moonpool.protocol.grpc.ListTasksRequest;
import io.moonpool.protocol.grpc.MoveRequest;
import io.moonpool.protocol.grpc.Task;
import io.moonpool.protocol.grpc.TaskRequest;
import io.moonpool.protocol.grpc.TasksGrpcService;
import io.moonpool.protocol.grpc.Transfer;
import io.moonpool.protocol.grpc.TransferAnswer;
import io.moonpool.protocol.grpc.TransferEnd;
import io.moonpool.protocol.grpc.TransferRequest;
import io.vertx.core.Future;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.Service;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The service {@code moonpool.v1.Tasks}. */
final class TasksCalls implements Service {
  private final DrainOperations drains;

  TasksCalls(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public ServiceName name() {
    return TasksGrpcService.SERVICE_NAME;
  }

  @Override
  public Descriptors.ServiceDescriptor descriptor() {
    return TasksGrpcService.SERVICE_DESCRIPTOR;
  }

  @Override
  public void bind(GrpcServer server) {
    UnaryCall.bind(server, TasksGrpcService.CreateMove, this::move);
    UnaryCall.bind(server, TasksGrpcService.CreateCopy, this::copy);
    UnaryCall.bind(server, TasksGrpcService.Describe, this::describe);
    UnaryCall.bind(server, TasksGrpcService.List, this::list);
    UnaryCall.bind(server, TasksGrpcService.CopyStart, starts(TaskType.REPLICA_COPY));
    UnaryCall.bind(server, TasksGrpcService.CopyEnd, ends(TaskType.REPLICA_COPY));
    UnaryCall.bind(server, TasksGrpcService.CopyRevoke, revokes(TaskType.REPLICA_COPY));
    UnaryCall.bind(server, TasksGrpcService.MoveStart, starts(TaskType.REPLICA_MOVE));
    UnaryCall.bind(server, TasksGrpcService.MoveEnd, ends(TaskType.REPLICA_MOVE));
    UnaryCall.bind(server, TasksGrpcService.MoveRevoke, revokes(TaskType.REPLICA_MOVE));
  }

  private Function<TransferRequest, Future<Transfer>> starts(TaskType type) {
    return request ->
        drains
            .startTransfer(
                type,
                new StartTransfer(
                    ProtoRequests.uuid("client", request.getClient()),
                    request.getTenant(),
                    request.getKey().getBytes(StandardCharsets.UTF_8),
                    request.getSource(),
                    request.getTargetsList()))
            .map(DrainProtoForms::transfer);
  }

  private Function<TransferEnd, Future<TransferAnswer>> ends(TaskType type) {
    return request ->
        drains.endTransfer(type, end(request)).map(TransferAnswer.getDefaultInstance());
  }

  private Function<TransferEnd, Future<TransferAnswer>> revokes(TaskType type) {
    return request ->
        drains.revokeTransfer(type, end(request)).map(TransferAnswer.getDefaultInstance());
  }

  private static EndTransfer end(TransferEnd request) {
    return new EndTransfer(
        ProtoRequests.uuid("client", request.getClient()),
        request.getTenant(),
        request.getKey().getBytes(StandardCharsets.UTF_8),
        request.getVersion());
  }

  private Future<Task> move(MoveRequest request) {
    return drains
        .createMoveTask(
            new io.moonpool.master.drain.MoveRequest(
                request.getTenant(), request.getKey(), request.getSource(), request.getTarget()))
        .map(DrainProtoForms::task);
  }

  private Future<Task> copy(CopyRequest request) {
    return drains
        .createCopyTask(
            new io.moonpool.master.drain.CopyRequest(
                request.getTenant(), request.getKey(), request.getTargetsList()))
        .map(DrainProtoForms::task);
  }

  private Future<Task> describe(TaskRequest request) {
    return drains
        .task(ProtoRequests.uuid("task_id", request.getTaskId()))
        .map(DrainProtoForms::task);
  }

  private Future<ListTasksAnswer> list(ListTasksRequest request) {
    @Nullable TaskStatus status =
        request.hasStatus()
            ? TaskStatus.ofNumber(ProtoRequests.known("status", request.getStatus()))
            : null;
    @Nullable UUID job =
        request.getJobId().isEmpty() ? null : ProtoRequests.uuid("job_id", request.getJobId());
    int limit =
        Limits.checkPage(request.hasLimit() ? request.getLimit() : Limits.DEFAULT_PAGE_OBJECTS);
    return drains
        .tasks(status, job, limit)
        .map(
            tasks ->
                ListTasksAnswer.newBuilder()
                    .addAllTasks(tasks.stream().map(DrainProtoForms::task).toList())
                    .build());
  }
}
