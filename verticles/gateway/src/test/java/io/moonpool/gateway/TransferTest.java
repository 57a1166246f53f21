package io.moonpool.gateway;

import static io.moonpool.gateway.LentMemory.TENANT;
import static io.moonpool.gateway.LentMemory.assertFails;
import static io.moonpool.gateway.LentMemory.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.TaskStatus;
import io.moonpool.protocol.mooncake.DiskMessages.ClientKey;
import io.moonpool.protocol.mooncake.Place;
import io.moonpool.protocol.mooncake.TransferCalls;
import io.moonpool.protocol.mooncake.TransferMessages;
import io.moonpool.protocol.mooncake.TransferMessages.AssignedTask;
import io.moonpool.protocol.mooncake.TransferMessages.MoveStarted;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies, moves and drains that clients of Mooncake carry out. */
class TransferTest {
  private static final long SOURCE = 1L << 40;
  private static final long TARGET = 1L << 41;
  private static final int MIB = 1 << 20;

  private GatewayMaster master;
  private LentMemory source;
  private LentMemory target;

  @BeforeEach
  void start() {
    master = GatewayMaster.start();
    source = new LentMemory(master, "source", SOURCE, MIB);
    target = new LentMemory(master, "target", TARGET, MIB);
  }

  @AfterEach
  void stop() {
    source.close();
    target.close();
    master.close();
  }

  private static Place.Memory only(List<io.moonpool.protocol.mooncake.Replica> replicas) {
    assertThat(replicas).hasSize(1);
    return (Place.Memory) replicas.getFirst().place();
  }

  private ClientKey key(LentMemory client, String key) {
    return new ClientKey(client.id, bytes(key), TENANT);
  }

  private TransferMessages.MoveStart move(String key) {
    return new TransferMessages.MoveStart(source.id, bytes(key), TENANT, "source", "target");
  }

  @Test
  void aClientMovesByItself() {
    long address = source.put("k", 100);
    MoveStarted started = source.call(TransferCalls.MOVE_START, move("k"));
    assertThat(((Place.Memory) started.source().place()).address()).isEqualTo(address);
    Place.Memory there = (Place.Memory) started.target().orElseThrow().place();
    assertThat(there.address()).isBetween(TARGET, TARGET + MIB);
    assertThat(there.endpoint()).isEqualTo("target");
    assertFails(
        ErrorCode.OBJECT_HAS_REPLICATION_TASK,
        () -> target.call(TransferCalls.COPY_START, copy(target, "k")));
    source.call(TransferCalls.MOVE_END, key(source, "k"));
    assertThat(only(source.locate("k").replicas())).isEqualTo(there);
    assertFails(
        ErrorCode.OBJECT_NO_REPLICATION_TASK,
        () -> source.call(TransferCalls.MOVE_END, key(source, "k")));
  }

  private TransferMessages.CopyStart copy(LentMemory client, String key) {
    return new TransferMessages.CopyStart(
        client.id, bytes(key), TENANT, "source", List.of("target"));
  }

  @Test
  void aCopyIsGivenUpOrEnds() {
    source.put("k", 100);
    source.call(TransferCalls.COPY_START, copy(source, "k"));
    assertFails(
        ErrorCode.INVALID_PARAMS, () -> source.call(TransferCalls.MOVE_END, key(source, "k")));
    source.call(TransferCalls.COPY_REVOKE, key(source, "k"));
    assertThat(source.locate("k").replicas()).hasSize(1);
    source.call(TransferCalls.COPY_START, copy(source, "k"));
    source.call(TransferCalls.COPY_END, key(source, "k"));
    assertThat(source.locate("k").replicas()).hasSize(2);
  }

