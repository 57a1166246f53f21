package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.grpc.GrpcInterface;
import io.moonpool.model.ClientState;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.grpc.ClientsGrpcClient;
import io.moonpool.protocol.grpc.GetHeartbeatPortRequest;
import io.moonpool.protocol.grpc.PingAnswer;
import io.moonpool.protocol.grpc.PingRequest;
import io.moonpool.protocol.grpc.PingStatus;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients that know nothing of a heartbeat port: whatever that is good for or not, their pings to
 * the main port or to gRPC keep them alive.
 */
@Timeout(90)
class OldClientsTest {
  private static final long ACTIVE_MILLIS = 600;

  private TestMaster test;
  private TestMaster.Node node;
  private ClientsGrpcClient grpc;

  /** The way that pings take. */
  private enum Way {
    FRAMES,
    GRPC
  }

  @BeforeEach
  void start() {
    test =
        TestMaster.of(
            TestMaster.await(
                Master.start(
                    MasterConfig.builder()
                        .ephemeral()
                        .metadataLoops(1)
                        .clientActiveTtlMillis(ACTIVE_MILLIS)
                        .clientSuspicionTtlMillis(60_000)
                        .build(),
                    new VertxOptions(),
                    UnaryOperator.identity(),
                    List.of(new GrpcInterface()))));
    node = test.node(1, 1 << 20);
    grpc =
        ClientsGrpcClient.create(
            GrpcClient.client(test.master().vertx()),
            SocketAddress.inetSocketAddress(test.master().ports().grpc(), "127.0.0.1"));
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private static ConditionFactory soon() {
    return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
  }

  private PingStatus ping(Way way, long incarnation) {
    if (way == Way.FRAMES) {
      return PingStatus.forNumber(node.ping().status().number());
    }
    PingAnswer answer =
        TestMaster.await(
            grpc.ping(
                PingRequest.newBuilder()
                    .setSlot(node.registration().slot())
                    .setIncarnation(incarnation)
                    .setSequence(3)
                    .build()));
    assertThat(answer.getSequence()).isEqualTo(3);
    assertThat(answer.getMasterEpoch()).isEqualTo(incarnation >>> 32);
    return answer.getStatus();
  }

  private ClientState state() {
    return test.call(Calls.CLIENTS, new ListClients()).getFirst().state();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void stayActiveThroughManyTtls(Way way) {
    long incarnation = node.registration().incarnation();
    long from = test.master().stats().observedMillis();
    AtomicLong pings = new AtomicLong(test.master().stats().snapshot().pings());
    soon()
        .until(
            () -> {
              assertThat(ping(way, incarnation)).isEqualTo(PingStatus.PING_STATUS_OK);
              pings.incrementAndGet();
              return test.master().stats().observedMillis() - from > 5 * ACTIVE_MILLIS;
            });
    assertThat(test.master().stats().snapshot().suspectedTransitions()).isZero();
    assertThat(test.master().stats().snapshot().pings()).isEqualTo(pings.get());
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void areToldThatTheyWereSuspectedAndAreBackWithAllTheyHad(Way way) {
    test.put(100, "key");
    long incarnation = node.registration().incarnation();
    soon().until(() -> state() == ClientState.SUSPECTED);
    assertThat(ping(way, incarnation)).isEqualTo(PingStatus.PING_STATUS_SUSPECTED);
    soon()
        .until(
            () -> {
              PingStatus now = ping(way, incarnation);
              return now == PingStatus.PING_STATUS_OK && test.exists("key");
            });
    assertThat(test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0]))).hasSize(1);
  }

  @Test
  void learnTheHeartbeatPortWhenTheyAsk() {
    int port = test.master().ports().heartbeat();
    assertThat(test.call(Calls.HELLO, new Hello(Hello.VERSION, "test")).heartbeatPort())
        .isEqualTo(port);
    assertThat(
            TestMaster.await(grpc.getHeartbeatPort(GetHeartbeatPortRequest.getDefaultInstance()))
                .getPort())
        .isEqualTo(port);
  }

  @Test
  void anUnknownIncarnationNeedsARemountOverGrpcToo() {
    long other = node.registration().incarnation() + 1;
    assertThat(ping(Way.GRPC, other)).isEqualTo(PingStatus.PING_STATUS_NEED_REMOUNT);
  }
}
