package io.moonpool.core.liveness;

import io.moonpool.model.ClientState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Judges the clients by their timestamps. Belongs to the monitor's loop.
 *
 * <p>A tick looks at each client once or, with a breaker that is on, twice: its cost follows the
 * number of clients and of nothing else.
 */
public final class LivenessMonitor {
  private final ClientRegistry registry;
  private final LivenessTtls ttls;
  private final OfflineBreaker breaker;

  /** Nodes that go OFFLINE at the next tick though the breaker holds, if they are still due. */
  private Set<UUID> confirmed = Set.of();

  private int held;

  /** A monitor of that registry, on the same loop, that nothing holds back. */
  public LivenessMonitor(ClientRegistry registry, LivenessTtls ttls) {
    this(registry, ttls, new OfflineBreaker(BreakerSettings.OFF));
  }

  /** A monitor of that registry, on the same loop. */
  public LivenessMonitor(ClientRegistry registry, LivenessTtls ttls, OfflineBreaker breaker) {
    this.registry = registry;
    this.ttls = ttls;
    this.breaker = breaker;
  }

  /**
   * Takes every client at most one step further; see {@link io.moonpool.model.ClientState}. What
   * follows from the transitions (readers, segments, events) is the caller's.
   *
   * @param observedNowMillis the {@link ObservedClock}'s reading, taken before anything else is
   *     looked at: a signal that arrives meanwhile can only make a client younger
   * @return the steps, in no particular order; mostly empty
   */
  public List<LivenessTransition> tick(long observedNowMillis) {
    boolean holds =
        breaker.settings().enabled() && breaker.holds(observedNowMillis, look(observedNowMillis));
    Set<UUID> through = confirmed;
    confirmed = Set.of();
    held = 0;
    List<LivenessTransition> transitions = List.of();
    for (ClientRegistry.Client client : registry.clients()) {
      Liveness next = client.liveness.evaluate(client.slot.heardMillis(), observedNowMillis, ttls);
      if (next.state() == client.liveness.state()) {
        client.liveness = next;
      } else if (holds && next.state() == ClientState.OFFLINE && !through.contains(client.nodeId)) {
        held++;
      } else {
        if (transitions.isEmpty()) {
          transitions = new ArrayList<>();
        }
        transitions.add(registry.moveTo(client, next, observedNowMillis));
      }
    }
    return transitions;
  }

  /** How many clients the breaker kept from going OFFLINE at the last tick. */
  public int held() {
    return held;
  }

  /**
   * An operator says that the nodes which the breaker holds now are gone: they, and no others, go
   * OFFLINE at the next tick, except those that are heard before it. Those whose time passes later
   * are held again.
   *
   * @return who they are; empty, and nothing is confirmed, when it holds none
   */
  public List<UUID> confirm(long observedNowMillis) {
    List<UUID> gone = breaker.holding() ? due(observedNowMillis) : List.of();
    confirmed = Set.copyOf(gone);
    return gone;
  }

  /** The nodes whose next step at that time is OFFLINE, held back or not. */
  public List<UUID> due(long observedNowMillis) {
    List<UUID> due = new ArrayList<>();
    for (ClientRegistry.Client client : registry.clients()) {
      if (client.liveness.state() == ClientState.SUSPECTED
          && goesOffline(client, client.slot.heardMillis(), observedNowMillis) == 1) {
        due.add(client.nodeId);
      }
    }
    return due;
  }

  private Seen look(long nowMillis) {
    int clients = 0;
    int due = 0;
    int dueSoon = 0;
    long lastHeardMillis = Long.MIN_VALUE;
    long soonMillis = nowMillis + breaker.settings().silenceMillis();
    for (ClientRegistry.Client client : registry.clients()) {
      if (client.liveness.state() == ClientState.OFFLINE) {
        continue;
      }
      long heardMillis = client.slot.heardMillis();
      clients++;
      lastHeardMillis = Math.max(lastHeardMillis, heardMillis);
      due += goesOffline(client, heardMillis, nowMillis);
      dueSoon += goesOffline(client, heardMillis, soonMillis);
    }
    return new Seen(clients, lastHeardMillis, due, dueSoon);
  }

  /** 1 when the client's next step at that time is OFFLINE, else 0. */
  private int goesOffline(ClientRegistry.Client client, long heardMillis, long atMillis) {
    return client.liveness.evaluate(heardMillis, atMillis, ttls).state() == ClientState.OFFLINE
        ? 1
        : 0;
  }

  private record Seen(int clients, long heardMillis, int due, int dueSoon)
      implements OfflineBreaker.Sight {}
}
