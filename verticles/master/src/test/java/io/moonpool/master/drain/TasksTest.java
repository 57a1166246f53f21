package io.moonpool.master.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.master.DrainConfig;
import io.moonpool.master.TaskConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Copies and moves that people ask for, and how nodes get and return tasks. */
class TasksTest {
  private DrainFixture drain = new DrainFixture();
  private FakeLanes lanes = drain.lanes;
  private UUID node;
  private UUID other;

  private void mount() {
    node = drain.node(1);
    other = drain.node(2);
    drain.memory(node, "a");
    drain.memory(other, "b");
    drain.memory(other, "c");
  }

  private void limits(int finished, int pending, int processing, long wait, long work) {
    drain =
        new DrainFixture(
            1, DrainConfig.DEFAULT, new TaskConfig(finished, pending, processing, wait, work));
    lanes = drain.lanes;
    mount();
  }

  private Future<TaskInfo> move(String key) {
    Future<TaskInfo> made = drain.byHand.move(new MoveRequest("", key, "a", "b"));
    drain.clock.settle();
    return made;
  }

  private TaskInfo task(UUID id) {
    return drain.tasks.table().find(id).info();
  }

  private static ErrorCode codeOf(Future<?> failed) {
    return StoreException.codeOf(failed.cause());
  }

  @Test
  void aMoveIsDoneByTheNodeThatHasTheSource() {
    mount();
    TaskInfo made = move("key").result();
    assertThat(made.type()).isEqualTo(TaskType.REPLICA_MOVE);
    assertThat(made.status()).isEqualTo(TaskStatus.PENDING);
    assertThat(made.node()).isEqualTo(node);
    assertThat(made.job()).isNull();
    assertThat(made.bytes()).isEqualTo(FakeLanes.SIZE);
    assertThat(drain.take(other, 10)).isEmpty();
    ReplicaTask given = drain.take(node, 10).getFirst();
    assertThat(given.taskId()).isEqualTo(made.id());
    assertThat(given.isDrain()).as("somebody made it").isFalse();
    assertThat(drain.take(node, 10)).as("handed out once").isEmpty();
    assertThat(task(made.id()).status()).isEqualTo(TaskStatus.PROCESSING);
    assertThat(drain.settle(node, made.id(), ErrorCode.OK).ok()).isTrue();
    assertThat(task(made.id()).status()).isEqualTo(TaskStatus.SUCCESS);
    assertThat(lanes.transfers).isEmpty();
  }

  @Test
  void aSuspectedNodeThatWaitsGetsNoTasksUntilItIsHeardAgain() {
    mount();
    Future<List<ReplicaTask>> waiting =
        drain.tasks.take(new TakeTasks(node, DrainFixture.INCARNATION, 1, 30_000), () -> false);
    drain.tasks.nodeHeard(node, false);
    UUID id = move("key").result().id();
    assertThat(waiting.isComplete()).isFalse();
    assertThat(task(id).status()).isEqualTo(TaskStatus.PENDING);
    drain.tasks.nodeHeard(node, true);
    drain.clock.settle();
    assertThat(waiting.result()).extracting(ReplicaTask::taskId).containsExactly(id);
  }

  @Test
  void aSuspectedNodeThatAsksIsAlive() {
    mount();
    drain.tasks.nodeHeard(node, false);
    UUID id = move("key").result().id();
    assertThat(drain.take(node, 1)).extracting(ReplicaTask::taskId).containsExactly(id);
  }

  @Test
  void aCopyReadsWhereTheMasterFoundAReplica() {
    mount();
    TaskInfo made = drain.byHand.copy(new CopyRequest("", "key", List.of("b", "c"))).result();
    assertThat(made.type()).isEqualTo(TaskType.REPLICA_COPY);
    assertThat(made.targets()).hasSize(2);
  }

