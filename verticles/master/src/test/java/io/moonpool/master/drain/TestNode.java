package io.moonpool.master.drain;

import io.moonpool.master.TestMaster;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A node that takes tasks over a real connection, and says how they ended; it moves no bytes. */
final class TestNode {
  private final TestMaster test;
  private final TestMaster.Node node;
  private final AtomicBoolean works = new AtomicBoolean();
  private volatile Function<String, ErrorCode> ends = key -> ErrorCode.OK;

  TestNode(TestMaster test, TestMaster.Node node) {
    this.test = test;
    this.node = node;
  }

  /** What happens to the transfers of keys from now on. */
  TestNode ending(Function<String, ErrorCode> how) {
    ends = how;
    return this;
  }

  List<ReplicaTask> take(int max, long waitMillis) {
    return test.call(
        Calls.TAKE_TASKS,
        new TakeTasks(node.id(), node.registration().incarnation(), max, waitMillis));
  }

  Outcome<Void> settle(ReplicaTask task, ErrorCode code) {
    return test.call(
            Calls.SETTLE_TASKS,
            new SettleTasks(
                node.id(),
                node.registration().incarnation(),
                List.of(new SettledTask(task.taskId(), code.number(), ""))))
        .getFirst();
  }

  /** Works until {@link #stop}, on the threads of the connection. */
  TestNode start() {
    works.set(true);
    again();
    return this;
  }

  private void again() {
    if (!works.get()) {
      return;
    }
    test.callLater(
            Calls.TAKE_TASKS, new TakeTasks(node.id(), node.registration().incarnation(), 16, 500))
        .compose(this::finish)
        .onComplete(done -> again());
  }

  private Future<?> finish(List<ReplicaTask> tasks) {
    List<SettledTask> settled =
        tasks.stream()
            .map(
                task ->
                    new SettledTask(
                        task.taskId(),
                        ends.apply(new String(task.object().key(), StandardCharsets.UTF_8))
                            .number(),
                        ""))
            .toList();
    return settled.isEmpty()
        ? Future.succeededFuture()
        : test.callLater(
            Calls.SETTLE_TASKS,
            new SettleTasks(node.id(), node.registration().incarnation(), settled));
  }

  void stop() {
    works.set(false);
  }
}
