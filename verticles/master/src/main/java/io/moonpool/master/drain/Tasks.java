package io.moonpool.master.drain;

import io.moonpool.master.TaskConfig;
import io.moonpool.master.metadata.StartedTransfer;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks from their start to their end: hands them to nodes, ends or undoes their transfers in
 * the metadata loops, and watches their deadlines with one timer. Belongs to the control loop.
 */
final class Tasks {
  /** Longest message of a node that is kept. */
  private static final int MAX_MESSAGE = 500;

  private final long grantMillis;
  private final TaskTable table;
  private final NodeCalls calls;
  private final Lanes lanes;
  private final DrainClock clock;

  /** The transfers of tasks that have not ended, and when their grants end. */
  private final Map<UUID, Running> running = new HashMap<>();

  private DrainClock.@Nullable Timer timer;
  private long timerAtMillis;

  private record Running(StartedTransfer transfer, long grantEndMillis) {}

  /**
   * Tasks.
   *
   * @param grantMillis how long a target may be written after the start of a transfer
   */
  Tasks(TaskConfig config, long grantMillis, Lanes lanes, DrainClock clock, Later turn) {
    this.grantMillis = grantMillis;
    this.table = new TaskTable(config);
    this.calls = new NodeCalls(table, clock, this::work, turn);
    this.lanes = lanes;
    this.clock = clock;
  }

  TaskTable table() {
    return table;
  }

  /** How long a target may be written after the start of a transfer. */
  long grantMillis() {
    return grantMillis;
  }

  // From the start

  /**
   * Takes in a task.
   *
   * @throws StoreException TASK_PENDING_LIMIT_EXCEEDED
   */
  void submit(Task task) {
    table.submit(task, clock.nowMillis());
    arm();
  }

  /**
   * The transfer of a task has started: its node may take it.
   *
   * @param node that has the source; null when that has gone meanwhile
   */
  void started(Task task, StartedTransfer transfer, @Nullable UUID node) {
    task.bytes = transfer.object().size();
    task.node = node;
    if (task.status.terminal()) {
      // It timed out while it was being started.
      lanes.revoke(transfer);
      return;
    }
    running.put(task.id, new Running(transfer, clock.nowMillis() + grantMillis));
    if (node == null) {
      giveUp(task, ErrorCode.REPLICA_IS_GONE, "its source went away");
      return;
    }
    if (transfer.targets().isEmpty()) {
      settling(task, () -> commit(task, transfer));
      return;
    }
    table.ready(task, node);
    calls.offer(node);
  }

  private ReplicaTask work(Task task) {
    Running run = running.get(task.id);
    if (run == null) {
      throw new IllegalStateException("task " + task.id + " has no transfer");
    }
    return run.transfer.task(
        task.job == null ? task.id : task.job,
        task.atOnce,
        Math.max(0, run.grantEndMillis - clock.nowMillis()));
  }

  // Nodes

