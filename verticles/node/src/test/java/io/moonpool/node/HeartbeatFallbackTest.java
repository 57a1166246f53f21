package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.MasterStats;
import io.moonpool.model.ClientState;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.frame.FrameClientOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node and a heartbeat port that cannot be reached, in every way in which that can be: it takes
 * to the main port well before it would be suspected, and back when the other can be reached.
 */
@Timeout(120)
class HeartbeatFallbackTest {
  private static final long ACTIVE_MILLIS = 3_000;
  private static final long INTERVAL_MILLIS = 50;

  @TempDir Path directory;
  private Cluster cluster;
  private HeartbeatSender sender;
  private NodeRegistration registration;

  @BeforeEach
  void start() {
    cluster =
        new Cluster(
            directory,
            settings ->
                settings.clientActiveTtlMillis(ACTIVE_MILLIS).clientSuspicionTtlMillis(60_000));
    int port = cluster.master().ports().rpc();
    try (MasterCaller caller = new MasterCaller(cluster.vertx(), port)) {
      registration =
          caller.call(
              Calls.REGISTER_NODE,
              new RegisterNode(UUID.randomUUID(), UUID.randomUUID(), "host", ""));
    }
    sender =
        new HeartbeatSender(
            cluster.vertx(),
            cluster.settings("x").heartbeatIntervalMillis(INTERVAL_MILLIS).build(),
            FrameClientOptions.of("127.0.0.1", port),
            null,
            () -> {});
  }

  @AfterEach
  void close() {
    await(sender.close());
    cluster.close();
  }

  private static ConditionFactory soon() {
    return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(10));
  }

  private void announce(StagedPort port) {
    sender.announce(new Announcement(port.port(), registration.slot(), registration.incarnation()));
  }

  private long byMainPort() {
    return sender.stats().answered.sum() - sender.stats().answeredByHeartbeatPort.sum();
  }

  private void awaitAnswersOfTheMainPort() {
    long before = byMainPort();
    soon().until(() -> byMainPort() > before + 20);
  }

  private void awaitAnswersOfTheHeartbeatPort() {
    long before = sender.stats().answeredByHeartbeatPort.sum();
    soon().until(() -> sender.stats().answeredByHeartbeatPort.sum() > before + 20);
  }

  /** The master never had a reason to suspect the node, nor was it near. */
  private void assertWellInTime() {
    assertThat(Duration.ofNanos(sender.stats().longestGapNanos()))
        .as("the longest time between two answers")
        .isLessThan(Duration.ofMillis(ACTIVE_MILLIS / 2));
    MasterStats.Snapshot stats = cluster.master().stats().snapshot();
    assertThat(stats.suspectedTransitions()).isZero();
    assertThat(stats.clients().get(ClientState.ACTIVE)).isEqualTo(1);
    assertThat(sender.stats().state()).isEqualTo(ClientState.ACTIVE);
  }

  @ParameterizedTest
  @EnumSource(StagedPort.Fault.class)
  void takesToTheMainPortAndBackOnceTheOtherIsReachable(StagedPort.Fault fault) throws IOException {
    try (StagedPort port = StagedPort.with(fault, cluster.master().ports().heartbeat())) {
      announce(port);
      awaitAnswersOfTheMainPort();
      assertThat(sender.stats().answeredByHeartbeatPort.sum()).isZero();
      assertWellInTime();
      port.open();
      awaitAnswersOfTheHeartbeatPort();
      long sentBefore = sender.stats().sentToMainPort.sum();
      awaitAnswersOfTheHeartbeatPort();
      assertThat(sender.stats().sentToMainPort.sum() - sentBefore)
          .as("the main port is left alone again")
          .isLessThan(10);
      assertWellInTime();
    }
  }

  @ParameterizedTest
  @EnumSource(StagedPort.Fault.class)
  void survivesAPortThatFailsLaterAndComesBack(StagedPort.Fault fault) throws IOException {
    try (StagedPort port = StagedPort.open(cluster.master().ports().heartbeat())) {
      announce(port);
      awaitAnswersOfTheHeartbeatPort();
      port.fail(fault);
      awaitAnswersOfTheMainPort();
      assertWellInTime();
      port.open();
      awaitAnswersOfTheHeartbeatPort();
      assertWellInTime();
    }
  }
}
