package io.moonpool.master.drain;

import io.moonpool.master.TaskConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tasks and their life:
 *
 * <pre>
 *            | take       | end(SUCCESS) | end(FAILED)
 * -----------+------------+--------------+------------
 * PENDING    | PROCESSING | SUCCESS      | FAILED
 * PROCESSING |            | SUCCESS      | FAILED
 * FAILED     |            |              |
 * SUCCESS    |            |              |
 * </pre>
 *
 * <p>An empty cell changes nothing. Tasks that wait, and tasks that nodes have, are kept in the
 * order in which they came there, so the next to time out is always the first: a look at a deadline
 * costs nothing that grows with the tasks.
 *
 * <p>Belongs to the control loop. Time is monotonic, in milliseconds, and always an argument.
 */
final class TaskTable {
  private final TaskConfig limits;
  private final LinkedHashMap<UUID, Task> tasks = new LinkedHashMap<>();
  private final LinkedHashSet<Task> pending = new LinkedHashSet<>();
  private final LinkedHashSet<Task> processing = new LinkedHashSet<>();

  /** Those of the two whose deadline counts: nobody has told yet how they ended. */
  private final LinkedHashSet<Task> watchedPending = new LinkedHashSet<>();

  private final LinkedHashSet<Task> watchedProcessing = new LinkedHashSet<>();

  /** Tasks that wait for a call of their node. */
  private final Map<UUID, LinkedHashSet<Task>> queues = new HashMap<>();

  /** Ended tasks, the oldest first: those of drains must not push out those of people. */
  private final ArrayDeque<Task> finished = new ArrayDeque<>();

  private final ArrayDeque<Task> finishedOfDrains = new ArrayDeque<>();
  private long succeeded;
  private long failed;
  private Runnable whenCountsChange = () -> {};

  TaskTable(TaskConfig limits) {
    this.limits = limits;
  }

  /** Names who hears that the numbers of tasks have changed. */
  void whenCountsChange(Runnable hearing) {
    whenCountsChange = hearing;
  }

  /**
   * Takes a task in. One of a drain is always taken: the job's concurrency bounds them.
   *
   * @throws StoreException TASK_PENDING_LIMIT_EXCEEDED
   */
  void submit(Task task, long nowMillis) {
    if (task.job == null && pending.size() >= limits.maxTotalPendingTasks()) {
      throw new StoreException(
          ErrorCode.TASK_PENDING_LIMIT_EXCEEDED,
          pending.size()
              + " tasks wait already: try again later, or raise max_total_pending_tasks");
    }
    task.sinceMillis = nowMillis;
    tasks.put(task.id, task);
    pending.add(task);
    watchedPending.add(task);
    whenCountsChange.run();
  }

  /** A pending task may be taken by its node from now on. */
  void ready(Task task, UUID node) {
    if (task.status == TaskStatus.PENDING) {
      task.node = node;
      queues.computeIfAbsent(node, ignored -> new LinkedHashSet<>()).add(task);
    }
  }

  /** True when tasks wait for a call of a node. */
  boolean waits(UUID node) {
    return queues.containsKey(node);
  }

  /** How many more tasks nodes may have. */
  int processingLeft() {
    return Math.max(0, limits.maxTotalProcessingTasks() - processing.size());
  }

  /** Hands a node the tasks that wait for it, the oldest first, within the limits. */
  List<Task> take(UUID node, long incarnation, int max, long nowMillis, long wallMillis) {
    List<Task> taken = new ArrayList<>();
    LinkedHashSet<Task> queue = queues.get(node);
    while (queue != null && !queue.isEmpty() && taken.size() < max && processingLeft() > 0) {
      Task task = queue.removeFirst();
      pending.remove(task);
      watchedPending.remove(task);
      task.status = TaskStatus.PROCESSING;
      task.incarnation = incarnation;
      task.sinceMillis = nowMillis;
      task.updatedAtMillis = wallMillis;
      processing.add(task);
      watchedProcessing.add(task);
      taken.add(task);
    }
    if (queue != null && queue.isEmpty()) {
      queues.remove(node);
    }
    if (!taken.isEmpty()) {
      whenCountsChange.run();
    }
    return taken;
  }

