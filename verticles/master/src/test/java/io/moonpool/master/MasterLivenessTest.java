package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.master.loop.MasterLoop;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.call.UnregisterNode;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that fall silent, come back, are replaced, and take their segments back. */
@Timeout(90)
class MasterLivenessTest {
  private static final long MIB = 1 << 20;

  private TestMaster test;

  @AfterEach
  void stop() {
    test.close();
  }

  private void start(int metadataLoops, long activeMillis, long suspicionMillis) {
    test =
        TestMaster.start(
            MasterConfig.builder()
                .metadataLoops(metadataLoops)
                .clientActiveTtlMillis(activeMillis)
                .clientSuspicionTtlMillis(suspicionMillis));
  }

  private ClientInfo client(TestMaster.Node node) {
    return test.call(Calls.CLIENTS, new ListClients()).stream()
        .filter(each -> each.nodeId().equals(node.id()))
        .findFirst()
        .orElse(null);
  }

  private ClientState state(TestMaster.Node node) {
    ClientInfo info = client(node);
    return info == null ? null : info.state();
  }

  private List<SegmentInfo> segments() {
    return test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0]));
  }

  private static org.awaitility.core.ConditionFactory soon() {
    return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aSilentNodeIsHiddenThenBackWithAllItHad(int metadataLoops) {
    start(metadataLoops, 500, 60_000);
    List<JsonObject> events = new CopyOnWriteArrayList<>();
    test.master()
        .vertx()
        .eventBus()
        .<JsonObject>localConsumer(Addresses.CLIENT_EVENTS, message -> events.add(message.body()));
    TestMaster.Node node = test.node(1, 16 * MIB);
    test.put(1_000, "key");

    soon().until(() -> state(node) == ClientState.SUSPECTED);
    soon().until(() -> test.locate("key").code() == ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(test.exists("key")).isFalse();
    assertThat(test.putStartCode(10, "other")).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(segments().getFirst().ownerState()).isEqualTo(ClientState.SUSPECTED);

    assertThat(node.ping().status()).isEqualTo(PingStatus.SUSPECTED);
    soon()
        .until(
            () -> {
              node.ping();
              return test.locate("key").ok();
            });
    assertThat(test.locate("key").get().size()).isEqualTo(1_000);
    assertThat(test.master().stats().snapshot().suspectedTransitions()).isPositive();
    assertThat(test.master().stats().snapshot().recoveries()).isPositive();
    soon().until(() -> events.stream().anyMatch(event -> "active".equals(event.getString("to"))));
    assertThat(events.get(0).getString("event")).isEqualTo("registered");
    JsonObject suspected = events.get(1);
    assertThat(suspected.getString("event")).isEqualTo("liveness");
    assertThat(suspected.getString("from")).isEqualTo("active");
    assertThat(suspected.getString("to")).isEqualTo("suspected");
    assertThat(suspected.getString("node_id")).isEqualTo(node.id().toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anOfflineNodeLosesItsSegmentsAndJoinsAnewWithTheSameStart(int metadataLoops) {
    start(metadataLoops, 3_000, 300);
    TestMaster.Node node = test.node(1, 16 * MIB);
    TestMaster.Node healthy = test.node(2, 16 * MIB);
    NodeRegistration first = node.registration();
    String[] keys = IntStream.range(0, 200).mapToObj(i -> "key-" + i).toArray(String[]::new);
    test.put(10_000, keys);
    soon()
        .until(
            () -> {
              healthy.ping();
              return client(node) == null && segments().size() == 1;
            });
    MasterStats.Snapshot stats = test.master().stats().snapshot();
    assertThat(stats.offlineTransitions()).isEqualTo(1);
    assertThat(stats.memoryCapacityBytes()).isEqualTo(16 * MIB);
    assertThat(stats.clients().get(ClientState.ACTIVE)).isEqualTo(1);
    assertThat(node.ping().status()).isEqualTo(PingStatus.NEED_REMOUNT);
    assertThat(node.mountAllRefused())
        .isIn(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, ErrorCode.CLIENT_NOT_FOUND);

    NodeRegistration second = node.register();
    assertThat(second.incarnation()).isNotEqualTo(first.incarnation());
    assertThat(node.mountAll().getFirst().ok()).isTrue();
    healthy.ping();
    assertThat(node.ping().status()).isEqualTo(PingStatus.OK);
    long kept =
        test.call(Calls.EXISTS, new NamedObjects("", KeyBatch.of(List.of(keys)))).stream()
            .filter(Outcome::get)
            .count();
    assertThat(kept).isBetween(1L, 199L);
    assertThat(test.master().stats().snapshot().objects()).isEqualTo(kept);
  }

  @Test
  void aNodeThatIsPingedStaysActiveThroughManyTtls() {
    start(1, 400, 400);
    TestMaster.Node node = test.node(1, MIB);
    long start = test.master().stats().observedMillis();
    soon()
        .until(
            () -> {
              assertThat(node.ping().status()).isEqualTo(PingStatus.OK);
              return test.master().stats().observedMillis() - start > 2_000;
            });
    assertThat(test.master().stats().snapshot().suspectedTransitions()).isZero();
  }

  /**
   * The monitor's loop stands still for longer than both TTLs while pings are recorded: what it
   * judges by when it goes on is the clock of that moment and then the signals, not what it would
   * have seen when its tick was due.
   */
  @Test
  void aMonitorThatWasHeldUpJudgesNobodyByWhatItMissed() throws Exception {
    start(1, 400, 400);
    TestMaster.Node node = test.node(1, MIB);
    CountDownLatch hold = new CountDownLatch(1);
    hold(test.master().loops().control(), hold);
    long from = test.master().stats().observedMillis();
    soon()
        .until(
            () -> {
              assertThat(node.ping().status()).isEqualTo(PingStatus.OK);
              return test.master().stats().observedMillis() - from > 2_000;
            });
    hold.countDown();
    long goneOn = test.master().stats().observedMillis();
    soon()
        .until(
            () -> {
              node.ping();
              return test.master().stats().observedMillis() - goneOn > 500;
            });
    assertThat(state(node)).isEqualTo(ClientState.ACTIVE);
    assertThat(test.master().stats().snapshot().suspectedTransitions()).isZero();
    assertThat(test.master().stats().snapshot().offlineTransitions()).isZero();
  }

  /** A dead node's call for work is answered by the master's own timer, which is no signal. */
  @Test
  void aCallThatWaitsForWorkKeepsNobodyAlive() {
    start(1, 1_000, 60_000);
    TestMaster.Node node = test.node(1, MIB);
    long from = test.master().stats().observedMillis();
    Future<?> work =
        test.callLater(
            Calls.TAKE_TASKS, new TakeTasks(node.id(), node.registration().incarnation(), 1, 900));
    soon().until(() -> state(node) == ClientState.SUSPECTED);
    assertThat(work.isComplete()).as("answered before").isTrue();
    assertThat(test.master().stats().observedMillis() - from).isLessThan(1_000 + 600);
  }

  @Test
  void settlingNothingButWhatIsUnknownIsNoSignal() {
    start(1, 600, 60_000);
    TestMaster.Node node = test.node(1, MIB);
    soon()
        .until(
            () -> {
              assertThat(
                      test.call(
                          Calls.SETTLE_TASKS,
                          new SettleTasks(
                              node.id(),
                              node.registration().incarnation(),
                              List.of(new SettledTask(UUID.randomUUID(), 0, "")))))
                  .noneMatch(Outcome::ok);
              return state(node) == ClientState.SUSPECTED;
            });
  }

  @Test
  void mountsWaitForTheirTurn() throws Exception {
    test =
        TestMaster.start(
            MasterConfig.builder()
                .metadataLoops(1)
                .clientActiveTtlMillis(60_000)
                .join(new JoinConfig(2, 0)));
    List<TestMaster.Node> nodes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      TestMaster.Node node = test.newNode(i);
      node.register();
      node.addSegment(MIB);
      nodes.add(node);
    }
    CountDownLatch hold = new CountDownLatch(1);
    // While the metadata loop stands still no mount is complete. Nor can it serve connections.
    hold(test.master().loops().metadata().getFirst(), hold);
    MasterOperations operations = test.master().operations();
    List<Future<List<Outcome<Long>>>> mounts = new ArrayList<>();
    for (TestMaster.Node node : nodes) {
      mounts.add(
          onContext(
              () ->
                  operations.mountSegments(
                      new MountSegments(
                          node.id(), node.registration().incarnation(), node.segments()))));
    }
    soon().until(() -> test.master().stats().snapshot().liveness().mountsWaiting() == 4);
    assertThat(test.master().stats().snapshot().liveness().mountsRunning()).isEqualTo(2);
    assertThat(
            TestMaster.await(
                onContext(() -> operations.describeSegments(new DescribeSegments(new long[0])))))
        .hasSize(2);
    hold.countDown();
    for (Future<List<Outcome<Long>>> mount : mounts) {
      assertThat(TestMaster.await(mount)).allMatch(Outcome::ok);
    }
    assertThat(segments()).hasSize(6);
    assertThat(test.master().stats().snapshot().liveness().mountsWaiting()).isZero();
  }

  @Test
  void aSecondLiveProcessWithTheSameNodeIdIsRefusedNamingTheFirst() {
    start(1, 60_000, 60_000);
    TestMaster.Node node = test.node(1, MIB);
    assertThatThrownBy(node::registerAsNewProcess)
        .hasMessageContaining("UNAVAILABLE_IN_CURRENT_STATUS")
        .hasMessageContaining("127.0.0.1:9300");
    assertThat(node.ping().status()).isEqualTo(PingStatus.OK);
  }

  @Test
  void aNewProcessReplacesASuspectedOne() {
    start(1, 300, 60_000);
    TestMaster.Node node = test.node(1, MIB);
    test.put(10, "key");
    soon().until(() -> state(node) == ClientState.SUSPECTED);
    long old = node.registration().incarnation();
    node.registerAsNewProcess();
    assertThat(node.registration().incarnation()).isNotEqualTo(old);
    soon().until(() -> segments().isEmpty());
    assertThat(test.locate("key").code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(state(node)).isEqualTo(ClientState.ACTIVE);
    // What the old process still sends is refused.
    assertThatThrownBy(
            () ->
                test.call(Calls.MOUNT_SEGMENTS, new MountSegments(node.id(), old, node.segments())))
        .hasMessageContaining("register it again");
    assertThat(node.mountAll().getFirst().ok()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void unmountCompletesWhenNothingIsLeft(int metadataLoops) {
    start(metadataLoops, 60_000, 60_000);
    TestMaster.Node node = test.node(1, 64 * MIB);
    long generation = node.mountAll().getFirst().get();
    test.put(100, IntStream.range(0, 5_000).mapToObj(i -> "key-" + i).toArray(String[]::new));
    test.putStart(100, "unfinished");
    test.call(Calls.UNMOUNT_SEGMENT, unmount(node, 0));
    assertThat(segments()).isEmpty();
    assertThat(test.master().stats().snapshot().objects()).isZero();
    assertThat(test.master().stats().snapshot().memoryUsedBytes()).isZero();
    assertThat(test.locate("key-1").code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    // Repeating it is a success; the id may be mounted again, under another generation.
    test.call(Calls.UNMOUNT_SEGMENT, unmount(node, 0));
    assertThat(node.mountAll().getFirst().get()).isNotEqualTo(generation);
    test.put(100, "key-1");
  }

  private static UnmountSegment unmount(TestMaster.Node node, long graceMillis) {
    return new UnmountSegment(
        node.id(), node.registration().incarnation(), node.segments().getFirst().id(), graceMillis);
  }

  @Test
  void aGracefulUnmountServesUntilItsEnd() {
    start(2, 60_000, 60_000);
    TestMaster.Node node = test.node(1, 4 * MIB);
    test.put(100, "key");
    Future<Void> unmounted = test.callLater(Calls.UNMOUNT_SEGMENT, unmount(node, 1_500));
    soon().until(() -> segments().getFirst().status() == SegmentStatus.GRACEFULLY_UNMOUNTING);
    assertThat(test.locate("key").ok()).isTrue();
    assertThat(test.putStartCode(10, "other")).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(test.putStart(10, "key", "other"))
        .as("each of a batch has its own answer")
        .extracting(Outcome::code)
        .containsExactly(ErrorCode.OBJECT_ALREADY_EXISTS, ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(unmounted.isComplete()).isFalse();
    TestMaster.await(unmounted);
    assertThat(test.locate("key").code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(segments()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aNodeThatLeavesIsGoneAtOnceAndItsIdIsFree(int metadataLoops) {
    start(metadataLoops, 60_000, 60_000);
    TestMaster.Node node = test.node(1, 64 * MIB);
    TestMaster.Node other = test.node(2, MIB);
    test.put(100, IntStream.range(0, 5_000).mapToObj(i -> "key-" + i).toArray(String[]::new));
    UnregisterNode farewell = new UnregisterNode(node.id(), node.registration().incarnation());
    test.call(Calls.UNREGISTER_NODE, farewell);
    assertThat(client(node)).isNull();
    assertThat(segments()).allMatch(segment -> segment.nodeId().equals(other.id())).hasSize(1);
    assertThat(node.ping().status()).isEqualTo(PingStatus.NEED_REMOUNT);
    assertThat(other.ping().status()).isEqualTo(PingStatus.OK);
    MasterStats.Snapshot stats = test.master().stats().snapshot();
    assertThat(stats.departures()).isEqualTo(1);
    assertThat(stats.offlineTransitions()).isZero();

    node.registerAsNewProcess();
    assertThat(node.mountAll().getFirst().ok()).isTrue();
    // What the old process repeats does not touch the new one.
    test.call(Calls.UNREGISTER_NODE, farewell);
    assertThat(state(node)).isEqualTo(ClientState.ACTIVE);
    assertThat(segments()).hasSize(2);
    test.call(Calls.UNREGISTER_NODE, new UnregisterNode(UUID.randomUUID(), 1));
  }

  @Test
  void onlyMountsThatSucceedKeepANodeAlive() {
    start(1, 600, 60_000);
    TestMaster.Node node = test.node(1, MIB);
    TestMaster.Node failing = test.node(2, MIB);
    List<SegmentSpec> refused = List.of(failing.spec("too small", 1));
    soon()
        .until(
            () -> {
              assertThat(node.mountAll().getFirst().ok()).isTrue();
              assertThat(
                      test.call(
                              Calls.MOUNT_SEGMENTS,
                              new MountSegments(
                                  failing.id(), failing.registration().incarnation(), refused))
                          .getFirst()
                          .code())
                  .isEqualTo(ErrorCode.INVALID_PARAMS);
              return state(failing) == ClientState.SUSPECTED;
            });
    assertThat(state(node)).isEqualTo(ClientState.ACTIVE);
    // One that succeeds among others that fail is a signal.
    List<SegmentSpec> mixed = new ArrayList<>(failing.segments());
    mixed.addAll(refused);
    test.call(
        Calls.MOUNT_SEGMENTS,
        new MountSegments(failing.id(), failing.registration().incarnation(), mixed));
    soon().until(() -> state(failing) == ClientState.ACTIVE);
  }

  @Test
  void anUnmountThatIsAskedForAgainEndsWithTheFirst() throws Exception {
    start(1, 60_000, 60_000);
    TestMaster.Node node = test.node(1, MIB);
    test.put(10, "key");
    CountDownLatch hold = new CountDownLatch(1);
    // While the metadata loop stands still, the sweep cannot end. Nor can it serve connections.
    hold(test.master().loops().metadata().getFirst(), hold);
    MasterOperations operations = test.master().operations();
    Future<Void> first = onContext(() -> operations.unmountSegment(unmount(node, 0)));
    Future<Void> second = onContext(() -> operations.unmountSegment(unmount(node, 0)));
    // The node is replaced meanwhile, and its next process asks for the same.
    Future<Void> left =
        onContext(
            () ->
                operations.unregisterNode(
                    new UnregisterNode(node.id(), node.registration().incarnation())));
    NodeRegistration later =
        TestMaster.await(
            onContext(
                () ->
                    operations.registerNode(
                        new RegisterNode(node.id(), UUID.randomUUID(), "", ""))));
    Future<Void> third =
        onContext(
            () ->
                operations.unmountSegment(
                    new UnmountSegment(
                        node.id(), later.incarnation(), node.segments().getFirst().id(), 1_000)));
    // Behind them on the control loop.
    assertThat(TestMaster.await(onContext(operations::clients))).hasSize(1);
    assertThat(List.of(first, second, left, third)).noneMatch(Future::isComplete);
    hold.countDown();
    TestMaster.await(Future.all(first, second, left, third));
    assertThat(segments()).isEmpty();
  }

  private <T> Future<T> onContext(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    test.master().vertx().runOnContext(run -> call.get().onComplete(answer));
    return answer.future();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void noPutSlipsInBehindAnUnmount(int metadataLoops) {
    start(metadataLoops, 60_000, 60_000);
    TestMaster.Node node = test.node(1, 64 * MIB);
    for (int round = 0; round < 15; round++) {
      List<Future<?>> puts = new CopyOnWriteArrayList<>();
      for (int batch = 0; batch < 20; batch++) {
        String prefix = round + "/" + batch + "/";
        puts.add(
            test.callLater(
                Calls.PUT_START,
                TestMaster.startRequest(
                    io.moonpool.model.ReplicateConfig.DEFAULT,
                    1_000,
                    IntStream.range(0, 50).mapToObj(i -> prefix + i).toArray(String[]::new))));
        if (batch == 10) {
          puts.add(test.callLater(Calls.UNMOUNT_SEGMENT, unmount(node, 0)));
        }
      }
      // Those that come when no segment is there any more fail as a whole.
      puts.forEach(put -> TestMaster.await(put.otherwiseEmpty()));
      assertThat(segments()).isEmpty();
      MasterStats.Snapshot stats = test.master().stats().snapshot();
      assertThat(stats.objects()).isZero();
      assertThat(stats.memoryUsedBytes()).isZero();
      assertThat(node.mountAll().getFirst().ok()).isTrue();
    }
  }

  @Test
  void mountingIsRefusedForStrangersAndForForeignSegments() {
    start(1, 60_000, 60_000);
    TestMaster.Node node = test.node(1, MIB);
    TestMaster.Node other = test.node(2, MIB);
    assertThatThrownBy(
            () ->
                test.call(
                    Calls.MOUNT_SEGMENTS, new MountSegments(UUID.randomUUID(), 1, node.segments())))
        .hasMessageContaining("CLIENT_NOT_FOUND");
    assertThat(
            test.call(
                    Calls.MOUNT_SEGMENTS,
                    new MountSegments(
                        other.id(), other.registration().incarnation(), node.segments()))
                .getFirst()
                .code())
        .isEqualTo(ErrorCode.SEGMENT_ALREADY_EXISTS);
    UnmountSegment foreign =
        new UnmountSegment(
            other.id(), other.registration().incarnation(), node.segments().getFirst().id(), 0);
    assertThatThrownBy(() -> test.call(Calls.UNMOUNT_SEGMENT, foreign))
        .hasMessageContaining("INVALID_PARAMS");
  }

  /** Has a loop stand still until that latch opens. */
  private static void hold(MasterLoop loop, CountDownLatch until) {
    loop.queue()
        .post(
            () -> {
              try {
                until.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
