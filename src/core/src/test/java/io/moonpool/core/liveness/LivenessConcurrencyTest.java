package io.moonpool.core.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.moonpool.model.ClientState;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

class LivenessConcurrencyTest {
  private static final LivenessTtls TTLS = new LivenessTtls(10_000, 20_000);

  private static Registration.Accepted register(ClientRegistry registry, UUID node, long now) {
    return (Registration.Accepted) registry.register(node, UUID.randomUUID(), "", "", now);
  }

  /**
   * Some nodes ping all the time, others never, while nodes come and go: whoever pings is never
   * called dead, whoever does not is, and only the right incarnations are answered OK.
   */
  @Test
  void nodesThatPingNeverDieAndNodesThatDoNotAlwaysDo() throws Exception {
    ClientRegistry registry = new ClientRegistry(1);
    LivenessMonitor monitor = new LivenessMonitor(registry, TTLS);
    ObservedClock clock = new ObservedClock(0);
    int live = 8;
    int pingers = 3;
    int ticks = 3_000;
    List<Registration.Accepted> alive = new ArrayList<>();
    Set<UUID> aliveIds = new HashSet<>();
    for (int i = 0; i < live; i++) {
      UUID id = UUID.randomUUID();
      aliveIds.add(id);
      alive.add(register(registry, id, 0));
    }
    AtomicBoolean done = new AtomicBoolean();
    // Each pinger counts its rounds over all live nodes; the clock waits for a full round of
    // somebody between two steps, as the heartbeat loop reads its sockets before each step.
    AtomicLong rounds = new AtomicLong();
    AtomicReferenceArray<Registration.Accepted> dead = new AtomicReferenceArray<>(1);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int p = 0; p < pingers; p++) {
      tasks.add(
          () -> {
            while (!done.get()) {
              long now = clock.millis();
              for (Registration.Accepted node : alive) {
                PingAnswer answer =
                    registry.published().current().ping(node.slot(), node.incarnation(), now);
                if (answer != PingAnswer.OK) {
                  throw new AssertionError("a live node was told to remount at " + now);
                }
              }
              Registration.Accepted gone = dead.get(0);
              if (gone != null
                  && registry.published().current().ping(gone.slot(), gone.incarnation(), now)
                      == PingAnswer.OK) {
                throw new AssertionError("an OFFLINE incarnation was answered OK");
              }
              rounds.incrementAndGet();
            }
            return null;
          });
    }
    List<LivenessTransition> transitions = new ArrayList<>();
    Set<UUID> silent = new HashSet<>();
    Map<Long, Registration.Accepted> silentBy = new HashMap<>();
    tasks.add(
        () -> {
          try {
            long nanos = 0;
            for (int tick = 0; tick < ticks; tick++) {
              long before = rounds.get();
              long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
              // Two ends of rounds: at least one pinger did a whole one with the current reading.
              while (rounds.get() < before + pingers + 1) {
                if (System.nanoTime() > deadline) {
                  throw new AssertionError("the pingers stand still");
                }
                Thread.onSpinWait();
              }
              nanos += TimeUnit.MILLISECONDS.toNanos(150);
              long now = clock.advance(nanos);
              for (LivenessTransition transition : monitor.tick(now)) {
                transitions.add(transition);
                if (transition.to() == ClientState.OFFLINE) {
                  registry.forget(transition.nodeId(), transition.incarnation());
                  dead.set(0, silentBy.get(transition.incarnation()));
                }
              }
              if (tick % 100 == 0) {
                UUID id = UUID.randomUUID();
                silent.add(id);
                Registration.Accepted node = register(registry, id, now);
                silentBy.put(node.incarnation(), node);
              }
            }
          } finally {
            done.set(true);
          }
          return null;
        });
    runAll(tasks);
    assertThat(transitions)
        .extracting(LivenessTransition::nodeId)
        .doesNotContainAnyElementsOf(aliveIds);
    Set<UUID> offline = new HashSet<>();
    for (LivenessTransition transition : transitions) {
      if (transition.to() == ClientState.OFFLINE) {
        offline.add(transition.nodeId());
        assertThat(transition.silentMillis()).isBetween(30_000L, 30_600L);
      }
    }
    // The last two were registered within the TTLs of the end.
    assertThat(silent.size() - offline.size()).isBetween(1, 3);
    assertThat(registry.count(ClientState.ACTIVE)).isGreaterThanOrEqualTo(live);
  }

  /**
   * Runs the tasks at once; threads that broken code sends into a loop must not hold up the test.
   */
  private static void runAll(List<Callable<Void>> tasks) throws Exception {
    ExecutorService executor =
        Executors.newFixedThreadPool(tasks.size(), Thread.ofPlatform().daemon().factory());
    try {
      for (Future<Void> result : executor.invokeAll(tasks, 120, TimeUnit.SECONDS)) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void pingsAllocateNothing() {
    ClientRegistry registry = new ClientRegistry(1);
    Registration.Accepted node = register(registry, UUID.randomUUID(), 0);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long pings = 100_000;
    int answered = 0;
    for (long i = 0; i < pings; i++) {
      answered += ping(registry, node, i);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (long i = pings; i < 2 * pings; i++) {
      answered += ping(registry, node, i);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(answered).isEqualTo((int) (2 * pings));
    // The measurement itself may allocate; one object a ping would be 1.6 MB.
    assertThat(allocated).isLessThan(pings);
  }

  private static int ping(ClientRegistry registry, Registration.Accepted node, long now) {
    PingAnswer known = registry.published().current().ping(node.slot(), node.incarnation(), now);
    PingAnswer unknown = registry.published().current().ping(node.slot(), 1, now);
    return known == PingAnswer.OK && unknown == PingAnswer.NEED_REMOUNT ? 1 : 0;
  }
}
