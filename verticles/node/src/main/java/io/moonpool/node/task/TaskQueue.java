package io.moonpool.node.task;

import io.moonpool.protocol.call.ReplicaTask;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a session that have not begun, by group. Next comes a task of the group that has the
 * fewest running, among those that may have more: so a group with many tasks delays no other one.
 * Costs grow with the groups, of which a node has a few. Belongs to an event loop.
 */
final class TaskQueue {
  /** A task that has not begun, and until when it may write. */
  record Waiting(ReplicaTask task, long untilNanos) {}

  private static final int LASTING = 8;

  private static final class Group {
    final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    int running;
  }

  /** The one that was served last is the last. */
  private final Map<UUID, Group> groups = new LinkedHashMap<>();

  private int size;

  /** Tasks that have not begun. */
  int size() {
    return size;
  }

  void add(ReplicaTask task, long untilNanos) {
    groups
        .computeIfAbsent(task.group(), ignored -> new Group())
        .waiting
        .add(new Waiting(task, untilNanos));
    size++;
  }

  /** Takes a task that may run now, and counts it as running; null when there is none. */
  @Nullable Waiting start() {
    UUID best = null;
    Group least = null;
    for (Map.Entry<UUID, Group> each : groups.entrySet()) {
      Group group = each.getValue();
      Waiting first = group.waiting.peek();
      if (first != null
          && group.running < first.task.atOnce()
          && (least == null || group.running < least.running)) {
        best = each.getKey();
        least = group;
      }
    }
    if (best == null || least == null) {
      return null;
    }
    groups.remove(best);
    groups.put(best, least);
    least.running++;
    size--;
    return least.waiting.remove();
  }

  /** A task that was started has ended. */
  void ended(ReplicaTask task) {
    Group group = groups.get(task.group());
    if (group != null && --group.running == 0 && group.waiting.isEmpty()) {
      groups.remove(task.group());
    }
  }

  /**
   * Whether the group of a task goes on for a while with what waits here: as many wait as may run,
   * or {@link #LASTING}. If not, whoever made it should hear soon that the task has ended.
   */
  boolean outlasts(ReplicaTask task) {
    Group group = groups.get(task.group());
    return group != null && group.waiting.size() >= Math.min(task.atOnce(), LASTING);
  }

  /** Takes any task that has not begun; null when there is none. */
  @Nullable ReplicaTask remove() {
    for (Iterator<Group> all = groups.values().iterator(); all.hasNext(); ) {
      Group group = all.next();
      Waiting first = group.waiting.poll();
      if (first != null) {
        size--;
        if (group.running == 0 && group.waiting.isEmpty()) {
          all.remove();
        }
        return first.task;
      }
    }
    return null;
  }

  /** Forgets the tasks that have not begun. */
  void clear() {
    groups.values().forEach(group -> group.waiting.clear());
    groups.values().removeIf(group -> group.running == 0);
    size = 0;
  }
}