  private AssignedTask fetch() {
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                source.call(
                    TransferCalls.FETCH_TASKS, new TransferMessages.FetchTasks(source.id, 16)),
            tasks -> !tasks.isEmpty())
        .getFirst();
  }

  private TransferMessages.MarkTask mark(UUID task, TaskStatus status) {
    return new TransferMessages.MarkTask(
        source.id, new TransferMessages.EndedTask(task, status.number(), "said so"));
  }

  private TaskStatus status(UUID task) {
    return TaskStatus.ofNumber(source.call(TransferCalls.QUERY_TASK, task).status());
  }

  private UUID createMove(String key) {
    return source.call(
        TransferCalls.CREATE_MOVE_TASK,
        new TransferMessages.CreateMove(bytes(key), TENANT, "source", "target"));
  }

  @Test
  void aTaskIsFetchedDoneAndMarked() {
    source.put("k", 100);
    UUID task = createMove("k");
    AssignedTask assigned = fetch();
    assertThat(assigned.id()).isEqualTo(task);
    assertThat(assigned.type()).isEqualTo(1);
    assertThat(new JsonObject(assigned.payload()))
        .isEqualTo(
            new JsonObject()
                .put("tenant_id", TENANT)
                .put("key", "k")
                .put("source", "source")
                .put("target", "target"));
    assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    MoveStarted started = source.call(TransferCalls.MOVE_START, move("k"));
    source.call(TransferCalls.MOVE_END, key(source, "k"));
    source.call(TransferCalls.MARK_TASK_TO_COMPLETE, mark(task, TaskStatus.SUCCESS));
    assertThat(status(task)).isEqualTo(TaskStatus.SUCCESS);
    assertThat(only(source.locate("k").replicas()))
        .isEqualTo(started.target().orElseThrow().place());
  }

  /** The bytes were not moved: the object must stay where it is. */
  @Test
  void aTaskThatIsOnlyCalledDoneHasFailed() {
    long address = source.put("k", 100);
    UUID task = createMove("k");
    fetch();
    source.call(TransferCalls.MARK_TASK_TO_COMPLETE, mark(task, TaskStatus.SUCCESS));
    assertThat(status(task)).isEqualTo(TaskStatus.FAILED);
    assertThat(only(source.locate("k").replicas()).address()).isEqualTo(address);
  }

  @Test
  void aTaskFails() {
    source.put("k", 100);
    UUID task = createMove("k");
    fetch();
    source.call(TransferCalls.MOVE_START, move("k"));
    source.call(TransferCalls.MOVE_REVOKE, key(source, "k"));
    source.call(TransferCalls.MARK_TASK_TO_COMPLETE, mark(task, TaskStatus.FAILED));
    assertThat(status(task)).isEqualTo(TaskStatus.FAILED);
    assertFails(
        ErrorCode.INVALID_PARAMS,
        () -> source.call(TransferCalls.MARK_TASK_TO_COMPLETE, mark(task, TaskStatus.PENDING)));
    assertFails(
        ErrorCode.TASK_NOT_FOUND,
        () ->
            source.call(
                TransferCalls.MARK_TASK_TO_COMPLETE, mark(UUID.randomUUID(), TaskStatus.SUCCESS)));
  }

  /** The end of a move says nothing of drains: the master knows. */
  @Test
  void aDrainIsCarriedOutByTheClient() {
    for (int i = 0; i < 20; i++) {
      source.put("k" + i, 100);
    }
    JobInfo job = master.on(() -> master.master().drains().createJob(drain()));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              for (AssignedTask task :
                  source.call(
                      TransferCalls.FETCH_TASKS, new TransferMessages.FetchTasks(source.id, 16))) {
                String key = new JsonObject(task.payload()).getString("key");
                source.call(TransferCalls.MOVE_START, move(key));
                source.call(TransferCalls.MOVE_END, key(source, key));
                source.call(
                    TransferCalls.MARK_TASK_TO_COMPLETE, mark(task.id(), TaskStatus.SUCCESS));
              }
              return master.on(() -> master.master().drains().job(job.id())).status()
                  == JobStatus.SUCCEEDED;
            });
    for (int i = 0; i < 20; i++) {
      assertThat(only(source.locate("k" + i).replicas()).endpoint()).isEqualTo("target");
    }
  }

  private DrainRequest drain() {
    return DrainRequest.ofSegments("source");
  }

  /** The owner of the source carries a move out: it must reach the target. */
  @Test
  void nothingIsMovedWhereItsOwnerCannotReach() {
    source.put("k", 100);
    master.mountMoonpoolSegment();
    assertFails(
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        () ->
            source.call(
                TransferCalls.CREATE_MOVE_TASK,
                new TransferMessages.CreateMove(bytes("k"), TENANT, "source", "moonpool")));
  }
}
