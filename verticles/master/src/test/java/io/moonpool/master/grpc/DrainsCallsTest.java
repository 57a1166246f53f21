package io.moonpool.master.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.admin.FakeMaster;
import io.moonpool.protocol.grpc.CopyRequest;
import io.moonpool.protocol.grpc.DrainEvent;
import io.moonpool.protocol.grpc.DrainJob;
import io.moonpool.protocol.grpc.DrainJobRequest;
import io.moonpool.protocol.grpc.DrainPlan;
import io.moonpool.protocol.grpc.DrainRequest;
import io.moonpool.protocol.grpc.DrainsGrpcClient;
import io.moonpool.protocol.grpc.JobStatus;
import io.moonpool.protocol.grpc.ListDrainsRequest;
import io.moonpool.protocol.grpc.ListTasksRequest;
import io.moonpool.protocol.grpc.MoveRequest;
import io.moonpool.protocol.grpc.SegmentKind;
import io.moonpool.protocol.grpc.Task;
import io.moonpool.protocol.grpc.TaskRequest;
import io.moonpool.protocol.grpc.TaskStatus;
import io.moonpool.protocol.grpc.TaskType;
import io.moonpool.protocol.grpc.TasksGrpcClient;
import io.moonpool.protocol.grpc.Transfer;
import io.moonpool.protocol.grpc.TransferEnd;
import io.moonpool.protocol.grpc.TransferRequest;
import io.moonpool.protocol.grpc.UndrainRequest;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drain jobs, copies and moves over gRPC. */
class DrainsCallsTest {
  private static final DrainRequest OF_A = DrainRequest.newBuilder().setNode("a").build();

  private GrpcFixture grpc;

  @BeforeEach
  void start() {
    grpc = new GrpcFixture();
  }

  @AfterEach
  void stop() {
    grpc.close();
  }

  private static DrainJobRequest job(String id) {
    return DrainJobRequest.newBuilder().setJobId(id).build();
  }

  @Test
  void aJobIsMadeDescribedListedAndCanceled() {
    DrainRequest request =
        OF_A.toBuilder()
            .addTargetSegments("b-0")
            .setMaxConcurrency(7)
            .setMaxBytesPerSecond(1_000)
            .setDeadlineMillis(2_000)
            .setStallTimeoutMillis(3_000)
            .build();
    DrainJob created = grpc.call(DrainsGrpcClient.Create, request).answer();
    assertThat(created.getRequest()).isEqualTo(request);
    assertThat(created.getStatus()).isEqualTo(JobStatus.JOB_STATUS_RUNNING);
    assertThat(created.getSegments(0).getId()).isEqualTo(FakeMaster.SEGMENT.toString());
    assertThat(created.getSegments(0).getKind()).isEqualTo(SegmentKind.SEGMENT_KIND_MEMORY);
    assertThat(created.getSucceededUnits()).isEqualTo(11);
    assertThat(created.getFailedUnits()).isEqualTo(14);
    assertThat(created.getFailedAttempts()).isEqualTo(15);
    assertThat(created.getMigratedBytes()).isEqualTo(19_000);
    assertThat(created.hasRemainingMillis()).as("nobody can tell").isFalse();
    assertThat(created.getBlocked(0).getReason()).isEqualTo("no_space");

    String id = created.getJobId();
    assertThat(grpc.call(DrainsGrpcClient.Describe, job(id)).answer()).isEqualTo(created);
    assertThat(
            grpc.call(DrainsGrpcClient.List, ListDrainsRequest.getDefaultInstance())
                .answer()
                .getJobsList())
        .containsExactly(created);
    assertThat(grpc.call(DrainsGrpcClient.Cancel, job(id)).answer().getStatus())
        .isEqualTo(JobStatus.JOB_STATUS_CANCELED);
    assertThat(
            grpc.call(DrainsGrpcClient.Undrain, UndrainRequest.newBuilder().setNode("a").build())
                .answer()
                .getSegments(0)
                .getName())
        .isEqualTo("a-0");
  }

