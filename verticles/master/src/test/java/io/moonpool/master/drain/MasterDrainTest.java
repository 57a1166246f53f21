package io.moonpool.master.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.MasterConfig;
import io.moonpool.master.TestMaster;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.call.UnregisterNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drains by a whole master over real sockets, with nodes that move no bytes. */
class MasterDrainTest {
  private static final int SIZE = 4_096;

  @TempDir Path directory;

  private TestMaster test;
  private final List<TestNode> working = new ArrayList<>();

  private void start(MasterConfig.Builder config) {
    test = TestMaster.start(config.metadataLoops(2));
  }

  private static MasterConfig.Builder config() {
    return TestMaster.config().leaseTtlMillis(300);
  }

  @AfterEach
  void stop() {
    working.forEach(TestNode::stop);
    test.close();
  }

  private TestNode works(TestMaster.Node node) {
    TestNode works = new TestNode(test, node).start();
    working.add(works);
    return works;
  }

  private static String[] keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> "key-" + i).toArray(String[]::new);
  }

  private DrainOperations drains() {
    return test.master().drains();
  }

  private JobInfo drain(DrainRequest request) {
    return TestMaster.await(drains().createJob(request));
  }

  private JobInfo job(UUID id) {
    return TestMaster.await(drains().job(id));
  }

  private JobInfo ended(UUID id) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(job(id))
                    .matches(job -> job.status().terminal() && job.activeUnits() == 0));
    return job(id);
  }

  private SegmentInfo segment(UUID id) {
    return test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])).stream()
        .filter(segment -> segment.spec().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private SegmentStatus status(TestMaster.Node node) {
    return segment(node.segments().getFirst().id()).status();
  }

  private List<Long> generations(String key) {
    return test.locate(key).get().replicas().stream().map(ReplicaDescriptor::generation).toList();
  }

  private long generation(TestMaster.Node node) {
    return segment(node.segments().getFirst().id()).generation();
  }

  @Test
  void memoryMovesAndTheSegmentIsDrained() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, keys(50));
    TestMaster.Node second = test.node(2, 1 << 20);
    works(first);
    JobInfo job = drain(DrainRequest.ofNode(first.id().toString()));
    assertThat(status(first)).isIn(SegmentStatus.DRAINING, SegmentStatus.DRAINED);
    JobInfo end = ended(job.id());
    assertThat(end.message()).isEqualTo("nothing is left on its segments");
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).isEqualTo(50);
    assertThat(end.migratedBytes()).isEqualTo(50L * SIZE);
    assertThat(end.failedAttempts() + end.failedUnits() + end.blockedUnits()).isZero();
    assertThat(status(first)).isEqualTo(SegmentStatus.DRAINED);
    for (String key : keys(50)) {
      assertThat(generations(key)).containsExactly(generation(second));
    }
    assertThat(segment(first.segments().getFirst().id()).usedBytes()).isZero();
    first.unmount(0);
    assertThat(test.locate("key-7").ok()).isTrue();
  }

  @Test
  void anEmptyNodeIsDrainedAtOnce() {
    start(config());
    TestMaster.Node node = test.node(1, 1 << 20);
    JobInfo end = ended(drain(DrainRequest.ofNode(node.id().toString())).id());
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(status(node)).isEqualTo(SegmentStatus.DRAINED);
    TestMaster.await(drains().undrain(node.id().toString(), List.of()));
    assertThat(status(node)).isEqualTo(SegmentStatus.OK);
    test.put(SIZE, "key");
  }

  @Test
  void nothingNewIsPlacedOnWhatIsDrained() {
    start(config());
    TestMaster.Node node = test.node(1, 1 << 20);
    test.put(SIZE, "key");
    JobInfo job = drain(DrainRequest.ofNode(node.id().toString()));
    await().until(() -> job(job.id()).blockedUnits() == 1);
    JobInfo waits = job(job.id());
    assertThat(waits.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(waits.blocked()).extracting(JobInfo.BlockedUnit::key).containsExactly("key");
    assertThat(waits.message()).contains("room", "key");
    assertThat(test.putStartCode(SIZE, "new")).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(generations("key")).as("readable").containsExactly(generation(node));
    works(node);
    test.node(2, 1 << 20);
    assertThat(ended(job.id()).status())
        .as("a segment that is mounted wakes what waits for room")
        .isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void leasesDoNotBlockMovesButDrainedWaitsForThem() {
    start(TestMaster.config().leaseTtlMillis(1_500));
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, keys(4));
    test.node(2, 1 << 20);
    works(first);
    long leased = System.nanoTime();
    assertThat(test.locate("key-1").ok()).isTrue();
    JobInfo job = drain(DrainRequest.ofNode(first.id().toString()));
    await().until(() -> job(job.id()).succeededUnits() == 4);
    if (Duration.ofNanos(System.nanoTime() - leased).toMillis() < 1_000) {
      assertThat(job(job.id()).status()).isEqualTo(JobStatus.RUNNING);
      assertThat(status(first)).isEqualTo(SegmentStatus.DRAINING);
    }
    assertThat(ended(job.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(Duration.ofNanos(System.nanoTime() - leased).toMillis()).isGreaterThan(1_400);
  }

  @Test
  void hardPinnedObjectsMoveToo() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(pinned(), SIZE, "pinned");
    TestMaster.Node second = test.node(2, 1 << 20);
    works(first);
    assertThat(ended(drain(DrainRequest.ofNode(first.id().toString())).id()).status())
        .isEqualTo(JobStatus.SUCCEEDED);
    assertThat(generations("pinned")).containsExactly(generation(second));
  }

  private static ReplicateConfig pinned() {
    ReplicateConfig plain = ReplicateConfig.DEFAULT;
    return new ReplicateConfig(
        1,
        plain.softPinAction(),
        plain.softPinTtlMillis(),
        true,
        List.of(),
        false,
        plain.dataType(),
        "",
        List.of());
  }

  @Test
  void aReplicaThatEveryOtherSegmentHasIsDropped() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    TestMaster.Node second = test.node(2, 1 << 20);
    test.put(ReplicateConfig.DEFAULT.withReplicaNum(2), SIZE, keys(5));
    JobInfo end = ended(drain(DrainRequest.ofNode(first.id().toString())).id());
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.droppedUnits()).isEqualTo(5);
    assertThat(end.succeededUnits() + end.migratedBytes()).isZero();
    assertThat(generations("key-3")).containsExactly(generation(second));
  }

  @Test
  void unitsThatFailLeaveTheSegmentDraining() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, keys(4));
    TestMaster.Node second = test.node(2, 1 << 20);
    works(first).ending(key -> key.equals("key-2") ? ErrorCode.FILE_OPEN_FAIL : ErrorCode.OK);
    JobInfo end = ended(drain(DrainRequest.ofNode(first.id().toString())).id());
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.succeededUnits()).isEqualTo(3);
    assertThat(end.failedUnits()).isEqualTo(1);
    assertThat(end.failedAttempts()).isEqualTo(3);
    assertThat(status(first)).isEqualTo(SegmentStatus.DRAINING);
    assertThat(generations("key-2")).containsExactly(generation(first));
    assertThat(generations("key-1")).containsExactly(generation(second));
    working.getFirst().ending(key -> ErrorCode.OK);
    JobInfo again = ended(drain(DrainRequest.ofNode(first.id().toString())).id());
    assertThat(again.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(again.succeededUnits()).isEqualTo(1);
  }

  @Test
  void objectsThatAreRemovedOrOverwrittenMeanwhileDoNotComeBack() {
    start(config().writeGrantMillis(500));
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, "removed", "overwritten");
    TestMaster.Node second = test.node(2, 1 << 20);
    TestNode node = new TestNode(test, first);
    JobInfo job = drain(DrainRequest.ofNode(first.id().toString()));
    List<ReplicaTask> tasks = new ArrayList<>();
    while (tasks.size() < 2) {
      tasks.addAll(node.take(4, 2_000));
    }
    assertThat(test.remove("removed", true).ok()).isTrue();
    test.end("overwritten", test.upsertStart(SIZE, "overwritten").getFirst().get());
    long version = test.locate("overwritten").get().version();
    tasks.forEach(task -> assertThat(node.settle(task, ErrorCode.OK).ok()).isTrue());
    JobInfo end = ended(job.id());
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.goneUnits()).isEqualTo(2);
    assertThat(end.succeededUnits() + end.migratedBytes() + end.failedAttempts()).isZero();
    assertThat(test.locate("removed").code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(test.locate("overwritten").get().version()).isEqualTo(version);
    assertThat(generations("overwritten")).containsExactly(generation(second));
  }

  @Test
  void cancelInTheMiddleAndDrainAgain() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, keys(20));
    test.node(2, 1 << 20);
    TestNode node = new TestNode(test, first);
    JobInfo job = drain(DrainRequest.ofNode(first.id().toString()));
    List<ReplicaTask> taken = node.take(2, 5_000);
    assertThat(TestMaster.await(drains().cancel(job.id())).status()).isEqualTo(JobStatus.CANCELED);
    assertThat(status(first)).isEqualTo(SegmentStatus.OK);
    taken.forEach(task -> node.settle(task, ErrorCode.OK));
    JobInfo end = ended(job.id());
    assertThat(end.succeededUnits()).isEqualTo(taken.size());
    assertThat(end.migratedBytes()).isEqualTo((long) taken.size() * SIZE);
    assertThatThrownBy(() -> TestMaster.await(drains().cancel(job.id())))
        .isInstanceOf(StoreException.class);
    works(first);
    JobInfo again = ended(drain(DrainRequest.ofNode(first.id().toString())).id());
    assertThat(again.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(again.succeededUnits()).isEqualTo(20 - taken.size());
  }

  @Test
  void aNodeThatLeavesInTheMiddleLosesWhatWasLeft() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, keys(20));
    test.node(2, 1 << 20);
    TestNode node = new TestNode(test, first);
    JobInfo job = drain(DrainRequest.ofNode(first.id().toString()));
    node.settle(node.take(1, 5_000).getFirst(), ErrorCode.OK);
    await().until(() -> job(job.id()).succeededUnits() == 1);
    test.call(
        Calls.UNREGISTER_NODE, new UnregisterNode(first.id(), first.registration().incarnation()));
    JobInfo end = ended(job.id());
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.succeededUnits()).isEqualTo(1);
    assertThat(end.lostUnits()).isEqualTo(19);
  }

  @Test
  void aJobGoesOnWithAnotherMaster() {
    start(config().dataDir(directory.toString()));
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, "key");
    JobInfo job = drain(DrainRequest.ofNode(first.id().toString()));
    await().until(() -> job(job.id()).blockedUnits() == 1);
    test.close();

    start(config().dataDir(directory.toString()));
    assertThat(job(job.id()).status()).isEqualTo(JobStatus.PLANNING);
    TestMaster.Node again = test.node(1, 1 << 20);
    assertThat(status(again)).as("another segment").isEqualTo(SegmentStatus.OK);
    again.segments().clear();
    again.segments().addAll(first.segments());
    again.mountAll();
    assertThat(ended(job.id()).status())
        .as("what was in memory went with the first master")
        .isEqualTo(JobStatus.SUCCEEDED);
    assertThat(status(again)).isEqualTo(SegmentStatus.DRAINED);
    assertThat(TestMaster.await(drains().jobs())).hasSize(1);
  }

  @Test
  void aTaskByHandMovesOneReplica() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, "key", "other");
    TestMaster.Node second = test.node(2, 1 << 20);
    String from = first.segments().getFirst().name();
    String to = second.segments().getFirst().name();
    TaskInfo made = TestMaster.await(drains().createMoveTask(new MoveRequest("", "key", from, to)));
    assertThat(made.status()).isEqualTo(TaskStatus.PENDING);
    assertThatThrownBy(
            () -> TestMaster.await(drains().createMoveTask(new MoveRequest("", "key", from, to))))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.OBJECT_HAS_REPLICATION_TASK));
    assertThatThrownBy(
            () -> TestMaster.await(drains().createMoveTask(new MoveRequest("", "no", from, to))))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND));
    TestNode node = new TestNode(test, first);
    ReplicaTask task = node.take(4, 5_000).getFirst();
    assertThat(task.isDrain()).isFalse();
    node.settle(task, ErrorCode.OK);
    assertThat(TestMaster.await(drains().task(made.id())).status()).isEqualTo(TaskStatus.SUCCESS);
    assertThat(generations("key")).containsExactly(generation(second));
    assertThat(generations("other")).containsExactly(generation(first));
    TaskInfo copy =
        TestMaster.await(drains().createCopyTask(new CopyRequest("", "other", List.of(to))));
    node.settle(node.take(4, 5_000).getFirst(), ErrorCode.OK);
    assertThat(TestMaster.await(drains().task(copy.id())).status()).isEqualTo(TaskStatus.SUCCESS);
    assertThat(generations("other"))
        .containsExactlyInAnyOrder(generation(first), generation(second));
    assertThat(TestMaster.await(drains().tasks(null, null, 10)))
        .extracting(TaskInfo::id)
        .containsExactly(copy.id(), made.id());
  }

  @Test
  void aTaskByHandWaitsForRoom() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, "key");
    TestMaster.Node second = test.node(2, 2 * SIZE);
    String from = first.segments().getFirst().name();
    String to = second.segments().getFirst().name();
    test.put(ReplicateConfig.DEFAULT.withPreferredSegments(List.of(to)), 2 * SIZE, "large");
    assertThat(generations("large")).containsExactly(generation(second));
    TaskInfo made = TestMaster.await(drains().createMoveTask(new MoveRequest("", "key", from, to)));
    assertThat(made.status()).isEqualTo(TaskStatus.PENDING);
    assertThat(made.message()).contains("room");
    works(first);
    assertThat(test.remove("large", true).ok()).isTrue();
    await()
        .untilAsserted(
            () ->
                assertThat(TestMaster.await(drains().task(made.id())).status())
                    .isEqualTo(TaskStatus.SUCCESS));
    assertThat(generations("key")).containsExactly(generation(second));
  }

  @Test
  void aStrangerGetsNoTasks() {
    start(config());
    assertThatThrownBy(
            () -> test.call(Calls.TAKE_TASKS, new TakeTasks(UUID.randomUUID(), 1, 1, 100)))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLIENT_NOT_FOUND));
  }

  @Test
  void aPlanTellsWhatWouldHappen() {
    start(config());
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, keys(10));
    TestMaster.Node second = test.node(2, 1 << 20);
    DrainPlan plan = TestMaster.await(drains().planJob(DrainRequest.ofNode(first.id().toString())));
    assertThat(plan.units()).isEqualTo(10);
    assertThat(plan.bytes()).isEqualTo(10L * SIZE);
    assertThat(plan.diskUnits()).isZero();
    assertThat(plan.targets())
        .extracting(target -> target.segment().segmentId())
        .containsExactly(second.segments().getFirst().id());
    assertThat(plan.targets().getFirst().expectedBytes()).isEqualTo(10L * SIZE);
    assertThat(status(first)).isEqualTo(SegmentStatus.OK);
    assertThat(TestMaster.await(drains().jobs())).isEmpty();
  }

  @Test
  void aPlanKnowsThatMemoryWithoutADiskIsFilledToTheHighWatermark() {
    start(config().evictionHighWatermark(0.5));
    TestMaster.Node first = test.node(1, 1 << 20);
    test.put(SIZE, keys(100));
    test.node(2, 512 << 10);
    DrainPlan plan = TestMaster.await(drains().planJob(DrainRequest.ofNode(first.id().toString())));
    assertThat(plan.units()).isEqualTo(100);
    DrainPlan.Target target = plan.targets().getFirst();
    assertThat(target.freeBytes()).isEqualTo(512 << 10);
    assertThat(target.roomBytes()).isEqualTo(256 << 10);
    assertThat(target.expectedBytes()).isEqualTo(256 << 10);
    assertThat(plan.noRoomBytes()).isEqualTo(100L * SIZE - (256 << 10));
    works(first);
    JobInfo job = drain(DrainRequest.ofNode(first.id().toString()));
    long moved = (256 << 10) / SIZE;
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(job(job.id()))
                    .as("and the drain does just that")
                    .matches(now -> now.succeededUnits() == moved)
                    .matches(now -> now.blockedUnits() == 100 - moved));
  }
}
