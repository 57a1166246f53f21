package io.moonpool.master.drain;

import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.metadata.LaneListener;
import io.moonpool.model.Outcome;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.StartTransfer;
import io.moonpool.protocol.call.TakeTasks;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way to the verticle that drains. Any context may call. */
public final class DrainOwner implements DrainOperations, TaskOperations, LaneListener {
  private final MasterLoop loop;

  // Set before the verticle is deployed, which publishes it.
  private volatile @Nullable DrainSchedulerVerticle owner;

  /** A way to a verticle on that loop. */
  public DrainOwner(MasterLoop loop) {
    this.loop = loop;
  }

  /** The verticle that it leads to. */
  public void lead(DrainSchedulerVerticle to) {
    owner = to;
  }

  private <T> Future<T> call(Function<DrainSchedulerVerticle, Future<T>> body) {
    return loop.call(() -> body.apply(owner()));
  }

  private DrainSchedulerVerticle owner() {
    DrainSchedulerVerticle present = owner;
    if (present == null) {
      throw new IllegalStateException("it leads nowhere yet");
    }
    return present;
  }

  @Override
  public void laneChanged(int lane, UUID job) {
    loop.queue().post(() -> owner().laneChanged(lane, job));
  }

  @Override
  public void spaceCame() {
    loop.queue().post(() -> owner().roomChanged());
  }

  @Override
  public void transferExpired(UUID task) {
    loop.queue().post(() -> owner().transferExpired(task));
  }

  @Override
  public Future<JobInfo> createJob(DrainRequest request) {
    return call(to -> to.createJob(request));
  }

  @Override
  public Future<DrainPlan> planJob(DrainRequest request) {
    return call(to -> to.planJob(request));
  }

  @Override
  public Future<JobInfo> job(UUID id) {
    return call(to -> to.job(id));
  }

  @Override
  public Future<List<JobInfo>> jobs() {
    return call(DrainSchedulerVerticle::jobs);
  }

  @Override
  public Future<JobInfo> cancel(UUID id) {
    return call(to -> to.cancel(id));
  }

  @Override
  public Future<List<JobInfo.Source>> undrain(String node, List<String> segments) {
    return call(to -> to.undrain(node, segments));
  }

  @Override
  public Future<TaskInfo> createMoveTask(MoveRequest request) {
    return call(to -> to.createMoveTask(request));
  }

  @Override
  public Future<TaskInfo> createCopyTask(CopyRequest request) {
    return call(to -> to.createCopyTask(request));
  }

  @Override
  public Future<TaskInfo> task(UUID id) {
    return call(to -> to.task(id));
  }

  @Override
  public Future<List<TaskInfo>> tasks(@Nullable TaskStatus status, @Nullable UUID job, int limit) {
    return call(to -> to.tasks(status, job, limit));
  }

  @Override
  public Future<DrainWatch> watch(UUID job, DrainListener listener) {
    return call(to -> to.watch(job, listener)).map(watch -> () -> loop.queue().post(watch::stop));
  }

  @Override
  public Future<List<ReplicaTask>> take(TakeTasks request, BooleanSupplier callerGone) {
    return call(to -> to.take(request, callerGone));
  }

  @Override
  public Future<ReplicaTask> startTransfer(TaskType type, StartTransfer request) {
    return call(to -> to.startTransfer(type, request));
  }

  @Override
  public Future<Void> endTransfer(TaskType type, EndTransfer request) {
    return call(to -> to.endTransfer(type, request));
  }

  @Override
  public Future<Void> revokeTransfer(TaskType type, EndTransfer request) {
    return call(to -> to.revokeTransfer(type, request));
  }

  @Override
  public Future<List<Outcome<Void>>> settle(SettleTasks request) {
    return call(to -> to.settle(request));
  }
}