  /**
   * A node wants tasks.
   *
   * @param callerGone whether nobody can hear the answer any more
   */
  Future<List<ReplicaTask>> take(TakeTasks request, BooleanSupplier callerGone) {
    if (request.maxTasks() < 1 || request.waitMillis() < 0) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_PARAMS, "ask for at least 1 task, and wait for 0 ms or more"));
    }
    Future<List<ReplicaTask>> answer =
        calls.take(
            request.nodeId(),
            request.incarnation(),
            request.maxTasks(),
            request.waitMillis(),
            callerGone);
    arm();
    return answer;
  }

  Future<List<Outcome<Void>>> settle(SettleTasks request) {
    List<Future<Outcome<Void>>> outcomes = new ArrayList<>(request.tasks().size());
    for (SettledTask settled : request.tasks()) {
      outcomes.add(settle(request.nodeId(), request.incarnation(), settled));
    }
    return Future.all(outcomes).map(all -> all.<Outcome<Void>>list());
  }

  private Future<Outcome<Void>> settle(UUID node, long incarnation, SettledTask settled) {
    Task task = table.find(settled.taskId());
    if (task == null) {
      return answer(ErrorCode.TASK_NOT_FOUND);
    }
    if (!node.equals(task.node)
        || (task.status != TaskStatus.PENDING && task.incarnation != incarnation)) {
      return answer(ErrorCode.ILLEGAL_CLIENT);
    }
    if (task.status.terminal()) {
      return answer(ErrorCode.OK);
    }
    Future<Void> underWay = task.settling;
    if (underWay != null) {
      return underWay.map(done -> Outcome.done());
    }
    ErrorCode code = ErrorCode.ofNumber(settled.code());
    Running run = running.get(task.id);
    if (code == null || task.status == TaskStatus.PENDING || run == null) {
      return answer(ErrorCode.INVALID_PARAMS);
    }
    Future<Void> end =
        settling(
            task,
            () ->
                code == ErrorCode.OK
                    ? commit(task, run.transfer)
                    : undo(task, code, message(code, settled.message())));
    if (code == ErrorCode.OK) {
      task.tellReturned();
    }
    return end.map(done -> Outcome.done());
  }

  /** Begins to end a task; from now on nothing else does. */
  private Future<Void> settling(Task task, Supplier<Future<Void>> end) {
    Promise<Void> settled = Promise.promise();
    task.settling = settled.future();
    table.settling(task);
    end.get().onComplete(settled);
    return settled.future();
  }

  private static Future<Outcome<Void>> answer(ErrorCode code) {
    return Future.succeededFuture(code == ErrorCode.OK ? Outcome.done() : Outcome.error(code));
  }

  private static String message(ErrorCode code, String said) {
    String text = said.isEmpty() ? code.sentence() : said;
    return text.length() > MAX_MESSAGE ? text.substring(0, MAX_MESSAGE) : text;
  }

  /** The targets have the bytes: the metadata loop makes them replicas. */
  private Future<Void> commit(Task task, StartedTransfer transfer) {
    return lanes
        .end(transfer)
        .transform(
            ended -> {
              ErrorCode code =
                  ended.succeeded() ? ended.result() : StoreException.codeOf(ended.cause());
              if (code == ErrorCode.PERSISTENT_FAIL) {
                // The transfer goes on: give it up, so that the object is free again.
                return undo(task, code, code.sentence());
              }
              finish(task, code, code == ErrorCode.OK ? "" : code.sentence());
              return Future.succeededFuture();
            });
  }

  /** Gives up the transfer of a task, then the task. */
  private Future<Void> undo(Task task, ErrorCode code, String message) {
    Running run = running.get(task.id);
    if (run == null) {
      finish(task, code, message);
      return Future.succeededFuture();
    }
    return lanes
        .revoke(run.transfer)
        .transform(
            revoked -> {
              finish(task, code, message);
              return Future.succeededFuture();
            });
  }

  private void finish(Task task, ErrorCode code, String message) {
    running.remove(task.id);
    table.end(task, code, message, clock.wallMillis());
    arm();
    calls.returned();
  }

  // Ends that no node tells

  /** Gives up a task whose node has not told how it ended, unless it just does. */
  void giveUp(Task task, ErrorCode code, String message) {
    if (task.settling == null && !task.status.terminal()) {
      settling(task, () -> undo(task, code, message));
    }
  }

  /** A task that was never started ends. */
  void refuse(Task task, ErrorCode code, String message) {
    finish(task, code, message);
  }

  /** A task that was taken in is none: it leaves no trace. */
  void withdraw(Task task) {
    table.withdraw(task);
    arm();
  }

  /** The metadata loop has given up the transfer of a task: its grant is over. */
  void expired(UUID taskId) {
    Task task = table.find(taskId);
    if (task != null && task.settling == null && !task.status.terminal()) {
      finish(task, ErrorCode.TRANSFER_FAIL, "its node did not tell in time how it ended");
    }
  }

  /** A node became SUSPECTED, or is ACTIVE again. */
  void nodeHeard(UUID node, boolean isHeard) {
    calls.heard(node, isHeard);
  }

  /** The incarnation of a node that had tasks is gone. */
  void nodeGone(UUID node) {
    calls.gone(node);
    for (Task task : table.of(node)) {
      giveUp(task, ErrorCode.CLIENT_NOT_FOUND, "its node went away");
    }
  }

  // Deadlines

  private void arm() {
    if (table.nextDeadlineMillis().isEmpty()) {
      disarm();
      return;
    }
    long atMillis = table.nextDeadlineMillis().getAsLong();
    if (timer != null && timerAtMillis <= atMillis) {
      // What it was set for may have ended: it looks when it is due, and is set anew.
      return;
    }
    disarm();
    timerAtMillis = atMillis;
    timer = clock.in(Math.max(1, atMillis - clock.nowMillis()), this::timeOut);
  }

  private void disarm() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void timeOut() {
    timer = null;
    for (Task task : table.timedOut(clock.nowMillis())) {
      boolean waited = task.status == TaskStatus.PENDING;
      giveUp(task, ErrorCode.TRANSFER_FAIL, waited ? "pending timeout" : "processing timeout");
    }
    arm();
  }

  /** A task of a drain job. */
  Task ofJob(
      UUID job,
      StartedTransfer transfer,
      @Nullable UUID source,
      List<UUID> targets,
      Consumer<Task> ended) {
    Task task =
        new Task(
            transfer.taskId(),
            TaskType.REPLICA_MOVE,
            job,
            transfer.object().tenant(),
            Wording.key(transfer.object().key()),
            source,
            targets,
            clock.wallMillis(),
            ended);
    submit(task);
    return task;
  }
}
