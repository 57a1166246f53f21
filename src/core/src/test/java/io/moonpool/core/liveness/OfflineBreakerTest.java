package io.moonpool.core.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.moonpool.model.ClientState;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfflineBreakerTest {
  private static final LivenessTtls TTLS = new LivenessTtls(10_000, 20_000);
  private static final long SILENCE = 2_000;

  private record Sight(int clients, long heardMillis, int due, int dueSoon)
      implements OfflineBreaker.Sight {}

  /** A registry, a monitor with a breaker, and nodes that ping each second when they may. */
  private static final class Pool {
    final ClientRegistry registry = new ClientRegistry(1);
    final OfflineBreaker breaker;
    final LivenessMonitor monitor;
    final List<Registration.Accepted> nodes = new ArrayList<>();
    long now;

    Pool(int clients, BreakerSettings settings) {
      breaker = new OfflineBreaker(settings);
      monitor = new LivenessMonitor(registry, TTLS, breaker);
      for (int i = 0; i < clients; i++) {
        nodes.add(
            (Registration.Accepted)
                registry.register(new UUID(1, i + 1), UUID.randomUUID(), "", "", 0));
      }
    }

    void ping(int node) {
      Registration.Accepted who = nodes.get(node);
      registry.published().current().ping(who.slot(), who.incarnation(), now);
    }

    /** Lets time pass in which the first so many nodes ping, each second, at different times. */
    void run(long millis, int pinging) {
      for (long end = now + millis; now < end; ) {
        now += 100;
        for (int node = 0; node < pinging; node++) {
          if ((now / 100 + node) % 10 == 0) {
            ping(node);
          }
        }
        monitor.tick(now);
      }
    }

    long count(ClientState state) {
      return registry.count(state);
    }
  }

  private static BreakerSettings on(double share) {
    return new BreakerSettings(true, SILENCE, share);
  }

  @Test
  void valuesThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new BreakerSettings(true, 0, 0.5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BreakerSettings(true, 1, 0))
        .withMessageContaining("offline_breaker_share");
    assertThatIllegalArgumentException().isThrownBy(() -> new BreakerSettings(true, 1, 1.01));
  }

  @Test
  void offItNeverHolds() {
    Pool pool = new Pool(12, BreakerSettings.OFF);
    pool.run(31_000, 0);
    assertThat(pool.count(ClientState.OFFLINE)).isEqualTo(12);
    assertThat(pool.breaker.trips()).isZero();
  }

  @Test
  void whenNobodyIsHeardNobodyGoesOffline() {
    Pool pool = new Pool(12, on(1));
    pool.run(5_000, 12);
    assertThat(pool.breaker.holding()).isFalse();
    pool.run(SILENCE + 1_000, 0);
    assertThat(pool.breaker.holding()).isTrue();
    assertThat(pool.breaker.reason()).isEqualTo(OfflineBreaker.Reason.SILENCE);
    assertThat(pool.monitor.held()).isZero();
    pool.run(120_000, 0);
    assertThat(pool.count(ClientState.SUSPECTED)).isEqualTo(12);
    assertThat(pool.monitor.held()).isEqualTo(12);
    assertThat(pool.breaker.trips()).isEqualTo(1);
    // The first that is heard must not be the end of the others.
    pool.ping(3);
    pool.run(500, 0);
    assertThat(pool.count(ClientState.OFFLINE)).isZero();
    pool.run(SILENCE + 1_000, 12);
    assertThat(pool.breaker.holding()).isFalse();
    assertThat(pool.count(ClientState.ACTIVE)).isEqualTo(12);
  }

  @Test
  void whoIsReallyGoneGoesOfflineAfterTheOthersAreBack() {
    Pool pool = new Pool(12, on(0.25));
    pool.run(60_000, 0);
    pool.run(SILENCE - 500, 10);
    assertThat(pool.count(ClientState.OFFLINE)).isZero();
    pool.run(1_500, 10);
    assertThat(pool.breaker.holding()).isFalse();
    assertThat(pool.count(ClientState.ACTIVE)).isEqualTo(10);
    assertThat(pool.count(ClientState.OFFLINE)).isEqualTo(2);
  }

  @Test
  void moreThanAShareOfThemIsHeldThoughTheirTimesPassInDifferentTicks() {
    Pool pool = new Pool(12, on(0.25));
    pool.run(5_000, 12);
    pool.run(60_000, 8);
    assertThat(pool.breaker.reason()).isEqualTo(OfflineBreaker.Reason.SHARE);
    assertThat(pool.count(ClientState.SUSPECTED)).isEqualTo(4);
    assertThat(pool.monitor.held()).isEqualTo(4);
    assertThat(pool.count(ClientState.ACTIVE)).isEqualTo(8);
    // One of them comes back: three of twelve are not more than a quarter.
    pool.run(SILENCE + 2_000, 9);
    assertThat(pool.breaker.holding()).isFalse();
    assertThat(pool.count(ClientState.OFFLINE)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 12})
  void oneAloneIsNeverHeldWhileOthersAreHeard(int clients) {
    Pool pool = new Pool(clients, on(0.01));
    pool.run(5_000, clients);
    pool.run(32_000, clients - 1);
    assertThat(pool.count(ClientState.OFFLINE)).isEqualTo(1);
    assertThat(pool.breaker.trips()).isZero();
  }

  @Test
  void anOperatorConfirmsThoseThatAreHeldAndNoOthers() {
    Pool pool = new Pool(12, on(0.25));
    assertThat(pool.monitor.confirm(0)).as("it does not hold").isEmpty();
    pool.run(5_000, 12);
    pool.run(8_000, 4);
    pool.run(24_500, 0);
    assertThat(pool.monitor.held()).isEqualTo(8);
    assertThat(pool.monitor.confirm(pool.now)).hasSize(8);
    pool.run(100, 0);
    assertThat(pool.count(ClientState.OFFLINE)).isEqualTo(8);
    assertThat(pool.breaker.holding()).isTrue();
    pool.run(60_000, 0);
    assertThat(pool.count(ClientState.SUSPECTED)).as("their time passed later").isEqualTo(4);
    assertThat(pool.monitor.held()).isEqualTo(4);
    assertThat(pool.monitor.confirm(pool.now)).hasSize(4);
    pool.run(100, 0);
    assertThat(pool.count(ClientState.OFFLINE)).isEqualTo(12);
    pool.run(SILENCE + 200, 0);
    assertThat(pool.breaker.holding()).as("nobody is left to be held").isFalse();
  }

  @Test
  void whoseTimePassesBetweenTheConfirmationAndTheTickIsNotConfirmed() {
    Pool pool = new Pool(4, on(0.25));
    pool.ping(2);
    pool.run(200, 0);
    pool.ping(3);
    // The time of the first three is over, that of the last one with the next tick.
    pool.run(29_900, 0);
    assertThat(pool.monitor.due(pool.now)).hasSize(3);
    List<UUID> gone = pool.monitor.confirm(pool.now);
    pool.now += 100;
    pool.ping(2);
    assertThat(pool.monitor.due(pool.now)).hasSize(3).contains(new UUID(1, 4));
    pool.monitor.tick(pool.now);
    assertThat(gone).hasSize(3);
    assertThat(pool.registry.state(new UUID(1, 1))).isEqualTo(ClientState.OFFLINE);
    assertThat(pool.registry.state(new UUID(1, 2))).isEqualTo(ClientState.OFFLINE);
    assertThat(pool.registry.state(new UUID(1, 3))).as("heard").isEqualTo(ClientState.ACTIVE);
    assertThat(pool.registry.state(new UUID(1, 4))).as("later").isEqualTo(ClientState.SUSPECTED);
    assertThat(pool.monitor.held()).isEqualTo(1);
  }

  @Test
  void leavingIsNotHeld() {
    Pool pool = new Pool(2, on(0.25));
    pool.run(60_000, 0);
    assertThat(pool.breaker.holding()).isTrue();
    assertThat(pool.registry.leave(new UUID(1, 1), pool.nodes.getFirst().incarnation(), pool.now))
        .isPresent();
    assertThat(pool.count(ClientState.OFFLINE)).isEqualTo(1);
  }

  /**
   * Against a model that knows nothing but the definition: it holds at a tick when some tick before
   * it, or this one, was an alarm, and no stretch of ticks without an alarm between them lasted for
   * the silence.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void holdsAsTheDefinitionSays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double share = random.nextDouble(0.05, 1);
    OfflineBreaker breaker = new OfflineBreaker(on(share));
    List<Long> times = new ArrayList<>();
    List<Sight> sights = new ArrayList<>();
    long now = 0;
    long heard = 0;
    boolean lively = true;
    for (int tick = 0; tick < 2_000; tick++) {
      now += random.nextInt(10) == 0 ? 200 : 100;
      lively = random.nextInt(40) == 0 ? !lively : lively;
      if (lively && random.nextInt(3) == 0) {
        heard = now - random.nextInt(100);
      }
      int clients = random.nextInt(13);
      int dueSoon = lively && random.nextInt(4) != 0 ? 0 : random.nextInt(clients + 1);
      Sight sight =
          new Sight(clients, heard, dueSoon == 0 ? 0 : random.nextInt(dueSoon + 1), dueSoon);
      times.add(now);
      sights.add(sight);
      boolean holds = breaker.holds(now, sight);
      boolean expected = holding(times, sights, share);
      assertThat(breaker.holding()).as("tick %s of seed %s", tick, seed).isEqualTo(expected);
      assertThat(holds).isEqualTo(expected);
    }
    assertThat(breaker.trips()).isPositive();
  }

  private static boolean holding(List<Long> times, List<Sight> sights, double share) {
    boolean holding = false;
    int calmFrom = -1;
    for (int i = 0; i < times.size(); i++) {
      Sight sight = sights.get(i);
      boolean silent = sight.clients() >= 2 && times.get(i) - sight.heardMillis() >= SILENCE;
      boolean many = sight.dueSoon() >= 2 && (double) sight.dueSoon() / sight.clients() > share;
      if (silent || (many && (holding || sight.due() >= 1))) {
        holding = true;
        calmFrom = -1;
      } else if (holding) {
        calmFrom = calmFrom < 0 ? i : calmFrom;
        holding = times.get(i) - times.get(calmFrom) < SILENCE;
        calmFrom = holding ? calmFrom : -1;
      }
    }
    return holding;
  }

  @Test
  void anAlarmInBetweenBeginsTheCalmAnew() {
    OfflineBreaker breaker = new OfflineBreaker(on(0.5));
    Sight calm = new Sight(4, Long.MAX_VALUE / 2, 0, 0);
    Sight alarm = new Sight(4, Long.MAX_VALUE / 2, 3, 3);
    assertThat(breaker.holds(0, alarm)).isTrue();
    assertThat(IntStream.rangeClosed(1, 15).allMatch(tick -> breaker.holds(tick * 100L, calm)))
        .isTrue();
    assertThat(breaker.holds(1_600, alarm)).isTrue();
    assertThat(breaker.holds(1_700, calm)).isTrue();
    assertThat(breaker.holds(3_600, calm)).isTrue();
    assertThat(breaker.holds(3_700, calm)).isFalse();
    assertThat(breaker.trips()).isEqualTo(1);
  }
}