  @Test
  void aFailureIsKeptWithItsReasonAndTheTargetIsGivenBack() {
    mount();
    UUID id = move("key").result().id();
    drain.take(node, 1);
    drain
        .tasks
        .settle(
            new SettleTasks(
                node,
                DrainFixture.INCARNATION,
                List.of(
                    new SettledTask(id, ErrorCode.TRANSFER_FAIL.number(), "connection refused"))))
        .result();
    TaskInfo failed = task(id);
    assertThat(failed.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(failed.code()).isEqualTo(ErrorCode.TRANSFER_FAIL);
    assertThat(failed.message()).isEqualTo("connection refused");
    assertThat(lanes.revoked).containsExactly(id);
  }

  @Test
  void wrongMovesLeaveNoTrace() {
    mount();
    drain.disk(other, "disk", true);
    assertThatThrownBy(() -> drain.byHand.move(new MoveRequest("", "k", "a", "a")))
        .hasMessageContaining("same");
    assertThatThrownBy(() -> drain.byHand.move(new MoveRequest("", "k", "a", "none")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
    assertThatThrownBy(() -> drain.byHand.move(new MoveRequest("", "k", "a", "disk")))
        .hasMessageContaining("disk");
    assertThatThrownBy(() -> drain.byHand.move(new MoveRequest("", "", "a", "b")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_KEY));
    assertThatThrownBy(() -> drain.byHand.copy(new CopyRequest("", "k", List.of())))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> drain.byHand.copy(new CopyRequest("", "k", List.of("b", "b"))))
        .hasMessageContaining("twice");
    lanes.startFails = ErrorCode.OBJECT_NOT_FOUND;
    assertThat(codeOf(move("none"))).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(drain.tasks.table().list(null, null, 10)).isEmpty();
    assertThat(drain.tasks.table().pending()).isZero();
    assertThat(drain.clock.pendingTimers()).isZero();
  }

  @Test
  void aTaskWithoutRoomWaitsAndIsTriedWhenThereMayBeSome() {
    mount();
    lanes.startFails = ErrorCode.NO_AVAILABLE_HANDLE;
    TaskInfo made = move("key").result();
    assertThat(made.status()).isEqualTo(TaskStatus.PENDING);
    assertThat(made.message()).contains("room");
    assertThat(lanes.spaceWanted).isEqualTo(1);
    drain.byHand.roomChanged();
    assertThat(task(made.id()).status()).isEqualTo(TaskStatus.PENDING);
    lanes.startFails = ErrorCode.OK;
    assertThat(drain.take(node, 1)).isEmpty();
    drain.byHand.roomChanged();
    assertThat(drain.take(node, 1)).hasSize(1);
    assertThat(task(made.id()).message()).isEmpty();
  }

  @Test
  void aTaskThatNeverFindsRoomTimesOut() {
    mount();
    lanes.startFails = ErrorCode.NO_AVAILABLE_HANDLE;
    UUID id = move("key").result().id();
    drain.clock.advance(299_999);
    assertThat(task(id).status()).isEqualTo(TaskStatus.PENDING);
    drain.clock.advance(1);
    assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
    assertThat(task(id).message()).isEqualTo("pending timeout");
    lanes.startFails = ErrorCode.OK;
    drain.byHand.roomChanged();
    assertThat(lanes.transfers).as("it does not wait any more").isEmpty();
  }

  @Test
  void theObjectMayGoWhileATaskWaitsForRoom() {
    mount();
    lanes.startFails = ErrorCode.NO_AVAILABLE_HANDLE;
    UUID id = move("key").result().id();
    lanes.startFails = ErrorCode.OBJECT_NOT_FOUND;
    drain.byHand.roomChanged();
    assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
    assertThat(task(id).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void aNodeThatDoesNotCallIsATimeout() {
    mount();
    UUID id = move("key").result().id();
    drain.clock.advance(300_000);
    assertThat(task(id).message()).isEqualTo("pending timeout");
    assertThat(lanes.revoked).containsExactly(id);
    assertThat(drain.take(node, 1)).isEmpty();
  }

  @Test
  void aNodeThatDoesNotAnswerIsATimeout() {
    mount();
    UUID id = move("key").result().id();
    drain.clock.advance(200_000);
    drain.take(node, 1);
    drain.clock.advance(299_999);
    assertThat(task(id).status()).isEqualTo(TaskStatus.PROCESSING);
    drain.clock.advance(1);
    assertThat(task(id).message()).isEqualTo("processing timeout");
    assertThat(lanes.revoked).containsExactly(id);
    assertThat(drain.settle(node, id, ErrorCode.OK).ok()).as("as often as it likes").isTrue();
    assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
  }

  @Test
  void timeoutsOfZeroNeverCome() {
    limits(10, 10, 10, 0, 0);
    UUID id = move("key").result().id();
    drain.clock.advance(10_000_000);
    drain.take(node, 1);
    drain.clock.advance(10_000_000);
    assertThat(task(id).status()).isEqualTo(TaskStatus.PROCESSING);
    assertThat(drain.clock.timersSet()).isZero();
  }

  @Test
  void oneTimerWatchesAllTasks() {
    mount();
    for (int i = 0; i < 100; i++) {
      move("key-" + i);
      drain.clock.advance(10);
    }
    drain.take(node, 50);
    assertThat(drain.clock.pendingTimers()).isEqualTo(1);
    assertThat(drain.clock.timersSet()).isLessThan(5);
    drain.clock.advance(301_000);
    assertThat(drain.tasks.table().pending() + drain.tasks.table().processing()).isZero();
    assertThat(drain.clock.pendingTimers()).isZero();
  }

  @Test
  void tooManyPendingTasksAreRefused() {
    limits(10, 2, 10, 300, 300);
    move("one");
    move("two");
    Future<TaskInfo> third = Future.succeededFuture();
    assertThatThrownBy(() -> move("three"))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TASK_PENDING_LIMIT_EXCEEDED));
    assertThat(third.succeeded()).isTrue();
    drain.take(node, 1);
    assertThat(move("three").succeeded()).as("the first is not pending any more").isTrue();
  }

  @Test
  void nodesGetNoMoreThanMayBeProcessed() {
    limits(10, 10, 2, 300, 300);
    UUID one = move("one").result().id();
    move("two");
    move("three");
    assertThat(drain.take(node, 10)).hasSize(2);
    Future<List<ReplicaTask>> waits =
        drain.tasks.take(new TakeTasks(node, DrainFixture.INCARNATION, 10, 5_000), () -> false);
    drain.clock.settle();
    assertThat(waits.isComplete()).isFalse();
    drain.settle(node, one, ErrorCode.OK);
    assertThat(waits.result()).hasSize(1);
  }

  @Test
  void theOldestEndedTasksAreForgotten() {
    limits(2, 10, 10, 300, 300);
    UUID first = null;
    for (String key : List.of("one", "two", "three")) {
      UUID id = move(key).result().id();
      first = first == null ? id : first;
      drain.take(node, 1);
      drain.settle(node, id, ErrorCode.OK);
    }
    assertThat(drain.tasks.table().find(first)).isNull();
    assertThat(drain.tasks.table().list(null, null, 10))
        .extracting(TaskInfo::key)
        .containsExactly("three", "two");
    assertThat(drain.settle(node, first, ErrorCode.OK).code()).isEqualTo(ErrorCode.TASK_NOT_FOUND);
  }

  @Test
  void drainsDoNotPushOutTheTasksOfPeople() {
    limits(2, 10, 10, 300, 300);
    UUID mine = move("mine").result().id();
    drain.work(node);
    for (int i = 0; i < 10; i++) {
      lanes.add(0, "key-" + i, drain.segment("a").generation());
    }
    UUID job = drain.drain(DrainRequest.ofSegments("a"));
    drain.work(node);
    assertThat(task(mine).status()).isEqualTo(TaskStatus.SUCCESS);
    assertThat(drain.tasks.table().list(null, job, 10)).hasSize(2);
    assertThat(drain.tasks.table().list(TaskStatus.SUCCESS, null, 10)).hasSize(3);
    assertThat(drain.tasks.table().list(TaskStatus.FAILED, null, 10)).isEmpty();
    assertThat(drain.tasks.table().list(null, null, 1)).hasSize(1);
  }

  @Test
  void onlyTheNodeThatHasATaskMayEndIt() {
    mount();
    UUID id = move("key").result().id();
    assertThat(drain.settle(node, id, ErrorCode.OK).code())
        .as("it has not taken it")
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    drain.take(node, 1);
    assertThat(drain.settle(other, id, ErrorCode.OK).code()).isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(
            drain
                .tasks
                .settle(new SettleTasks(node, 99, List.of(new SettledTask(id, 0, ""))))
                .result()
                .getFirst()
                .code())
        .as("another incarnation")
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(
            drain
                .tasks
                .settle(
                    new SettleTasks(
                        node, DrainFixture.INCARNATION, List.of(new SettledTask(id, 12345, ""))))
                .result()
                .getFirst()
                .code())
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(drain.settle(node, UUID.randomUUID(), ErrorCode.OK).code())
        .isEqualTo(ErrorCode.TASK_NOT_FOUND);
    assertThat(task(id).status()).isEqualTo(TaskStatus.PROCESSING);
  }

  @Test
  void callsWaitForTasksAndEachTaskGoesToOne() {
    mount();
    Future<List<ReplicaTask>> first =
        drain.tasks.take(new TakeTasks(node, DrainFixture.INCARNATION, 1, 5_000), () -> false);
    Future<List<ReplicaTask>> second =
        drain.tasks.take(new TakeTasks(node, DrainFixture.INCARNATION, 10, 5_000), () -> false);
    drain.byHand.move(new MoveRequest("", "one", "a", "b"));
    drain.byHand.move(new MoveRequest("", "two", "a", "b"));
    drain.byHand.move(new MoveRequest("", "three", "a", "b"));
    drain.clock.settle();
    assertThat(first.result()).hasSize(1);
    assertThat(second.result()).as("what became ready together").hasSize(2);
  }

  @Test
  void aCallThatWaitsLongEnoughIsAnsweredWithNothing() {
    mount();
    Future<List<ReplicaTask>> waits =
        drain.tasks.take(new TakeTasks(node, DrainFixture.INCARNATION, 1, 5_000), () -> false);
    drain.clock.advance(4_999);
    assertThat(waits.isComplete()).isFalse();
    drain.clock.advance(1);
    assertThat(waits.result()).isEmpty();
    move("key");
    assertThat(drain.take(node, 1)).as("nothing was given to the call that is over").hasSize(1);
  }

  @Test
  void aCallThatNobodyHearsIsGivenNothing() {
    mount();
    AtomicBoolean gone = new AtomicBoolean();
    Future<List<ReplicaTask>> dead =
        drain.tasks.take(new TakeTasks(node, DrainFixture.INCARNATION, 10, 60_000), gone::get);
    Future<List<ReplicaTask>> alive =
        drain.tasks.take(new TakeTasks(node, DrainFixture.INCARNATION, 10, 60_000), () -> false);
    gone.set(true);
    UUID one = move("one").result().id();
    assertThat(dead.result()).isEmpty();
    assertThat(alive.result()).extracting(ReplicaTask::taskId).containsExactly(one);
    assertThat(
            drain
                .tasks
                .take(new TakeTasks(node, DrainFixture.INCARNATION, 10, 60_000), gone::get)
                .isComplete())
        .isFalse();
    UUID two = move("two").result().id();
    assertThat(drain.take(node, 10)).extracting(ReplicaTask::taskId).containsExactly(two);
  }

  @Test
  void aNewLifeOfANodeEndsTheCallsOfTheOld() {
    mount();
    Future<List<ReplicaTask>> old =
        drain.tasks.take(new TakeTasks(node, 1, 1, 60_000), () -> false);
    Future<List<ReplicaTask>> young =
        drain.tasks.take(new TakeTasks(node, 2, 1, 60_000), () -> false);
    move("key");
    assertThat(old.result()).isEmpty();
    assertThat(young.result()).hasSize(1);
  }

  @Test
  void aNodeThatIsGoneFailsItsTasks() {
    mount();
    UUID taken = move("taken").result().id();
    drain.take(node, 1);
    UUID waiting = move("waiting").result().id();
    UUID others = drain.byHand.copy(new CopyRequest("", "x", List.of("c"))).result().id();
    drain.tasks.nodeGone(node);
    assertThat(task(taken).status()).isEqualTo(TaskStatus.FAILED);
    assertThat(task(waiting).message()).contains("went away");
    assertThat(lanes.revoked).contains(taken, waiting);
    assertThat(drain.tasks.table().find(others)).isNotNull();
  }

  @Test
  void aBadCallIsRefused() {
    mount();
    assertThat(
            codeOf(
                drain.tasks.take(
                    new TakeTasks(node, DrainFixture.INCARNATION, 0, 10), () -> false)))
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(
            codeOf(
                drain.tasks.take(
                    new TakeTasks(node, DrainFixture.INCARNATION, 1, -1), () -> false)))
        .isEqualTo(ErrorCode.INVALID_PARAMS);
  }

  @Test
  void theGrantThatANodeGetsIsWhatIsLeftOfIt() {
    mount();
    move("key");
    drain.clock.advance(10_000);
    assertThat(drain.take(node, 1).getFirst().grantMillis()).isEqualTo(590_000);
  }
}
