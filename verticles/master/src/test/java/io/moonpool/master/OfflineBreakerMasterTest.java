package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.master.monitor.BreakerState;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.ListClients;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that all fall silent keep what they have until they are heard, or are confirmed gone. */
@Timeout(90)
class OfflineBreakerMasterTest {
  private static final long ACTIVE = 400;
  private static final long SUSPICION = 400;
  private static final long SILENCE = 300;

  private final List<JsonObject> events = new CopyOnWriteArrayList<>();
  private TestMaster test;

  private void start(long silenceMillis, long suspicionMillis) {
    test =
        TestMaster.start(
            MasterConfig.builder()
                .clientActiveTtlMillis(ACTIVE)
                .clientSuspicionTtlMillis(suspicionMillis)
                .offlineBreaker(new BreakerConfig(true, silenceMillis, 0.5)));
    test.master()
        .vertx()
        .eventBus()
        .<JsonObject>localConsumer(
            Addresses.CLIENT_EVENTS,
            message -> {
              if ("offline_breaker".equals(message.body().getString("event"))) {
                events.add(message.body());
              }
            });
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private static ConditionFactory soon() {
    return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
  }

  private <T> T ask(Function<LivenessOperations, Future<T>> call) {
    Promise<T> answer = Promise.promise();
    test.master()
        .vertx()
        .runOnContext(run -> call.apply(test.master().liveness()).onComplete(answer));
    return TestMaster.await(answer.future());
  }

  private List<ClientState> states() {
    return test.call(Calls.CLIENTS, new ListClients()).stream().map(ClientInfo::state).toList();
  }

  private void holdForLongerThanBothTtls() {
    long from = test.master().stats().observedMillis();
    soon().until(() -> test.master().stats().observedMillis() - from > 3 * (ACTIVE + SUSPICION));
  }

  @Test
  void holdsThenLetsGoWhenHeartbeatsFlowAgain() {
    start(SILENCE, SUSPICION);
    TestMaster.Node first = test.node(1, 1 << 20);
    TestMaster.Node second = test.node(2, 1 << 20);
    test.put(100, "a", "b", "c");
    holdForLongerThanBothTtls();
    assertThat(states()).containsOnly(ClientState.SUSPECTED).hasSize(2);
    BreakerState holding = ask(LivenessOperations::breaker);
    assertThat(holding.holding()).isTrue();
    assertThat(holding.held()).containsExactlyInAnyOrder(first.id(), second.id());
    MasterStats.LivenessFigures figures = test.master().stats().snapshot().liveness();
    assertThat(figures.offlineHeld()).isTrue();
    assertThat(figures.heldClients()).isEqualTo(2);
    assertThat(figures.offlineHolds()).isEqualTo(1);
    soon().until(() -> !events.isEmpty());
    assertThat(events.getFirst())
        .isEqualTo(
            new JsonObject()
                .put("event", "offline_breaker")
                .put("holding", true)
                .put("reason", "silence")
                .put("clients", 2));

    soon()
        .until(
            () -> {
              first.ping();
              second.ping();
              return !ask(LivenessOperations::breaker).holding();
            });
    first.ping();
    second.ping();
    soon()
        .until(
            () -> {
              first.ping();
              second.ping();
              return test.exists("a") && test.exists("b") && test.exists("c");
            });
    assertThat(test.master().stats().snapshot().offlineTransitions()).isZero();
    soon().until(() -> events.size() == 2);
    assertThat(events.getLast().getBoolean("holding")).isFalse();
  }

  @Test
  void anOperatorConfirmsThatTheyAreGone() {
    start(SILENCE, SUSPICION);
    test.node(1, 1 << 20);
    test.node(2, 1 << 20);
    assertThatThrownBy(() -> ask(LivenessOperations::confirmOffline))
        .hasMessageContaining("nothing to confirm");
    soon().until(() -> ask(LivenessOperations::breaker).held().size() == 2);
    assertThat(ask(LivenessOperations::confirmOffline).held()).hasSize(2);
    soon().until(() -> states().isEmpty());
    assertThat(test.master().stats().snapshot().offlineTransitions()).isEqualTo(2);
    soon().until(() -> !ask(LivenessOperations::breaker).holding());
  }

  @Test
  void oneThatDiesAloneGoesOffline() {
    // Longer than a busy machine keeps this thread from pinging.
    start(3_000, 3_000);
    TestMaster.Node alive = test.node(1, 1 << 20);
    test.node(2, 1 << 20);
    soon()
        .until(
            () -> {
              alive.ping();
              return states().equals(List.of(ClientState.ACTIVE));
            });
    assertThat(ask(LivenessOperations::breaker).trips()).isZero();
  }
}
