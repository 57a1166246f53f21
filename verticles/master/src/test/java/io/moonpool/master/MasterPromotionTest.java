package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.master.MasterStats.PromotionFigures;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.PromotionTask;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettlePromotions;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.protocol.call.SettledPromotion;
import io.moonpool.protocol.call.TakeDiskWork;
import io.moonpool.protocol.call.UnregisterNode;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the master does about objects on disk that are read: with nodes that are played. */
class MasterPromotionTest {
  private static final long SIZE = 1000;
  private static final long GRANT = 1_500;

  private TestMaster test;
  private TestMaster.Node node;
  private long disk;
  private long memory;

  @BeforeEach
  void start() {
    start(new PromotionConfig(true, 2, 4, 8, 600_000));
  }

  private void start(PromotionConfig promotion) {
    test =
        TestMaster.start(
            TestMaster.config().metadataLoops(2).writeGrantMillis(GRANT).promotion(promotion));
    node = test.node(1, 1 << 20);
    disk = mountDisk(node);
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private static long mountDisk(TestMaster.Node node) {
    node.segments()
        .add(
            new SegmentSpec(
                new UUID(0xD15C, node.id().getLeastSignificantBits()),
                "disk",
                1 << 30,
                "host",
                List.of(new SegmentEndpoint("tcp", new byte[] {1})),
                SegmentKind.LOCAL_DISK));
    return node.mountAll().getLast().get();
  }

  private TakeDiskWork request(int maxPromotions, long waitMillis) {
    return new TakeDiskWork(
        node.id(),
        node.registration().incarnation(),
        disk,
        0,
        true,
        100,
        maxPromotions,
        waitMillis);
  }

  private DiskWork work() {
    return test.call(Calls.TAKE_DISK_WORK, request(8, 2_000));
  }

  private List<PromotionTask> promotionsNow() {
    return test.call(Calls.TAKE_DISK_WORK, request(8, 0)).promotions();
  }

  /** Objects that are on the node's disk and nowhere else; the node has new memory then. */
  private void onDisk(String... keys) {
    test.put(SIZE, keys);
    for (int left = keys.length; left > 0; ) {
      List<OffloadTask> tasks = work().offloads();
      left -= tasks.size();
      List<SettledOffload> stored =
          tasks.stream()
              .map(
                  task ->
                      new SettledOffload(
                          task.object().tenant(),
                          task.object().key(),
                          task.object().version(),
                          task.replicaId(),
                          true))
              .toList();
      test.call(
          Calls.SETTLE_OFFLOADS,
          new SettleOffloads(node.id(), node.registration().incarnation(), disk, stored));
    }
    node.unmount(0);
    node.segments().removeFirst();
    memory = node.mount(1 << 20);
    for (String key : keys) {
      assertThat(types(key)).containsExactly(ReplicaType.LOCAL_DISK); // and that was a read
    }
  }

  private List<ReplicaType> types(String key) {
    return test.locate(key).get().replicas().stream().map(ReplicaDescriptor::type).toList();
  }

  private PromotionTask taken(String key) {
    List<PromotionTask> tasks = work().promotions();
    assertThat(tasks).hasSize(1);
    assertThat(tasks.getFirst().object().key()).isEqualTo(key.getBytes(StandardCharsets.UTF_8));
    return tasks.getFirst();
  }

  private ErrorCode settle(PromotionTask task, boolean written) {
    return test.call(
            Calls.SETTLE_PROMOTIONS,
            new SettlePromotions(
                node.id(),
                node.registration().incarnation(),
                disk,
                List.of(
                    new SettledPromotion(
                        "",
                        task.object().key(),
                        task.object().version(),
                        task.target().replicaId(),
                        written))))
        .getFirst()
        .code();
  }

  private PromotionFigures figures() {
    PromotionFigures figures = test.master().stats().snapshot().promotions();
    assertThat(figures.admitted())
        .isEqualTo(
            figures.waiting()
                + figures.open()
                + figures.completed()
                + figures.failed()
                + figures.expired()
                + figures.cancelled());
    return figures;
  }

  @Test
  void anObjectThatIsReadAgainComesBack() {
    onDisk("k");
    assertThat(promotionsNow()).isEmpty();
    test.locate("k");
    PromotionTask task = taken("k");
    assertThat(task.object().size()).isEqualTo(SIZE);
    assertThat(task.target().generation()).isEqualTo(memory);
    assertThat(task.grantMillis()).isEqualTo(GRANT);
    assertThat(types("k")).containsExactly(ReplicaType.LOCAL_DISK);
    assertThat(figures().open()).isEqualTo(1);
    long used = test.master().stats().snapshot().memoryUsedBytes();
    assertThat(used).isGreaterThanOrEqualTo(SIZE);

    assertThat(settle(task, true)).isEqualTo(ErrorCode.OK);

    assertThat(types("k")).containsExactly(ReplicaType.LOCAL_DISK, ReplicaType.MEMORY);
    assertThat(settle(task, true)).as("repeated").isEqualTo(ErrorCode.OK);
    assertThat(figures().completed()).isEqualTo(1);
    assertThat(figures().completedBytes()).isEqualTo(SIZE);
    assertThat(figures().rare()).isEqualTo(1);
  }

  @Test
  void aReadWakesTheNodeThatWaits() {
    onDisk("k");
    Future<DiskWork> waiting = test.callLater(Calls.TAKE_DISK_WORK, request(8, 20_000));
    test.locate("k");
    assertThat(TestMaster.await(waiting).promotions()).hasSize(1);
  }

  @Test
  void aNodeThatHasNoHandsFreeGetsNone() {
    onDisk("k");
    test.locate("k");
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(figures().waiting()).isEqualTo(1));
    DiskWork none = test.call(Calls.TAKE_DISK_WORK, request(0, 0));
    assertThat(none.isEmpty()).isTrue();
    assertThat(figures().waiting()).isEqualTo(1);
    assertThat(figures().open()).isZero();
    taken("k");
  }

