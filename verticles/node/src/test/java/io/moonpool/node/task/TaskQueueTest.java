package io.moonpool.node.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.Checksum;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTask;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which task of several groups comes next. */
class TaskQueueTest {
  private static final UUID MANY = new UUID(1, 1);
  private static final UUID FEW = new UUID(1, 2);

  private final TaskQueue queue = new TaskQueue();

  private static ReplicaTask task(UUID group, int atOnce, int number) {
    return new ReplicaTask(
        new UUID(2, number),
        TaskType.REPLICA_MOVE,
        true,
        new DiskObject(
            "", new byte[] {1}, number, 1, Checksum.NONE, ObjectDataType.UNKNOWN, false, ""),
        new ReplicaSource(ReplicaType.MEMORY, 1, 0),
        List.of(),
        group,
        atOnce,
        1_000);
  }

  private void add(UUID group, int atOnce, int count) {
    for (int i = 0; i < count; i++) {
      queue.add(task(group, atOnce, i), i);
    }
  }

  private List<ReplicaTask> start(int most) {
    List<ReplicaTask> started = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      TaskQueue.Waiting next = queue.start();
      if (next != null) {
        started.add(next.task());
      }
    }
    return started;
  }

  private static List<Long> numbers(List<ReplicaTask> tasks, UUID group) {
    return tasks.stream()
        .filter(task -> task.group().equals(group))
        .map(task -> task.object().version())
        .toList();
  }

  @Test
  void groupsShareTheSlotsAndEachKeepsItsOrder() {
    add(MANY, 100, 50);
    add(FEW, 100, 3);
    List<ReplicaTask> started = start(6);
    assertThat(numbers(started, MANY)).containsExactly(0L, 1L, 2L);
    assertThat(numbers(started, FEW)).containsExactly(0L, 1L, 2L);
    assertThat(numbers(start(2), MANY)).containsExactly(3L, 4L);
    assertThat(queue.size()).isEqualTo(45);
  }

  @Test
  void aGroupThatCameLaterIsNextThoughOthersHaveAllSlots() {
    add(MANY, 100, 50);
    List<ReplicaTask> running = start(4);
    add(FEW, 1, 2);
    queue.ended(running.getFirst());
    assertThat(numbers(start(1), FEW)).containsExactly(0L);
    queue.ended(running.getLast());
    assertThat(numbers(start(1), MANY)).as("the other may have one only").containsExactly(4L);
  }

  @Test
  void noGroupHasMoreThanItMay() {
    add(MANY, 2, 3);
    List<ReplicaTask> running = start(3);
    assertThat(running).hasSize(2);
    queue.ended(running.getFirst());
    assertThat(numbers(start(3), MANY)).containsExactly(2L);
  }

  @Test
  void aGroupLastsWhileAsManyWaitAsMayRun() {
    add(MANY, 2, 5);
    ReplicaTask first = start(2).getFirst();
    assertThat(queue.outlasts(first)).isTrue();
    queue.ended(first);
    start(1);
    assertThat(queue.outlasts(first)).isTrue();
    queue.ended(first);
    start(1);
    assertThat(queue.outlasts(first)).as("one waits, and two may run").isFalse();
    assertThat(queue.outlasts(task(FEW, 1, 0))).as("nothing of it is here").isFalse();
  }

  @Test
  void whatHasNotBegunIsGivenBackOrForgotten() {
    add(MANY, 1, 2);
    add(FEW, 1, 1);
    ReplicaTask running = start(1).getFirst();
    List<UUID> given = new ArrayList<>();
    for (ReplicaTask next = queue.remove(); next != null; next = queue.remove()) {
      given.add(next.group());
    }
    assertThat(given).containsExactlyInAnyOrder(MANY, FEW);
    assertThat(queue.size()).isZero();
    add(MANY, 1, 1);
    assertThat(start(1)).as("one still runs").isEmpty();
    queue.clear();
    queue.ended(running);
    assertThat(start(1)).isEmpty();
    add(MANY, 1, 1);
    assertThat(start(1)).hasSize(1);
  }
}
