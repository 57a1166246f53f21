package io.moonpool.node.task;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskType;
import io.moonpool.node.line.MasterLine;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.frame.FrameCaller;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does for the master from one registration to the next: waits for as many tasks as it
 * has slots free, carries them out side by side, and tells how they ended, those that ended
 * meanwhile in one call. Belongs to an event loop.
 *
 * <p>One call waits at a time. A slot that becomes free while it waits is asked for by the next
 * one.
 */
final class TaskSession {
  private static final Logger LOG = LoggerFactory.getLogger(TaskSession.class);

  /** Grants count from when a call began, so a long wait would take much of them away. */
  private static final long WAIT_MILLIS = 2_000;

  private static final int MAX_SETTLED_AT_ONCE = 1_000;

  /**
   * So many calls settle tasks at once. An answer waits until what was settled is durable at the
   * master; who waited for it with the next call would add that to each task.
   */
  private static final int MAX_SETTLING = 64;

  private final UUID nodeId;
  private final long incarnation;
  private final TaskSlots slots;
  private final TaskExecutor executor;
  private final TaskEvents events;
  private final TaskStats stats;
  private final Runnable slotFreed;
  private final MasterLine line;
  private final Promise<Void> ended = Promise.promise();
  private final List<Ended> toSettle = new ArrayList<>();
  private boolean current = true;
  private boolean leaving;
  private boolean waiting;

  /** Calls that settle tasks and have no answer yet. */
  private int settling;

  private int running;

  /** A task that has ended. */
  private record Ended(ReplicaTask task, SettledTask settled) {
    boolean succeeded() {
      return settled.code() == ErrorCode.OK.number();
    }
  }

  /**
   * A session that has not begun.
   *
   * @param slotFreed run whenever a task has ended and its slot is free
   */
  TaskSession(
      Vertx vertx,
      FrameCaller master,
      UUID nodeId,
      long incarnation,
      TaskSlots slots,
      TaskExecutor executor,
      TaskEvents events,
      TaskStats stats,
      Runnable slotFreed) {
    this.nodeId = nodeId;
    this.incarnation = incarnation;
    this.slots = slots;
    this.executor = executor;
    this.events = events;
    this.stats = stats;
    this.slotFreed = slotFreed;
    this.line = new MasterLine(vertx, master, () -> current);
  }

  /** Waits for tasks, if a slot is free and it does not do so already. */
  void ask() {
    if (waiting || leaving || !current || slots.free() == 0) {
      return;
    }
    waiting = true;
    int wanted = slots.free();
    line.granted(
            Calls.TAKE_TASKS,
            () -> new TakeTasks(nodeId, incarnation, wanted, WAIT_MILLIS),
            tasks -> 0)
        .onComplete(
            answer -> {
              waiting = false;
              if (answer.succeeded()) {
                MasterLine.Granted<List<ReplicaTask>> tasks = answer.result();
                tasks.answer().forEach(task -> start(task, tasks.untilNanos(task.grantMillis())));
                ask();
              }
              endIfOver();
            });
  }

  private void start(ReplicaTask task, long untilNanos) {
    stats.taken.increment();
    if (leaving || slots.free() == 0) {
      settle(
          task,
          new StoreException(
              ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
              leaving ? "the node is about to end" : "the node has no slot free for this task"));
      return;
    }
    slots.take();
    running++;
    executor
        .run(task, untilNanos)
        .onComplete(
            done -> {
              slots.give();
              running--;
              if (done.failed()) {
                settle(task, done.cause());
              } else {
                enqueue(new Ended(task, new SettledTask(task.taskId(), 0, "")));
              }
              slotFreed.run();
            });
  }

  private void settle(ReplicaTask task, Throwable failure) {
    ErrorCode code = StoreException.codeOf(failure);
    if (code == ErrorCode.INTERNAL_ERROR && !(failure instanceof StoreException)) {
      LOG.error("task {} failed; this is a bug", task.taskId(), failure);
    }
    String why = String.valueOf(failure.getMessage());
    LOG.info(
        "{} of {} from {} failed: {}",
        task.type(),
        TaskEvents.key(task.object()),
        task.source().type(),
        why);
    stats.failed.increment();
    enqueue(new Ended(task, new SettledTask(task.taskId(), code.number(), why)));
  }

  private void enqueue(Ended task) {
    toSettle.add(task);
    settleNext();
  }

  private void settleNext() {
    if (settling == MAX_SETTLING || toSettle.isEmpty()) {
      endIfOver();
      return;
    }
    settling++;
    List<Ended> some =
        List.copyOf(toSettle.subList(0, Math.min(MAX_SETTLED_AT_ONCE, toSettle.size())));
    toSettle.subList(0, some.size()).clear();
    SettleTasks request =
        new SettleTasks(nodeId, incarnation, some.stream().map(Ended::settled).toList());
    // A node that is about to end does not wait for a master that is away.
    Future<List<Outcome<Void>>> answer =
        leaving
            ? line.once(Calls.SETTLE_TASKS, request)
            : line.persistently(Calls.SETTLE_TASKS, request);
    answer.onComplete(
        settled -> {
          settling--;
          if (settled.succeeded()) {
            follow(some, settled.result());
          } else {
            some.stream().filter(Ended::succeeded).forEach(each -> stats.unsettled.increment());
          }
          settleNext();
        });
  }

  private void follow(List<Ended> tasks, List<Outcome<Void>> outcomes) {
    for (int i = 0; i < tasks.size(); i++) {
      Ended ended = tasks.get(i);
      ErrorCode code = i < outcomes.size() ? outcomes.get(i).code() : ErrorCode.RPC_FAIL;
      if (code != ErrorCode.OK) {
        LOG.info("the master has given up task {}: {}", ended.task().taskId(), code);
        if (ended.succeeded()) {
          stats.unsettled.increment();
        }
      } else if (ended.succeeded()) {
        succeeded(ended.task());
      }
    }
  }

  private void succeeded(ReplicaTask task) {
    stats.succeeded.increment();
    if (task.targets().isEmpty()) {
      return;
    }
    boolean fromDisk = task.source().type() == ReplicaType.LOCAL_DISK;
    (fromDisk ? stats.diskBytes : stats.memoryBytes).add(task.object().size());
    if (fromDisk && task.type() == TaskType.REPLICA_MOVE) {
      events.movedFromDisk(task.object());
    }
  }

  /**
   * The registration has ended, and with it what the master knew of these tasks. Those under way go
   * on until they have ended, by their grants at the latest, and are not settled.
   */
  void end() {
    current = false;
    endIfOver();
  }

  /**
   * Takes no tasks any more, and settles those under way. Completes when none is, and nothing of
   * them touches memory any more.
   */
  Future<Void> leave() {
    leaving = true;
    endIfOver();
    return ended.future();
  }

  /** True when nothing of it goes on. */
  boolean isOver() {
    return running == 0 && (!current || (leaving && settling == 0 && toSettle.isEmpty()));
  }

  private void endIfOver() {
    if (isOver()) {
      ended.tryComplete();
    }
  }
}
