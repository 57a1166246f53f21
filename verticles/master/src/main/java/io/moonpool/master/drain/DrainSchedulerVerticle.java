package io.moonpool.master.drain;

import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalState;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.metadata.DrainProxy;
import io.moonpool.master.request.DrainForms;
import io.moonpool.master.segment.NodeAdmission;
import io.moonpool.master.segment.SegmentFlips;
import io.moonpool.master.segment.SegmentHolder;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.StartTransfer;
import io.moonpool.protocol.call.TakeTasks;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Owns drain jobs and tasks. Must be deployed on the control loop, which the segments and the
 * liveness of nodes belong to, too.
 */
public final class DrainSchedulerVerticle extends VerticleBase implements SegmentHolder {
  /**
   * A transfer is granted so many times what a writer of a client is: it also waits for its node.
   */
  private static final int GRANTS = 4;

  private final MasterConfig config;
  private final NodeAdmission nodes;
  private final DrainScheduler scheduler;
  private final ManualTasks byHand;
  private final ClientTransfers ofClients;
  private final Tasks tasks;
  private final DrainCounts counts = new DrainCounts();

  /**
   * A verticle.
   *
   * @param loop the control loop
   * @param metadata the metadata loops
   * @param clients the nodes that are registered; called on the control loop
   * @param state what the journal says; read before this returns
   * @param clockMillis monotonic
   */
  public DrainSchedulerVerticle(
      MasterConfig config,
      Vertx vertx,
      MasterLoop loop,
      DrainProxy metadata,
      SegmentRegistry segments,
      SegmentFlips flips,
      NodeAdmission nodes,
      Supplier<List<ClientInfo>> clients,
      Journal journal,
      JournalState state,
      LongSupplier clockMillis) {
    this.config = config;
    this.nodes = nodes;
    Lanes lanes = new LaneProxy(metadata);
    DrainClock clock = new VertxClock(vertx, clockMillis);
    Later turn = action -> loop.queue().post(action);
    this.tasks = new Tasks(config.tasks(), GRANTS * config.writeGrantMillis(), lanes, clock, turn);
    this.scheduler =
        new DrainScheduler(
            config.drain(),
            config.clientActiveTtlMillis(),
            lanes,
            tasks,
            segments,
            flips,
            clients,
            new JobBook(state, journal),
            new DrainEvents(
                clock,
                event -> vertx.eventBus().publish(Addresses.DRAIN_EVENTS, DrainForms.event(event))),
            clock,
            counts,
            turn);
    this.byHand = new ManualTasks(tasks, lanes, segments, scheduler::known, clock);
    this.ofClients =
        new ClientTransfers(
            metadata, tasks.table(), segments, scheduler::known, config.writeGrantMillis());
  }

  @Override
  public Future<?> start() {
    scheduler.start();
    return Future.succeededFuture();
  }

  /** What it counts; from any thread. */
  public DrainCounts counts() {
    return counts;
  }

  // Metadata loops

  void laneChanged(int lane, UUID job) {
    scheduler.laneChanged(lane, job);
  }

  void roomChanged() {
    byHand.roomChanged();
  }

  void transferExpired(UUID task) {
    tasks.expired(task);
  }

  // Segments

  @Override
  public boolean holds(UUID segmentId) {
    return scheduler.holds(segmentId);
  }

  @Override
  public void mounted(SegmentInfo segment) {
    scheduler.segmentsChanged(segment);
    byHand.roomChanged();
  }

  @Override
  public void leaving(SegmentInfo segment) {
    scheduler.leaving(segment);
  }

  @Override
  public void scanned(SegmentInfo disk) {
    scheduler.segmentsChanged(disk);
  }

  @Override
  public void nodeHeard(UUID node, boolean isHeard) {
    tasks.nodeHeard(node, isHeard);
  }

  @Override
  public void nodeGone(UUID node) {
    tasks.nodeGone(node);
  }

  // People

  Future<JobInfo> createJob(DrainRequest request) {
    return scheduler.create(request);
  }

  Future<DrainPlan> planJob(DrainRequest request) {
    return scheduler.plan(request);
  }

  Future<JobInfo> job(UUID id) {
    return scheduler.look(id);
  }

  Future<List<JobInfo>> jobs() {
    return Future.succeededFuture(scheduler.list());
  }

  Future<JobInfo> cancel(UUID id) {
    return Future.succeededFuture(scheduler.cancel(id));
  }

  Future<List<JobInfo.Source>> undrain(String node, List<String> segments) {
    return Future.succeededFuture(scheduler.undrain(node, segments));
  }

  Future<DrainWatch> watch(UUID job, DrainListener listener) {
    return Future.succeededFuture(scheduler.watch(job, listener));
  }

  Future<TaskInfo> createMoveTask(MoveRequest request) {
    return byHand.move(request);
  }

  Future<TaskInfo> createCopyTask(CopyRequest request) {
    return byHand.copy(request);
  }

  Future<TaskInfo> task(UUID id) {
    Task task = tasks.table().find(id);
    return task == null
        ? Future.failedFuture(new StoreException(ErrorCode.TASK_NOT_FOUND))
        : Future.succeededFuture(task.info());
  }

  Future<List<TaskInfo>> tasks(@Nullable TaskStatus status, @Nullable UUID job, int limit) {
    return Future.succeededFuture(tasks.table().list(status, job, limit));
  }

  // Clients

  Future<ReplicaTask> startTransfer(TaskType type, StartTransfer request) {
    return ofClients.start(type, request);
  }

  Future<Void> endTransfer(TaskType type, EndTransfer request) {
    return ofClients.end(type, request);
  }

  Future<Void> revokeTransfer(TaskType type, EndTransfer request) {
    return ofClients.revoke(type, request);
  }

  // Nodes

  Future<List<ReplicaTask>> take(TakeTasks request, BooleanSupplier callerGone) {
    return nodes.admitted(
        request.nodeId(), request.incarnation(), () -> tasks.take(request, callerGone));
  }

  Future<List<Outcome<Void>>> settle(SettleTasks request) {
    if (request.tasks().size() > config.maxBatchKeys()) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_PARAMS,
              "there are "
                  + request.tasks().size()
                  + " tasks: send at most "
                  + config.maxBatchKeys()
                  + " (max_batch_keys) in a call"));
    }
    return nodes.admitted(request.nodeId(), request.incarnation(), () -> tasks.settle(request));
  }
}
