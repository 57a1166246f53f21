package io.moonpool.master.admin;

import io.moonpool.master.drain.CopyRequest;
import io.moonpool.master.drain.DrainEvent;
import io.moonpool.master.drain.DrainListener;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.DrainPlan;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.DrainWatch;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.master.drain.MoveRequest;
import io.moonpool.master.drain.TaskInfo;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTarget;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.StartTransfer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Drains of one node, {@code a}, whose jobs run until somebody cancels them. */
public final class FakeDrains implements DrainOperations {
  private static final JobInfo.Source SOURCE =
      new JobInfo.Source(FakeMaster.SEGMENT, "a-0", FakeMaster.NODE, false);

  private final Map<UUID, JobInfo> jobs = new LinkedHashMap<>();
  private final Map<UUID, TaskInfo> tasks = new LinkedHashMap<>();
  private final List<DrainListener> listeners = new ArrayList<>();

  /** The requests that came. */
  public final List<Object> requests = new ArrayList<>();

  private static <T> Future<T> fail(ErrorCode code) {
    return Future.failedFuture(new StoreException(code));
  }

  private JobInfo job(UUID id, JobStatus status, DrainRequest request) {
    return new JobInfo(
        id,
        status,
        request,
        List.of(SOURCE),
        List.of(UUID.randomUUID()),
        1_700_000_000_000L,
        1_700_000_000_001L,
        11,
        12,
        13,
        14,
        15,
        16,
        4,
        17,
        7,
        18,
        19_000,
        2.34,
        5.67,
        status.terminal() ? 0 : -1,
        List.of(new JobInfo.BlockedUnit("default", "key", "no_space")),
        "objects move away");
  }

