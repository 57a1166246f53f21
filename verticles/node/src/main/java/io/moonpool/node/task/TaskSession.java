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
 * has slots free and some more, carries them out side by side, and tells how they ended, those that
 * ended meanwhile in one call. Belongs to an event loop.
 *
 * <p>The tasks that it has beyond its slots, or beyond what may run of their group, wait here. So
 * the next one starts when one ends, and not a few messages later.
 *
 * <p>One call waits at a time. A slot that becomes free while it waits is asked for by the next
 * one.
 */
final class TaskSession {
  private static final Logger LOG = LoggerFactory.getLogger(TaskSession.class);

  /** Grants count from when a call began, so a long wait would take much of them away. */
  private static final long WAIT_MILLIS = 2_000;

  /** Tasks that wait here. */
  private static final int MAX_AHEAD = 16;

  private static final int MAX_SETTLED_AT_ONCE = 1_000;

  /**
   * So many tasks are settled together while enough others of their group are here: as many as the
   * master hands out together. A call costs both sides and the master's journal about the same for
   * one task and for eight, and takes that time from the transfers.
   */
  private static final int SETTLED_TOGETHER = MAX_AHEAD / 2;

  /** How long a task that has ended waits for others to be settled with. */
  private static final long LINGER_MILLIS = 5;

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
  private final Vertx vertx;
  private final TaskQueue queue = new TaskQueue();

  private final Promise<Void> ended = Promise.promise();
  private final List<Ended> toSettle = new ArrayList<>();
  private boolean current = true;
  private boolean leaving;
  private boolean waiting;

  /** Calls that settle tasks and have no answer yet. */
  private int settling;

  private int running;
  private boolean starting;
  private boolean settlesSoon;
  private boolean lingers;

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
    this.vertx = vertx;
    this.nodeId = nodeId;
    this.incarnation = incarnation;
    this.slots = slots;
    this.executor = executor;
    this.events = events;
    this.stats = stats;
    this.slotFreed = slotFreed;
    this.line = new MasterLine(vertx, master, () -> current);
  }

  /** A slot is free. */
  void slotFreed() {
    startSome();
    ask();
  }

  /** Waits for tasks, if there is room for some and it does not do so already. */
  void ask() {
    // What waits here beside a free slot may not run beside others of its group: a task of another
    // group may, so the slot is not spoken for.
    int free = slots.free();
    int ahead = Math.max(0, MAX_AHEAD - queue.size());
    if (waiting || leaving || !current || (free == 0 && ahead < MAX_AHEAD / 2)) {
      return;
    }
    int wanted = free + ahead;
    waiting = true;
    line.granted(
            Calls.TAKE_TASKS,
            () -> new TakeTasks(nodeId, incarnation, wanted, WAIT_MILLIS),
            tasks -> 0)
        .onComplete(
            answer -> {
              waiting = false;
              if (answer.succeeded()) {
                MasterLine.Granted<List<ReplicaTask>> tasks = answer.result();
                tasks.answer().forEach(task -> accept(task, tasks.untilNanos(task.grantMillis())));
                startSome();
                ask();
              }
              endIfOver();
            });
  }

  private void accept(ReplicaTask task, long untilNanos) {
    stats.taken.increment();
    if (leaving) {
      refuse(task);
    } else {
      queue.add(task, untilNanos);
    }
  }

  private void refuse(ReplicaTask task) {
    settle(
        task,
        new StoreException(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "the node is about to end"));
  }

  /** Starts what may run now. A loop, not a recursion: tasks may end at once. */
  private void startSome() {
    if (starting) {
      return;
    }
    starting = true;
    while (slots.free() > 0) {
      TaskQueue.Waiting next = queue.start();
      if (next == null) {
        break;
      }
      start(next.task(), next.untilNanos());
    }
    starting = false;
  }

  private void start(ReplicaTask task, long untilNanos) {
    slots.take();
    running++;
    executor
        .run(task, untilNanos)
        .onComplete(
            done -> {
              slots.give();
              running--;
              queue.ended(task);
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
    if (settlesSoon) {
      return;
    }
    if (leaving || toSettle.size() >= SETTLED_TOGETHER || !queue.outlasts(task.task)) {
      // What ends in one turn of the loop is told in one call.
      settlesSoon = true;
      vertx.runOnContext(
          now -> {
            settlesSoon = false;
            settleNext();
          });
    } else if (!lingers) {
      lingers = true;
      vertx.setTimer(
          LINGER_MILLIS,
          fired -> {
            lingers = false;
            if (!settlesSoon) {
              settleNext();
            }
          });
    }
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
          boolean heldBack = settling-- == MAX_SETTLING;
          if (settled.succeeded()) {
            follow(some, settled.result());
          } else {
            some.stream().filter(Ended::succeeded).forEach(each -> stats.unsettled.increment());
          }
          if (heldBack) {
            settleNext();
          } else {
            endIfOver();
          }
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
    queue.clear();
    endIfOver();
  }

  /**
   * Takes no tasks any more, gives back those that have not begun, and settles those under way.
   * Completes when none is, and nothing of them touches memory any more.
   */
  Future<Void> leave() {
    leaving = true;
    for (ReplicaTask task = queue.remove(); task != null; task = queue.remove()) {
      refuse(task);
    }
    settleNext(); // what waited for others to be settled with
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
