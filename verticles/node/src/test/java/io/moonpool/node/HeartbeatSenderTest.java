package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.moonpool.model.ClientState;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatSenderTest {
  @TempDir Path directory;
  private Cluster cluster;
  private HeartbeatSender sender;
  private final AtomicInteger remounts = new AtomicInteger();
  private NodeRegistration registration;

  @BeforeEach
  void start() {
    cluster =
        new Cluster(
            directory,
            settings -> settings.clientActiveTtlMillis(1_000).clientSuspicionTtlMillis(60_000));
    try (MasterCaller caller = new MasterCaller(cluster.vertx(), port())) {
      registration =
          caller.call(
              Calls.REGISTER_NODE,
              new RegisterNode(UUID.randomUUID(), UUID.randomUUID(), "host", ""));
    }
    NodeConfig config = cluster.settings("x").heartbeatIntervalMillis(50).build();
    sender =
        new HeartbeatSender(
            cluster.vertx(),
            config,
            FrameClientOptions.of("127.0.0.1", port()),
            null,
            remounts::incrementAndGet);
  }

  @AfterEach
  void close() {
    await(sender.close());
    cluster.close();
  }

  private int port() {
    return cluster.master().ports().rpc();
  }

  private void announce(int heartbeatPort, long incarnation) {
    sender.announce(new Announcement(heartbeatPort, registration.slot(), incarnation));
  }

  private ClientState state() {
    return await(cluster.master().operations().clients()).getFirst().state();
  }

  @Test
  void keepsTheNodeAliveThroughTheHeartbeatPort() {
    announce(cluster.master().ports().heartbeat(), registration.incarnation());
    with().until(() -> sender.stats().answered.sum() > 30);
    assertThat(state()).isEqualTo(ClientState.ACTIVE);
    assertThat(sender.stats().sentToMainPort.sum())
        .isLessThan(sender.stats().sent.sum() / 2); // only while the first connection was made
    assertThat(remounts).hasValue(0);
  }

  @Test
  void keepsTheNodeAliveThroughTheMainPortWhenTheOtherIsClosed() throws IOException {
    int closedPort;
    try (ServerSocket socket = new ServerSocket(0)) {
      closedPort = socket.getLocalPort();
    }
    announce(closedPort, registration.incarnation());
    with().until(() -> sender.stats().answered.sum() > 30);
    assertThat(state()).isEqualTo(ClientState.ACTIVE);
    assertThat(sender.stats().sent.sum()).isZero();
  }

  @Test
  void keepsTheNodeAliveThroughTheMainPortWhenTheOtherDoesNotAnswer() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      announce(silent.getLocalPort(), registration.incarnation());
      with().until(() -> sender.stats().answered.sum() > 30);
      assertThat(state()).isEqualTo(ClientState.ACTIVE);
      assertThat(sender.stats().sent.sum()).isPositive();
    }
  }

  @Test
  void noPortOfItsOwnMeansTheMainPort() {
    announce(0, registration.incarnation());
    with().until(() -> sender.stats().answered.sum() > 10);
    assertThat(sender.stats().sent.sum()).isZero();
  }

  @Test
  void asksForARemountOnceForAnIncarnationThatIsNotKnown() {
    announce(cluster.master().ports().heartbeat(), registration.incarnation() + 1);
    with().until(() -> remounts.get() == 1);
    announce(cluster.master().ports().heartbeat(), registration.incarnation());
    long answered = sender.stats().answered.sum();
    with().until(() -> sender.stats().answered.sum() > answered + 5);
    assertThat(remounts).hasValue(1);
    assertThat(state()).isEqualTo(ClientState.ACTIVE);
  }

  @Test
  void saysNothingBeforeItIsToldWhat() {
    assertThat(sender.stats().sent.sum() + sender.stats().sentToMainPort.sum()).isZero();
  }

  /**
   * Every event loop of the node and all its workers are busy, as with transfers and disk work that
   * never end: pings go out as ever, through either port.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pingsGoOutWhileEveryOtherThreadOfTheNodeIsBusy(boolean throughHeartbeatPort)
      throws Exception {
    await(sender.close());
    Vertx vertx = cluster.vertx();
    sender =
        new HeartbeatSender(
            vertx,
            cluster.settings("y").heartbeatIntervalMillis(50).build(),
            FrameClientOptions.of("127.0.0.1", port()),
            null,
            remounts::incrementAndGet);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger busy = new AtomicInteger();
    Runnable work =
        () -> {
          busy.incrementAndGet();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    int loops = 0;
    for (EventExecutor loop : ((VertxInternal) vertx).eventLoopGroup()) {
      loop.execute(work);
      loops++;
    }
    WorkerExecutor disk = vertx.createSharedWorkerExecutor("disk", 4);
    for (int i = 0; i < 4; i++) {
      disk.executeBlocking(
          () -> {
            work.run();
            return null;
          },
          false);
    }
    int threads = loops + 4;
    with().until(() -> busy.get() == threads);
    try {
      announce(
          throughHeartbeatPort ? cluster.master().ports().heartbeat() : 0,
          registration.incarnation());
      with().until(() -> sender.stats().answered.sum() > 40);
      assertThat(sender.stats().answeredByHeartbeatPort.sum() > 20).isEqualTo(throughHeartbeatPort);
      assertThat(state()).isEqualTo(ClientState.ACTIVE);
    } finally {
      end.countDown();
    }
  }

  @Test
  void measuresTheGapBetweenAnswers() throws IOException {
    try (StagedPort port = StagedPort.open(cluster.master().ports().heartbeat())) {
      announce(port.port(), registration.incarnation());
      with().until(() -> sender.stats().answered.sum() > 5);
      assertThat(sender.stats().lastGapNanos()).isPositive();
      assertThat(sender.stats().longestGapNanos())
          .isGreaterThanOrEqualTo(sender.stats().lastGapNanos());
      assertThat(sender.stats().silentMillis()).isLessThan(30_000);
      assertThat(sender.stats().state()).isEqualTo(ClientState.ACTIVE);
      assertThat(sender.stats().masterEpoch()).isEqualTo(registration.incarnation() >>> 32);
    }
  }

  @Test
  void noticesThatItWasSuspectedAndThatItIsNotAnyMore() {
    with().until(() -> state() == ClientState.SUSPECTED);
    announce(cluster.master().ports().heartbeat(), registration.incarnation());
    with().until(() -> sender.stats().suspicions.sum() == 1);
    with().until(() -> sender.stats().state() == ClientState.ACTIVE);
    assertThat(state()).isEqualTo(ClientState.ACTIVE);
    assertThat(sender.stats().suspicions.sum()).isEqualTo(1);
    assertThat(remounts).hasValue(0);
  }

  @Test
  void seesThatAnotherNodeCame() {
    announce(cluster.master().ports().heartbeat(), registration.incarnation());
    with().until(() -> sender.stats().answered.sum() > 2);
    int view = sender.stats().viewVersion();
    try (MasterCaller caller = new MasterCaller(cluster.vertx(), port())) {
      caller.call(
          Calls.REGISTER_NODE, new RegisterNode(UUID.randomUUID(), UUID.randomUUID(), "host", ""));
    }
    with().until(() -> sender.stats().viewVersion() != view);
  }
}
