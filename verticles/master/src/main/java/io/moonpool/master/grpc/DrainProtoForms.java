package io.moonpool.master.grpc;

import io.moonpool.master.drain.JobInfo;
import io.moonpool.master.drain.TaskInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.call.ReplicaTarget;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.grpc.BlockedUnit;
import io.moonpool.protocol.grpc.DrainJob;
import io.moonpool.protocol.grpc.DrainPlan;
import io.moonpool.protocol.grpc.DrainRequest;
import io.moonpool.protocol.grpc.DrainSegment;
import io.moonpool.protocol.grpc.JobStatus;
import io.moonpool.protocol.grpc.PlannedTarget;
import io.moonpool.protocol.grpc.Replica;
import io.moonpool.protocol.grpc.ReplicaStatus;
import io.moonpool.protocol.grpc.ReplicaType;
import io.moonpool.protocol.grpc.SegmentKind;
import io.moonpool.protocol.grpc.Task;
import io.moonpool.protocol.grpc.TaskStatus;
import io.moonpool.protocol.grpc.TaskType;
import io.moonpool.protocol.grpc.Transfer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Jobs, plans and tasks as messages, and requests from them. The numbers of constants are the same
 * on both sides.
 */
final class DrainProtoForms {
  private DrainProtoForms() {}

  static io.moonpool.master.drain.DrainRequest request(DrainRequest request) {
    return new io.moonpool.master.drain.DrainRequest(
        request.getNode(),
        request.getSegmentsList(),
        request.getTargetSegmentsList(),
        request.hasMaxConcurrency()
            ? request.getMaxConcurrency()
            : io.moonpool.master.drain.DrainRequest.DEFAULT_CONCURRENCY,
        request.getMaxBytesPerSecond(),
        request.getDeadlineMillis(),
        request.getStallTimeoutMillis());
  }

  private static DrainRequest request(io.moonpool.master.drain.DrainRequest request) {
    return DrainRequest.newBuilder()
        .setNode(request.node())
        .addAllSegments(request.segments())
        .addAllTargetSegments(request.targetSegments())
        .setMaxConcurrency(request.maxConcurrency())
        .setMaxBytesPerSecond(request.maxBytesPerSecond())
        .setDeadlineMillis(request.deadlineMillis())
        .setStallTimeoutMillis(request.stallTimeoutMillis())
        .build();
  }

  static DrainJob job(JobInfo job) {
    DrainJob.Builder message =
        DrainJob.newBuilder()
            .setJobId(job.id().toString())
            .setStatus(JobStatus.forNumber(job.status().number()))
            .setMessage(job.message())
            .setRequest(request(job.request()))
            .addAllSegments(job.sources().stream().map(DrainProtoForms::segment).toList())
            .addAllTargets(job.targets().stream().map(UUID::toString).toList())
            .setCreatedAtMillis(job.createdAtMillis())
            .setUpdatedAtMillis(job.updatedAtMillis())
            .setSucceededUnits(job.succeededUnits())
            .setDroppedUnits(job.droppedUnits())
            .setGoneUnits(job.goneUnits())
            .setFailedUnits(job.failedUnits())
            .setFailedAttempts(job.failedAttempts())
            .setLostUnits(job.lostUnits())
            .setActiveUnits(job.activeUnits())
            .setBlockedUnits(job.blockedUnits())
            .setRehomingUnits(job.rehomingUnits())
            .setRemainingUnits(job.remainingUnits())
            .setMigratedBytes(job.migratedBytes())
            .setUnitsPerSecond(job.unitsPerSecond())
            .setBytesPerSecond(job.bytesPerSecond())
            .addAllBlocked(blocked(job.blocked()));
    if (job.remainingMillis() >= 0) {
      message.setRemainingMillis(job.remainingMillis());
    }
    return message.build();
  }

  static DrainPlan plan(io.moonpool.master.drain.DrainPlan plan) {
    return DrainPlan.newBuilder()
        .addAllSegments(plan.sources().stream().map(DrainProtoForms::segment).toList())
        .setUnits(plan.units())
        .setBytes(plan.bytes())
        .setDiskUnits(plan.diskUnits())
        .setDroppedUnits(plan.droppedUnits())
        .addAllTargets(plan.targets().stream().map(DrainProtoForms::target).toList())
        .setNoRoomBytes(plan.noRoomBytes())
        .setBlockedUnits(plan.blockedUnits())
        .addAllBlocked(blocked(plan.blocked()))
        .build();
  }

  private static PlannedTarget target(io.moonpool.master.drain.DrainPlan.Target target) {
    return PlannedTarget.newBuilder()
        .setSegment(segment(target.segment()))
        .setFreeBytes(target.freeBytes())
        .setRoomBytes(target.roomBytes())
        .setExpectedBytes(target.expectedBytes())
        .build();
  }

  static DrainSegment segment(JobInfo.Source source) {
    return DrainSegment.newBuilder()
        .setId(source.segmentId().toString())
        .setName(source.name())
        .setNodeId(source.nodeId().toString())
        .setKind(
            source.disk() ? SegmentKind.SEGMENT_KIND_LOCAL_DISK : SegmentKind.SEGMENT_KIND_MEMORY)
        .build();
  }

  private static List<BlockedUnit> blocked(List<JobInfo.BlockedUnit> units) {
    return units.stream()
        .map(
            unit ->
                BlockedUnit.newBuilder()
                    .setTenant(unit.tenant())
                    .setKey(unit.key())
                    .setReason(unit.reason())
                    .build())
        .toList();
  }

  static Task task(TaskInfo task) {
    Task.Builder message =
        Task.newBuilder()
            .setTaskId(task.id().toString())
            .setType(TaskType.forNumber(task.type().number()))
            .setStatus(TaskStatus.forNumber(task.status().number()))
            .setTenant(task.tenant())
            .setKey(task.key())
            .setSource(text(task.source()))
            .addAllTargets(task.targets().stream().map(UUID::toString).toList())
            .setSize(task.bytes())
            .setJobId(text(task.job()))
            .setNodeId(text(task.node()))
            .setCreatedAtMillis(task.createdAtMillis())
            .setUpdatedAtMillis(task.updatedAtMillis())
            .setMessage(task.message());
    if (task.code() != ErrorCode.OK) {
      message.setError(ProtoForms.error(task.code()));
    }
    return message.build();
  }

  /** A copy or move that a client carries out. */
  static Transfer transfer(ReplicaTask started) {
    Transfer.Builder message =
        Transfer.newBuilder()
            .setVersion(started.object().version())
            .setSize(started.object().size())
            .setChecksum(ProtoForms.checksum(started.object().checksum()))
            .setSourceType(ReplicaType.forNumber(started.source().type().number()))
            .setSourceGeneration(started.source().generation())
            .setSourceOffset(started.source().offset())
            .setGrantMillis(started.grantMillis());
    for (ReplicaTarget target : started.targets()) {
      message.addTargets(
          Replica.newBuilder()
              .setId(target.replicaId())
              .setType(ReplicaType.REPLICA_TYPE_MEMORY)
              .setStatus(ReplicaStatus.REPLICA_STATUS_PROCESSING)
              .setGeneration(target.generation())
              .setOffset(target.offset())
              .setSize(started.object().size()));
    }
    return message.build();
  }

  private static String text(@Nullable UUID id) {
    return id == null ? "" : id.toString();
  }
}