  @Test
  void aRemovalDoesNotWaitForItAndIsNotUndone() {
    onDisk("k");
    test.locate("k");
    PromotionTask task = taken("k");
    assertThat(test.remove("k", true).code()).isEqualTo(ErrorCode.OK);
    assertThat(settle(task, true)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(test.exists("k")).isFalse();
    assertThat(figures().cancelled()).isEqualTo(1);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> test.master().stats().snapshot().memoryUsedBytes() == 0);
  }

  @Test
  void anOverwriteDoesNotWaitForItAndIsNotUndone() {
    onDisk("k");
    test.locate("k");
    PromotionTask task = taken("k");
    assertThat(test.end("k", test.upsertStart(2 * SIZE, "k").getFirst().get()).ok()).isTrue();
    assertThat(settle(task, true)).isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(test.locate("k").get().size()).isEqualTo(2 * SIZE);
  }

  @Test
  void aFailureMakesRoomForTheNextAttempt() {
    onDisk("k");
    test.locate("k");
    assertThat(settle(taken("k"), false)).isEqualTo(ErrorCode.OK);
    assertThat(figures().failed()).isEqualTo(1);
    test.locate("k");
    assertThat(settle(taken("k"), true)).isEqualTo(ErrorCode.OK);
    assertThat(types("k")).contains(ReplicaType.MEMORY);
  }

  @Test
  void whatIsNotSettledInTimeIsGivenUpAndComesBackLater() {
    onDisk("k");
    test.locate("k");
    PromotionTask task = taken("k");
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(figures().expired()).isEqualTo(1));
    assertThat(settle(task, true)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> test.master().stats().snapshot().memoryUsedBytes() == 0);
    test.locate("k");
    assertThat(settle(taken("k"), true)).isEqualTo(ErrorCode.OK);
  }

  @Test
  void aNodeThatWasStartedAgainCannotSettleWhatTheOldOneTook() {
    onDisk("k");
    test.locate("k");
    PromotionTask task = taken("k");
    long before = disk;
    test.call(
        Calls.UNREGISTER_NODE, new UnregisterNode(node.id(), node.registration().incarnation()));
    assertThat(figures().cancelled()).isEqualTo(1);
    node.registerAsNewProcess();
    disk = node.mountAll().getFirst().get();
    assertThat(disk).isNotEqualTo(before);
    assertThat(settle(task, true)).isNotEqualTo(ErrorCode.OK);
    assertThat(figures().open() + figures().waiting()).isZero();
    disk = before;
    assertThatThrownBy(() -> settle(task, true))
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.SEGMENT_NOT_FOUND));
  }

  @Test
  void theMemoryMayGoWhileItIsWritten() {
    onDisk("k");
    test.locate("k");
    PromotionTask task = taken("k");
    assertThat(node.segments().getLast().kind()).isEqualTo(SegmentKind.MEMORY);
    node.unmount(node.segments().size() - 1);
    assertThat(settle(task, true)).isEqualTo(ErrorCode.REPLICA_NOT_FOUND);
    assertThat(types("k")).containsExactly(ReplicaType.LOCAL_DISK);
    assertThat(figures().cancelled()).isEqualTo(1);
  }

  @Test
  void withoutMemoryOfItsOwnANodeWritesToAnother() {
    onDisk("k");
    node.unmount(node.segments().size() - 1);
    TestMaster.Node other = test.node(2, 1 << 20);
    test.locate("k");
    PromotionTask task = taken("k");
    long generation = other.mountAll().getFirst().get();
    assertThat(task.target().generation()).isEqualTo(generation);
    assertThat(settle(task, true)).isEqualTo(ErrorCode.OK);
    assertThat(types("k")).containsExactly(ReplicaType.LOCAL_DISK, ReplicaType.MEMORY);
  }

  @Test
  void theQueueHasALimit() {
    onDisk("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
    for (String key : List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")) {
      test.locate(key);
    }
    assertThat(figures().waiting()).isLessThanOrEqualTo(4);
    // Memory that has just been mounted may not have been seen when the first of them were read.
    assertThat(figures().queueFull() + figures().memoryFull()).isGreaterThanOrEqualTo(6);
    // What is settled makes room for those that are remembered, until all have come back.
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              promotionsNow().forEach(task -> settle(task, true));
              assertThat(figures().completed()).isEqualTo(10);
            });
  }

  @Test
  void nothingComesBackUnlessItIsAskedFor() {
    test.close();
    start(PromotionConfig.DEFAULT);
    onDisk("k");
    for (int i = 0; i < 10; i++) {
      test.locate("k");
    }
    assertThat(promotionsNow()).isEmpty();
    assertThat(figures()).isEqualTo(PromotionFigures.NONE);
  }
}
