package io.moonpool.master.drain;

import io.moonpool.protocol.call.ReplicaTask;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * The calls of nodes that wait for tasks. A task goes to the call that has waited the longest and
 * whose connection is there, a moment after it became ready, so that what becomes ready together
 * travels together. Belongs to the control loop.
 */
final class NodeCalls {
  private static final long MAX_WAIT_MILLIS = 60_000;
  private static final int MAX_TASKS = 1_024;

  /** Makes what a node is told. */
  @FunctionalInterface
  interface HandOut {
    /** A task as it goes to its node now. */
    ReplicaTask work(Task task);
  }

  private final TaskTable table;
  private final DrainClock clock;
  private final HandOut handOut;
  private final Later turn;
  private boolean flushing;
  private final Map<UUID, ArrayDeque<Waiter>> waiters = new HashMap<>();

  /** Nodes for which there is something to do at the end of this turn. */
  private final LinkedHashSet<UUID> toServe = new LinkedHashSet<>();

  /** Nodes that wait for others to return tasks, since too many are out. */
  private final LinkedHashSet<UUID> held = new LinkedHashSet<>();

  /** Nodes that are SUSPECTED: what waits for one of them may wait in vain. */
  private final Set<UUID> silent = new HashSet<>();

  NodeCalls(TaskTable table, DrainClock clock, HandOut handOut, Later turn) {
    this.table = table;
    this.clock = clock;
    this.handOut = handOut;
    this.turn = turn;
  }

  private static final class Waiter {
    final long incarnation;
    final int max;
    final BooleanSupplier callerGone;
    final Promise<List<ReplicaTask>> answer = Promise.promise();
    DrainClock.Timer timer = () -> {};

    Waiter(long incarnation, int max, BooleanSupplier callerGone) {
      this.incarnation = incarnation;
      this.max = max;
      this.callerGone = callerGone;
    }
  }

  /**
   * A node wants tasks, and waits for them.
   *
   * @param callerGone asked before it is given any: whether nobody can hear the answer any more
   */
  Future<List<ReplicaTask>> take(
      UUID node, long incarnation, int max, long waitMillis, BooleanSupplier callerGone) {
    Waiter waiter = new Waiter(incarnation, Math.min(max, MAX_TASKS), callerGone);
    dropOlder(node, incarnation);
    List<ReplicaTask> now = taken(node, waiter);
    if (!now.isEmpty() || waitMillis <= 0) {
      return Future.succeededFuture(now);
    }
    ArrayDeque<Waiter> ofNode = waiters.computeIfAbsent(node, ignored -> new ArrayDeque<>());
    ofNode.add(waiter);
    if (table.waits(node)) {
      // Too many tasks are out.
      held.add(node);
    }
    waiter.timer =
        clock.in(Math.min(waitMillis, MAX_WAIT_MILLIS), () -> answer(node, waiter, List.of()));
    return waiter.answer.future();
  }

  /** Calls of an earlier life of the node: nobody is there to hear an answer. */
  private void dropOlder(UUID node, long incarnation) {
    ArrayDeque<Waiter> ofNode = waiters.get(node);
    if (ofNode != null) {
      for (Waiter older : List.copyOf(ofNode)) {
        if (older.incarnation != incarnation) {
          answer(node, older, List.of());
        }
      }
    }
  }

  /** There may be something for a node: it is served when what happens now is over. */
  void offer(UUID node) {
    toServe.add(node);
    flushLater();
  }

  /** A node has returned a task: others may have more. */
  void returned() {
    if (!held.isEmpty()) {
      flushLater();
    }
  }

  private void flushLater() {
    if (!flushing) {
      flushing = true;
      turn.later(this::flush);
    }
  }

  private void flush() {
    flushing = false;
    if (!held.isEmpty() && table.processingLeft() > 0) {
      toServe.addAll(held);
      held.clear();
    }
    while (!toServe.isEmpty()) {
      UUID node = toServe.removeFirst();
      serve(node);
    }
  }

  private void serve(UUID node) {
    if (silent.contains(node)) {
      return;
    }
    ArrayDeque<Waiter> ofNode = waiters.get(node);
    while (ofNode != null && !ofNode.isEmpty()) {
      Waiter waiter = ofNode.peek();
      List<ReplicaTask> work = taken(node, waiter);
      if (work.isEmpty() && !waiter.callerGone.getAsBoolean()) {
        break;
      }
      answer(node, waiter, work);
    }
    if (table.waits(node) && table.processingLeft() == 0) {
      held.add(node);
    }
  }

  private List<ReplicaTask> taken(UUID node, Waiter waiter) {
    if (waiter.callerGone.getAsBoolean()) {
      return List.of();
    }
    List<Task> tasks =
        table.take(node, waiter.incarnation, waiter.max, clock.nowMillis(), clock.wallMillis());
    List<ReplicaTask> work = new ArrayList<>(tasks.size());
    for (Task task : tasks) {
      work.add(handOut.work(task));
    }
    return work;
  }

  private void answer(UUID node, Waiter waiter, List<ReplicaTask> work) {
    ArrayDeque<Waiter> ofNode = waiters.get(node);
    if (ofNode != null && ofNode.remove(waiter) && ofNode.isEmpty()) {
      waiters.remove(node);
    }
    waiter.timer.cancel();
    waiter.answer.tryComplete(work);
  }

  /**
   * A node became SUSPECTED, or is ACTIVE again. A call of it that waits gets no tasks while it is
   * SUSPECTED; a call that comes shows that it lives.
   */
  void heard(UUID node, boolean isHeard) {
    if (!isHeard) {
      silent.add(node);
    } else if (silent.remove(node)) {
      offer(node);
    }
  }

  /** A node is gone: nobody waits any more. */
  void gone(UUID node) {
    silent.remove(node);
    ArrayDeque<Waiter> ofNode = waiters.get(node);
    if (ofNode != null) {
      for (Waiter waiter : List.copyOf(ofNode)) {
        answer(node, waiter, List.of());
      }
    }
    toServe.remove(node);
    held.remove(node);
  }
}
