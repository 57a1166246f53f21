package io.moonpool.core.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.moonpool.model.ClientState;
import org.junit.jupiter.api.Test;

/** Walks every cell of the table in the comment of {@link Liveness}. */
class LivenessTest {
  private static final LivenessTtls TTLS = new LivenessTtls(10_000, 20_000);
  private static final Liveness ACTIVE = Liveness.Active.INSTANCE;
  private static final Liveness OFFLINE = Liveness.Offline.INSTANCE;

  /** Suspected at 30,000 after a last signal at 5,000. */
  private static final Liveness SUSPECTED = new Liveness.Suspected(30_000, 5_000);

  @Test
  void active() {
    assertThat(ACTIVE.state()).isEqualTo(ClientState.ACTIVE);
    assertThat(ACTIVE.evaluate(100, 100, TTLS)).isEqualTo(ACTIVE);
    assertThat(ACTIVE.evaluate(100, 10_099, TTLS)).isEqualTo(ACTIVE);
    assertThat(ACTIVE.evaluate(100, 10_100, TTLS)).isEqualTo(new Liveness.Suspected(10_100, 100));
    assertThat(ACTIVE.yields(100)).isFalse();
  }

  @Test
  void activeNeverGoesOfflineInOneStep() {
    assertThat(ACTIVE.evaluate(0, 1_000_000, TTLS).state()).isEqualTo(ClientState.SUSPECTED);
  }

  @Test
  void aSignalYoungerThanTheTickIsActive() {
    assertThat(ACTIVE.evaluate(200, 100, TTLS)).isEqualTo(ACTIVE);
  }

  @Test
  void suspected() {
    assertThat(SUSPECTED.state()).isEqualTo(ClientState.SUSPECTED);
    assertThat(SUSPECTED.evaluate(5_000, 30_000, TTLS)).isEqualTo(SUSPECTED);
    assertThat(SUSPECTED.evaluate(5_000, 49_999, TTLS)).isEqualTo(SUSPECTED);
    assertThat(SUSPECTED.evaluate(5_000, 50_000, TTLS)).isEqualTo(OFFLINE);
    assertThat(SUSPECTED.evaluate(30_001, 30_001, TTLS)).isEqualTo(ACTIVE);
    assertThat(SUSPECTED.yields(5_000)).isTrue();
    assertThat(SUSPECTED.yields(30_001)).isFalse();
  }

  @Test
  void aSignalBeatsTheSuspicionTtl() {
    assertThat(SUSPECTED.evaluate(999_000, 1_000_000, TTLS)).isEqualTo(ACTIVE);
  }

  @Test
  void aSignalThatBecomesKnownLateDoesNotMakeItActive() {
    // Known at 42,000, it came at 29,000: the node would have been suspected from 39,000 on.
    Liveness later = SUSPECTED.evaluate(29_000, 42_000, TTLS);
    assertThat(later).isEqualTo(new Liveness.Suspected(39_000, 29_000));
    assertThat(later.evaluate(29_000, 58_999, TTLS)).isEqualTo(later);
    assertThat(later.evaluate(29_000, 59_000, TTLS)).isEqualTo(OFFLINE);
    assertThat(SUSPECTED.evaluate(29_000, 38_999, TTLS)).isEqualTo(ACTIVE);
    assertThat(SUSPECTED.evaluate(29_000, 39_000, TTLS))
        .isEqualTo(new Liveness.Suspected(39_000, 29_000));
    // Never from earlier than it was suspected.
    assertThat(SUSPECTED.evaluate(6_000, 42_000, TTLS))
        .isEqualTo(new Liveness.Suspected(30_000, 6_000));
  }

  @Test
  void offlineIsTerminal() {
    assertThat(OFFLINE.state()).isEqualTo(ClientState.OFFLINE);
    assertThat(OFFLINE.evaluate(60_000, 60_000, TTLS)).isEqualTo(OFFLINE);
    assertThat(OFFLINE.evaluate(0, 60_000, TTLS)).isEqualTo(OFFLINE);
    assertThat(OFFLINE.evaluate(0, 1_000_000, TTLS)).isEqualTo(OFFLINE);
    assertThat(OFFLINE.yields(60_000)).isTrue();
  }

  @Test
  void ttlsMustBePositive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LivenessTtls(0, 1))
        .withMessageContaining("client_active_ttl_ms");
    assertThatIllegalArgumentException().isThrownBy(() -> new LivenessTtls(1, -1));
  }
}
