package io.moonpool.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.gateway.wire.WireBody;
import io.moonpool.gateway.wire.WireClient;
import io.moonpool.gateway.wire.WireClient.Segment;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.MooncakeConfig;
import io.moonpool.model.ClientState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pings of Mooncake's clients at the heartbeat port count as those of the main port do. */
class HeartbeatPortTest {
  private static final int OK = 1;
  private static final int NEED_REMOUNT = 2;

  private final UUID id = UUID.randomUUID();
  private final Segment lent =
      new Segment(UUID.randomUUID(), "s", 1L << 40, 1 << 20, "127.0.0.1:1");

  private ClientState state(GatewayMaster master) {
    return master.on(() -> master.master().operations().clients()).stream()
        .filter(each -> each.nodeId().equals(id))
        .map(each -> each.state())
        .findFirst()
        .orElse(ClientState.OFFLINE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bothPortsAnswerTheSame(boolean named) {
    try (GatewayMaster master = GatewayMaster.start();
        WireClient main = new WireClient(master.port(), id, named);
        WireClient pings = new WireClient(master.master().ports().heartbeat(), id, named)) {
      assertThat(pings.serviceReady()).isEqualTo(main.serviceReady()).isEqualTo("2.0.0");
      assertThat(pings.ping()).isEqualTo(main.ping()).isEqualTo(NEED_REMOUNT);
      main.mount(lent);
      assertThat(pings.ping()).isEqualTo(main.ping()).isEqualTo(NEED_REMOUNT);
      main.mountAgain(List.of(lent));
      assertThat(pings.ping()).isEqualTo(main.ping()).isEqualTo(OK);
    }
  }

  @Test
  void itsPingsAloneKeepAClientAliveAndTheirEndIsNoticed() {
    try (GatewayMaster master =
            GatewayMaster.start(
                MasterConfig.builder().clientActiveTtlMillis(1_000).clientSuspicionTtlMillis(500));
        WireClient pings = new WireClient(master.master().ports().heartbeat(), id, true)) {
      try (WireClient main = new WireClient(master.port(), id, true)) {
        main.mount(lent);
        main.mountAgain(List.of(lent));
      }
      long until = master.master().stats().observedMillis() + 3_000;
      while (master.master().stats().observedMillis() < until) {
        assertThat(pings.ping()).isEqualTo(OK);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
      assertThat(state(master)).isEqualTo(ClientState.ACTIVE);
      assertThat(master.master().stats().snapshot().suspectedTransitions()).isZero();

      await().atMost(Duration.ofSeconds(60)).until(() -> state(master) == ClientState.OFFLINE);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(pings.ping()).isEqualTo(NEED_REMOUNT));
      try (WireClient main = new WireClient(master.port(), id, true)) {
        main.mountAgain(List.of(lent));
        assertThat(pings.ping()).isEqualTo(OK);
      }
    }
  }

  @Test
  void nothingElseIsServedThere() {
    try (GatewayMaster master = GatewayMaster.start();
        WireClient pings = new WireClient(master.master().ports().heartbeat(), id, true)) {
      pings.begin("ExistKey", "fd800c800cff", new WireBody().text("key").text("default"));
      assertThat(pings.isClosedByPeer()).isTrue();
      assertThat(master.master().stats().snapshot().ports().get("heartbeat").malformed())
          .isEqualTo(1);
    }
  }

  @Test
  void aMasterWithoutTheGatewayClosesThem() {
    try (GatewayMaster master =
            GatewayMaster.start(
                GatewayMaster.config().mooncake(new MooncakeConfig(false, "2.0.0", 1)));
        WireClient pings = new WireClient(master.master().ports().heartbeat(), id, true)) {
      pings.begin("ServiceReady", "", new WireBody());
      assertThat(pings.isClosedByPeer()).isTrue();
    }
  }
}