  @Test
  void failuresHaveTheNamesOfTheTable() {
    assertThat(grpc.call(DrainsGrpcClient.Create, DrainRequest.getDefaultInstance()).errorName())
        .isEqualTo("INVALID_PARAMS");
    assertThat(
            grpc.call(DrainsGrpcClient.Create, OF_A.toBuilder().setMaxConcurrency(0).build())
                .message())
        .contains("max_concurrency must be from 1 to");
    assertThat(
            grpc.call(DrainsGrpcClient.Create, DrainRequest.newBuilder().setNode("x").build())
                .errorName())
        .isEqualTo("CLIENT_NOT_FOUND");
    var unknown = grpc.call(DrainsGrpcClient.Describe, job(new UUID(1, 1).toString()));
    assertThat(unknown.status()).isEqualTo(GrpcStatus.NOT_FOUND);
    assertThat(unknown.errorName()).isEqualTo("JOB_NOT_FOUND");
    assertThat(grpc.call(DrainsGrpcClient.Cancel, job("x")).message()).contains("job_id");
    String id = grpc.call(DrainsGrpcClient.Create, OF_A).answer().getJobId();
    assertThat(grpc.call(DrainsGrpcClient.Create, OF_A).errorName())
        .isEqualTo("UNAVAILABLE_IN_CURRENT_STATUS");
    grpc.call(DrainsGrpcClient.Cancel, job(id));
    assertThat(grpc.call(DrainsGrpcClient.Cancel, job(id)).status())
        .isEqualTo(GrpcStatus.UNAVAILABLE);
    assertThat(
            grpc.call(
                    TasksGrpcClient.Describe,
                    TaskRequest.newBuilder().setTaskId(new UUID(1, 1).toString()).build())
                .errorName())
        .isEqualTo("TASK_NOT_FOUND");
    assertThat(grpc.call(DrainsGrpcClient.Watch, job(new UUID(1, 1).toString())).errorName())
        .isEqualTo("JOB_NOT_FOUND");
    assertThat(grpc.call(DrainsGrpcClient.Watch, job("x")).errorName()).isEqualTo("INVALID_PARAMS");
  }

  @Test
  void aPlanTellsWhatWouldBeDone() {
    DrainPlan plan = grpc.call(DrainsGrpcClient.Plan, OF_A).answer();
    assertThat(List.of(plan.getUnits(), plan.getBytes(), plan.getDiskUnits()))
        .containsExactly(1L, 2L, 3L);
    assertThat(plan.getDroppedUnits()).isEqualTo(4);
    assertThat(plan.getTargets(0).getFreeBytes()).isEqualTo(5);
    assertThat(plan.getTargets(0).getExpectedBytes()).isEqualTo(6);
    assertThat(plan.getBlockedUnits()).isEqualTo(7);
    assertThat(plan.getBlocked(0).getTenant()).isEqualTo("red");
  }

  @Test
  void aWatchTellsAllUntilTheEnd() {
    DrainJob created = grpc.call(DrainsGrpcClient.Create, OF_A).answer();
    List<DrainEvent> events = new CopyOnWriteArrayList<>();
    List<GrpcStatus> ended = new CopyOnWriteArrayList<>();
    grpc.open(
        DrainsGrpcClient.Watch,
        job(created.getJobId()),
        response -> {
          response.handler(events::add);
          response.endHandler(end -> ended.add(response.status()));
        });
    await().until(() -> events.size() == 1);
    assertThat(events.getFirst().getEvent()).isEqualTo("running");
    assertThat(events.getFirst().getJob()).isEqualTo(created);
    grpc.call(DrainsGrpcClient.Cancel, job(created.getJobId()));
    await().until(() -> ended.size() == 1);
    assertThat(ended).containsExactly(GrpcStatus.OK);
    assertThat(events.getLast().getEvent()).isEqualTo("canceled");
    await().until(() -> grpc.drains.listeners() == 0);
  }

  @Test
  void whoLeavesIsNotToldAnyMore() {
    String id = grpc.call(DrainsGrpcClient.Create, OF_A).answer().getJobId();
    GrpcClientRequest<DrainJobRequest, DrainEvent> call =
        grpc.open(DrainsGrpcClient.Watch, job(id), response -> {});
    await().until(() -> grpc.drains.listeners() == 1);
    call.cancel();
    await().until(() -> grpc.drains.listeners() == 0);
  }

