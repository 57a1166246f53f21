package io.moonpool.core.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClientRegistryTest {
  private static final long EPOCH = 3;
  private static final long ACTIVE_TTL = 10_000;
  private static final long SUSPICION_TTL = 20_000;

  private final ClientRegistry registry = new ClientRegistry(EPOCH);
  private final LivenessMonitor monitor =
      new LivenessMonitor(registry, new LivenessTtls(ACTIVE_TTL, SUSPICION_TTL));
  private final UUID node = UUID.randomUUID();
  private final UUID start = UUID.randomUUID();

  private Registration register(UUID nodeId, UUID startId, long now) {
    return registry.register(nodeId, startId, "host-1", "10.0.0.1:9300", now);
  }

  private Registration.Accepted accepted(UUID nodeId, UUID startId, long now) {
    return (Registration.Accepted) register(nodeId, startId, now);
  }

  private PingAnswer ping(Registration.Accepted who, long now) {
    return registry.published().current().ping(who.slot(), who.incarnation(), now);
  }

  private ClientState state() {
    return registry.state(node);
  }

  @Test
  void pingsOfUnknownsNeedARemount() {
    assertThat(registry.published().current().ping(0, EPOCH << 32 | 1, 0))
        .isEqualTo(PingAnswer.NEED_REMOUNT);
    assertThat(registry.published().current().ping(-1, 0, 0)).isEqualTo(PingAnswer.NEED_REMOUNT);
  }

  @Test
  void registrationMakesPingsCount() {
    Registration.Accepted first = accepted(node, start, 0);
    assertThat(first.incarnation() >>> 32).isEqualTo(EPOCH);
    assertThat(first.renewed()).isFalse();
    assertThat(ping(first, 5)).isEqualTo(PingAnswer.OK);
    assertThat(registry.published().current().ping(first.slot(), first.incarnation() + 1, 5))
        .isEqualTo(PingAnswer.NEED_REMOUNT);
    assertThat(registry.published().current().ping(first.slot() + 1, first.incarnation(), 5))
        .isEqualTo(PingAnswer.NEED_REMOUNT);
    assertThat(state()).isEqualTo(ClientState.ACTIVE);
  }

  @Test
  void theSameProcessKeepsItsIncarnation() {
    Registration.Accepted first = accepted(node, start, 0);
    Registration.Accepted again = accepted(node, start, 100);
    assertThat(again.incarnation()).isEqualTo(first.incarnation());
    assertThat(again.slot()).isEqualTo(first.slot());
    assertThat(again.renewed()).isTrue();
    // The renewal is a signal.
    assertThat(monitor.tick(ACTIVE_TTL)).isEmpty();
    assertThat(monitor.tick(ACTIVE_TTL + 100)).hasSize(1);
  }

  @Test
  void aSecondLiveProcessIsRefusedByTheFirstsAddress() {
    Registration.Accepted first = accepted(node, start, 0);
    Registration second = registry.register(node, UUID.randomUUID(), "host-2", "10.0.0.2:9300", 1);
    assertThat(second).isInstanceOf(Registration.Refused.class);
    Registration.Refused refused = (Registration.Refused) second;
    assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(refused.message()).contains("10.0.0.1:9300", "host-1", node.toString());
    assertThat(ping(first, 2)).isEqualTo(PingAnswer.OK);
  }

  @Test
  void aRefusalIsNoSignal() {
    accepted(node, start, 0);
    register(node, UUID.randomUUID(), ACTIVE_TTL - 1);
    assertThat(monitor.tick(ACTIVE_TTL)).hasSize(1);
  }

  @Test
  void aSilentNodeIsSuspectedThenOffline() {
    Registration.Accepted first = accepted(node, start, 0);
    assertThat(monitor.tick(ACTIVE_TTL - 1)).isEmpty();
    // The first tick after a long pause: one step, and the suspicion counts from here.
    assertThat(monitor.tick(30_000))
        .containsExactly(
            new LivenessTransition(
                node, first.incarnation(), ClientState.ACTIVE, ClientState.SUSPECTED, 30_000));
    assertThat(monitor.tick(49_999)).isEmpty();
    assertThat(registry.admit(node, first.incarnation())).isEqualTo(ErrorCode.OK);
    assertThat(monitor.tick(50_000))
        .containsExactly(
            new LivenessTransition(
                node, first.incarnation(), ClientState.SUSPECTED, ClientState.OFFLINE, 50_000));
    assertThat(monitor.tick(100_000)).isEmpty();
    assertThat(ping(first, 50_001)).isEqualTo(PingAnswer.NEED_REMOUNT);
    assertThat(registry.admit(node, first.incarnation()))
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
  }

  @Test
  void aSignalBringsASuspectedNodeBack() {
    Registration.Accepted first = accepted(node, start, 0);
    monitor.tick(ACTIVE_TTL);
    assertThat(state()).isEqualTo(ClientState.SUSPECTED);
    assertThat(ping(first, ACTIVE_TTL + 1))
        .as("it is told that it was suspected")
        .isEqualTo(PingAnswer.SUSPECTED);
    assertThat(monitor.tick(ACTIVE_TTL + 2))
        .extracting(LivenessTransition::to)
        .containsExactly(ClientState.ACTIVE);
    assertThat(ping(first, ACTIVE_TTL + 1)).isEqualTo(PingAnswer.OK);
    assertThat(monitor.tick(ACTIVE_TTL * 2)).isEmpty();
    assertThat(monitor.tick(ACTIVE_TTL * 2 + 1)).hasSize(1);
  }

  @Test
  void onlySuccessfulOperationsAreSignals() {
    Registration.Accepted first = accepted(node, start, 0);
    assertThat(registry.admit(node, first.incarnation())).isEqualTo(ErrorCode.OK);
    monitor.tick(ACTIVE_TTL);
    assertThat(state()).isEqualTo(ClientState.SUSPECTED);
    registry.admit(node, first.incarnation());
    registry.observe(node, first.incarnation() + 1, ACTIVE_TTL + 1);
    registry.observe(UUID.randomUUID(), first.incarnation(), ACTIVE_TTL + 1);
    assertThat(monitor.tick(ACTIVE_TTL + 2)).isEmpty();
    registry.observe(node, first.incarnation(), ACTIVE_TTL + 3);
    assertThat(monitor.tick(ACTIVE_TTL + 4)).hasSize(1);
    assertThat(state()).isEqualTo(ClientState.ACTIVE);
  }

  @Test
  void anotherProcessTakesOverFromASuspectedOne() {
    Registration.Accepted first = accepted(node, start, 0);
    monitor.tick(ACTIVE_TTL);
    Registration.Accepted second = accepted(node, UUID.randomUUID(), ACTIVE_TTL + 1);
    assertThat(second.incarnation()).isGreaterThan(first.incarnation());
    assertThat(second.superseded())
        .contains(
            new LivenessTransition(
                node,
                first.incarnation(),
                ClientState.SUSPECTED,
                ClientState.OFFLINE,
                ACTIVE_TTL + 1));
    assertThat(ping(first, ACTIVE_TTL + 2)).isEqualTo(PingAnswer.NEED_REMOUNT);
    assertThat(ping(second, ACTIVE_TTL + 2)).isEqualTo(PingAnswer.OK);
    assertThat(registry.admit(node, first.incarnation()))
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(registry.admit(node, second.incarnation())).isEqualTo(ErrorCode.OK);
  }

  @Test
  void aSuspectedNodeThatJustPingedIsNotTakenOver() {
    Registration.Accepted first = accepted(node, start, 0);
    monitor.tick(ACTIVE_TTL);
    ping(first, ACTIVE_TTL + 1);
    assertThat(register(node, UUID.randomUUID(), ACTIVE_TTL + 2))
        .isInstanceOf(Registration.Refused.class);
  }

  @Test
  void anOfflineNodeComesBackAsANewIncarnation() {
    Registration.Accepted first = accepted(node, start, 0);
    monitor.tick(ACTIVE_TTL);
    monitor.tick(ACTIVE_TTL + SUSPICION_TTL);
    Registration.Accepted again = accepted(node, start, 40_000);
    assertThat(again.renewed()).isFalse();
    assertThat(again.superseded()).isEmpty();
    assertThat(again.incarnation()).isGreaterThan(first.incarnation());
    assertThat(again.slot()).isEqualTo(first.slot());
    assertThat(ping(first, 40_001)).isEqualTo(PingAnswer.NEED_REMOUNT);
    // The end of the first incarnation's sweep does not forget the second.
    registry.forget(node, first.incarnation());
    assertThat(state()).isEqualTo(ClientState.ACTIVE);
  }

  @Test
  void unknownNodesAreTold() {
    assertThat(registry.admit(node, 1)).isEqualTo(ErrorCode.CLIENT_NOT_FOUND);
    assertThat(state()).isEqualTo(ClientState.OFFLINE);
  }

  @Test
  void zeroIdsAreRefused() {
    assertThat(register(new UUID(0, 0), start, 0)).isInstanceOf(Registration.Refused.class);
    assertThat(register(node, new UUID(0, 0), 0)).isInstanceOf(Registration.Refused.class);
    assertThatIllegalArgumentException().isThrownBy(() -> new ClientRegistry(0));
  }

  @Test
  void listsNodesUntilTheyAreForgotten() {
    Registration.Accepted first = accepted(node, start, 0);
    UUID other = UUID.randomUUID();
    Registration.Accepted second = accepted(other, start, 0);
    ping(second, 9_000);
    monitor.tick(ACTIVE_TTL);
    List<ClientInfo> infos = registry.list(12_000, id -> id.equals(node) ? 2 : 0);
    assertThat(infos)
        .containsExactly(
            new ClientInfo(
                node,
                first.incarnation(),
                "host-1",
                "10.0.0.1:9300",
                ClientState.SUSPECTED,
                12_000,
                2),
            new ClientInfo(
                other,
                second.incarnation(),
                "host-1",
                "10.0.0.1:9300",
                ClientState.ACTIVE,
                3_000,
                0));
    assertThat(registry.count(ClientState.SUSPECTED)).isEqualTo(1);
    registry.forget(node, first.incarnation());
    assertThat(registry.list(0, id -> 0)).hasSize(2);
    ping(second, 29_000);
    monitor.tick(ACTIVE_TTL + SUSPICION_TTL);
    assertThat(registry.count(ClientState.OFFLINE)).isEqualTo(1);
    registry.forget(node, first.incarnation());
    assertThat(registry.list(0, id -> 0)).hasSize(1);
  }

  @Test
  void viewsDoNotChangeBehindTheirReaders() {
    Registration.Accepted first = accepted(node, start, 0);
    ClientView before = registry.published().current();
    Registration.Accepted second = accepted(UUID.randomUUID(), start, 0);
    assertThat(before.ping(second.slot(), second.incarnation(), 1))
        .isEqualTo(PingAnswer.NEED_REMOUNT);
    assertThat(before.ping(first.slot(), first.incarnation(), 1)).isEqualTo(PingAnswer.OK);
  }

  @Test
  void theViewHasAnotherVersionWhenANodeComesOrGoes() {
    int empty = registry.published().current().version();
    Registration.Accepted first = accepted(node, start, 0);
    int one = registry.published().current().version();
    assertThat(one).isNotEqualTo(empty);
    ping(first, 1);
    accepted(node, start, 2);
    monitor.tick(ACTIVE_TTL + 2);
    assertThat(state()).isEqualTo(ClientState.SUSPECTED);
    assertThat(registry.published().current().version()).isEqualTo(one);
    monitor.tick(ACTIVE_TTL + SUSPICION_TTL + 2);
    assertThat(state()).isEqualTo(ClientState.OFFLINE);
    assertThat(registry.published().current().version()).isNotIn(empty, one);
  }
}