  @Override
  public synchronized Future<JobInfo> createJob(DrainRequest request) {
    requests.add(request);
    if (!request.node().equals("a") && !request.segments().contains("a-0")) {
      return fail(
          request.node().isEmpty() ? ErrorCode.SEGMENT_NOT_FOUND : ErrorCode.CLIENT_NOT_FOUND);
    }
    if (jobs.values().stream().anyMatch(job -> !job.status().terminal())) {
      return fail(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    }
    JobInfo job = job(UUID.randomUUID(), JobStatus.RUNNING, request);
    jobs.put(job.id(), job);
    return Future.succeededFuture(job);
  }

  @Override
  public synchronized Future<DrainPlan> planJob(DrainRequest request) {
    requests.add(request);
    return Future.succeededFuture(
        new DrainPlan(
            List.of(SOURCE),
            1,
            2,
            3,
            4,
            List.of(new DrainPlan.Target(SOURCE, 5, 4, 6)),
            7,
            7,
            List.of(new JobInfo.BlockedUnit("red", "k", "no_space"))));
  }

  @Override
  public synchronized Future<JobInfo> job(UUID id) {
    JobInfo job = jobs.get(id);
    return job == null ? fail(ErrorCode.JOB_NOT_FOUND) : Future.succeededFuture(job);
  }

  @Override
  public synchronized Future<List<JobInfo>> jobs() {
    return Future.succeededFuture(List.copyOf(jobs.values()));
  }

  @Override
  public synchronized Future<JobInfo> cancel(UUID id) {
    JobInfo job = jobs.get(id);
    if (job == null) {
      return fail(ErrorCode.JOB_NOT_FOUND);
    }
    if (job.status().terminal()) {
      return fail(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    }
    JobInfo canceled = job(id, JobStatus.CANCELED, job.request());
    jobs.put(id, canceled);
    tell(new DrainEvent("canceled", canceled));
    return Future.succeededFuture(canceled);
  }

  /** An event for all who listen. */
  public synchronized void tell(DrainEvent event) {
    List.copyOf(listeners).forEach(listener -> listener.happened(event));
  }

  public synchronized int listeners() {
    return listeners.size();
  }

  @Override
  public synchronized Future<List<JobInfo.Source>> undrain(String node, List<String> segments) {
    if (node.isEmpty() == segments.isEmpty()) {
      return fail(ErrorCode.INVALID_PARAMS);
    }
    if (!node.equals("a")) {
      return fail(node.isEmpty() ? ErrorCode.SEGMENT_NOT_FOUND : ErrorCode.CLIENT_NOT_FOUND);
    }
    return jobs.values().stream().anyMatch(job -> !job.status().terminal())
        ? fail(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS)
        : Future.succeededFuture(List.of(SOURCE));
  }

  private Future<TaskInfo> task(TaskType type, String tenant, String key) {
    if (key.equals("none")) {
      return fail(ErrorCode.OBJECT_NOT_FOUND);
    }
    boolean failed = key.equals("failed");
    TaskInfo task =
        new TaskInfo(
            UUID.randomUUID(),
            type,
            failed ? TaskStatus.FAILED : TaskStatus.PENDING,
            failed ? UUID.randomUUID() : null,
            tenant,
            key,
            failed ? FakeMaster.SEGMENT : null,
            List.of(FakeMaster.SEGMENT),
            7,
            failed ? FakeMaster.NODE : null,
            1_700_000_000_000L,
            1_700_000_000_001L,
            failed ? ErrorCode.TRANSFER_FAIL : ErrorCode.OK,
            "");
    tasks.put(task.id(), task);
    return Future.succeededFuture(task);
  }

  @Override
  public synchronized Future<TaskInfo> createMoveTask(MoveRequest request) {
    requests.add(request);
    return task(TaskType.REPLICA_MOVE, request.tenant(), request.key());
  }

  @Override
  public synchronized Future<TaskInfo> createCopyTask(CopyRequest request) {
    requests.add(request);
    return task(TaskType.REPLICA_COPY, request.tenant(), request.key());
  }

  @Override
  public synchronized Future<ReplicaTask> startTransfer(TaskType type, StartTransfer request) {
    requests.add(request);
    return request.targets().isEmpty()
        ? fail(ErrorCode.INVALID_PARAMS)
        : Future.succeededFuture(
            new ReplicaTask(
                request.client(),
                type,
                false,
                new DiskObject(
                    request.tenant(),
                    request.key(),
                    71,
                    72,
                    Checksum.crc32c(73),
                    ObjectDataType.UNKNOWN,
                    false,
                    0,
                    ""),
                new ReplicaSource(ReplicaType.MEMORY, 74, 75),
                List.of(new ReplicaTarget(76, 77, 78)),
                79));
  }

  @Override
  public synchronized Future<Void> endTransfer(TaskType type, EndTransfer request) {
    requests.add(type);
    requests.add(request);
    return request.version() == 71 ? Future.succeededFuture() : fail(ErrorCode.INVALID_VERSION);
  }

  @Override
  public synchronized Future<Void> revokeTransfer(TaskType type, EndTransfer request) {
    return fail(ErrorCode.ILLEGAL_CLIENT);
  }

  @Override
  public synchronized Future<TaskInfo> task(UUID id) {
    TaskInfo task = tasks.get(id);
    return task == null ? fail(ErrorCode.TASK_NOT_FOUND) : Future.succeededFuture(task);
  }

  @Override
  public synchronized Future<List<TaskInfo>> tasks(TaskStatus status, UUID job, int limit) {
    return Future.succeededFuture(
        tasks.values().stream()
            .filter(task -> status == null || task.status() == status)
            .filter(task -> job == null || job.equals(task.job()))
            .limit(limit)
            .toList());
  }

  @Override
  public synchronized Future<DrainWatch> watch(UUID id, DrainListener listener) {
    JobInfo job = jobs.get(id);
    if (job == null) {
      return fail(ErrorCode.JOB_NOT_FOUND);
    }
    listener.happened(new DrainEvent(job.status().name().toLowerCase(), job));
    listeners.add(listener);
    return Future.succeededFuture(
        () -> {
          synchronized (this) {
            listeners.remove(listener);
          }
        });
  }
}