  @Test
  void clientsCarryMovesOutByThemselves() {
    UUID client = new UUID(1, 2);
    Transfer started =
        grpc.call(
                TasksGrpcClient.MoveStart,
                TransferRequest.newBuilder()
                    .setClient(client.toString())
                    .setTenant("red")
                    .setKey("k")
                    .setSource("a-0")
                    .addTargets("b-0")
                    .build())
            .answer();
    assertThat(started.getVersion()).isEqualTo(71);
    assertThat(started.getSize()).isEqualTo(72);
    assertThat(started.getChecksum().getValue()).isEqualTo(73);
    assertThat(started.getSourceGeneration()).isEqualTo(74);
    assertThat(started.getSourceOffset()).isEqualTo(75);
    assertThat(started.getTargetsList()).hasSize(1);
    assertThat(started.getTargets(0).getId()).isEqualTo(76);
    assertThat(started.getTargets(0).getGeneration()).isEqualTo(77);
    assertThat(started.getTargets(0).getOffset()).isEqualTo(78);
    assertThat(started.getGrantMillis()).isEqualTo(79);
    TransferEnd.Builder end =
        TransferEnd.newBuilder().setClient(client.toString()).setTenant("red").setKey("k");
    grpc.call(TasksGrpcClient.MoveEnd, end.setVersion(71).build()).answer();
    assertThat(grpc.drains.requests).contains(io.moonpool.model.TaskType.REPLICA_MOVE);
    assertThat(grpc.call(TasksGrpcClient.CopyEnd, end.setVersion(70).build()).errorName())
        .isEqualTo("INVALID_VERSION");
    assertThat(grpc.call(TasksGrpcClient.CopyRevoke, end.build()).errorName())
        .isEqualTo("ILLEGAL_CLIENT");
    assertThat(grpc.call(TasksGrpcClient.MoveRevoke, end.setClient("nobody").build()).errorName())
        .isEqualTo("INVALID_PARAMS");
  }

  @Test
  void objectsAreMovedAndCopied() {
    Task move =
        grpc.call(
                TasksGrpcClient.CreateMove,
                MoveRequest.newBuilder()
                    .setTenant("red")
                    .setKey("k")
                    .setSource("a-0")
                    .setTarget("b-0")
                    .build())
            .answer();
    assertThat(move.getType()).isEqualTo(TaskType.TASK_TYPE_REPLICA_MOVE);
    assertThat(move.getTenant()).isEqualTo("red");
    assertThat(move.getSource()).isEmpty();
    assertThat(move.hasError()).isFalse();
    Task failed =
        grpc.call(
                TasksGrpcClient.CreateCopy,
                CopyRequest.newBuilder().setKey("failed").addTargets("b-0").build())
            .answer();
    assertThat(failed.getType()).isEqualTo(TaskType.TASK_TYPE_REPLICA_COPY);
    assertThat(failed.getError().getName()).isEqualTo("TRANSFER_FAIL");
    assertThat(failed.getNodeId()).isEqualTo(FakeMaster.NODE.toString());
    assertThat(grpc.drains.requests)
        .contains(
            new io.moonpool.master.drain.MoveRequest("red", "k", "a-0", "b-0"),
            new io.moonpool.master.drain.CopyRequest("", "failed", List.of("b-0")));

    assertThat(
            grpc.call(
                    TasksGrpcClient.Describe,
                    TaskRequest.newBuilder().setTaskId(move.getTaskId()).build())
                .answer())
        .isEqualTo(move);
    assertThat(list(ListTasksRequest.getDefaultInstance())).containsExactly(move, failed);
    assertThat(
            list(ListTasksRequest.newBuilder().setStatus(TaskStatus.TASK_STATUS_PENDING).build()))
        .containsExactly(move);
    assertThat(list(ListTasksRequest.newBuilder().setJobId(failed.getJobId()).build()))
        .containsExactly(failed);
    assertThat(list(ListTasksRequest.newBuilder().setLimit(1).build())).hasSize(1);
    assertThat(
            grpc.call(TasksGrpcClient.List, ListTasksRequest.newBuilder().setLimit(0).build())
                .message())
        .contains("limit");
  }

  private List<Task> list(ListTasksRequest request) {
    return grpc.call(TasksGrpcClient.List, request).answer().getTasksList();
  }
}