  /** It is known how a task ends, and being done: its deadline does not count any more. */
  void settling(Task task) {
    watchedPending.remove(task);
    watchedProcessing.remove(task);
  }

  /** Ends a task and tells who made it; one that has ended stays as it is. */
  void end(Task task, ErrorCode code, String message, long wallMillis) {
    if (task.status.terminal()) {
      return;
    }
    pending.remove(task);
    processing.remove(task);
    settling(task);
    UUID node = task.node;
    LinkedHashSet<Task> queue = node == null ? null : queues.get(node);
    if (node != null && queue != null && queue.remove(task) && queue.isEmpty()) {
      queues.remove(node);
    }
    task.status = code == ErrorCode.OK ? TaskStatus.SUCCESS : TaskStatus.FAILED;
    task.code = code;
    task.message = message;
    task.updatedAtMillis = wallMillis;
    if (code == ErrorCode.OK) {
      succeeded++;
    } else {
      failed++;
    }
    ArrayDeque<Task> history = task.job == null ? finished : finishedOfDrains;
    history.add(task);
    while (history.size() > limits.maxTotalFinishedTasks()) {
      tasks.remove(history.remove().id);
    }
    whenCountsChange.run();
    task.tellEnd();
  }

  /** Forgets a task that waits, as if it had never been. */
  void withdraw(Task task) {
    if (task.status == TaskStatus.PENDING) {
      tasks.remove(task.id);
      pending.remove(task);
      settling(task);
      whenCountsChange.run();
    }
  }

  /** The task of that id; null when it never was, or is forgotten. */
  @Nullable Task find(UUID id) {
    return tasks.get(id);
  }

  /** When the next task times out; empty when none does. */
  OptionalLong nextDeadlineMillis() {
    long next =
        Math.min(
            deadline(watchedPending, limits.pendingTimeoutMillis()),
            deadline(watchedProcessing, limits.processingTimeoutMillis()));
    return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
  }

  private static long deadline(SequencedSet<Task> waiting, long timeoutMillis) {
    return waiting.isEmpty() || timeoutMillis == 0
        ? Long.MAX_VALUE
        : waiting.getFirst().sinceMillis + timeoutMillis;
  }

  /** The tasks whose time is over, to be ended by the caller. */
  List<Task> timedOut(long nowMillis) {
    List<Task> over = new ArrayList<>();
    collect(watchedPending, limits.pendingTimeoutMillis(), nowMillis, over);
    collect(watchedProcessing, limits.processingTimeoutMillis(), nowMillis, over);
    return over;
  }

  private static void collect(
      SequencedSet<Task> waiting, long timeoutMillis, long nowMillis, List<Task> over) {
    if (timeoutMillis == 0) {
      return;
    }
    for (Task task : waiting) {
      if (task.sinceMillis + timeoutMillis > nowMillis) {
        return;
      }
      over.add(task);
    }
  }

  /** The tasks that wait for a node or that it has: cost follows all tasks that are under way. */
  List<Task> of(UUID node) {
    List<Task> theirs = new ArrayList<>();
    for (LinkedHashSet<Task> part : List.of(pending, processing)) {
      for (Task task : part) {
        if (node.equals(task.node)) {
          theirs.add(task);
        }
      }
    }
    return theirs;
  }

  /**
   * The latest tasks, the newest first.
   *
   * @param status only those; null for all
   * @param job only those of that job; null for all
   * @param limit at most so many
   */
  List<TaskInfo> list(@Nullable TaskStatus status, @Nullable UUID job, int limit) {
    List<TaskInfo> found = new ArrayList<>();
    for (Task task : tasks.sequencedValues().reversed()) {
      if (found.size() == limit) {
        break;
      }
      if ((status == null || task.status == status) && (job == null || job.equals(task.job))) {
        found.add(task.info());
      }
    }
    return found;
  }

  int pending() {
    return pending.size();
  }

  int processing() {
    return processing.size();
  }

  long succeeded() {
    return succeeded;
  }

  long failed() {
    return failed;
  }
}
