package io.moonpool.master.monitor;

import io.moonpool.master.loop.LoopCounter;
import io.moonpool.model.ClientState;
import java.util.Map;

/** Counters of the monitor. The control loop counts, any thread reads. */
public final class LivenessCounts {
  /**
   * How it is with what keeps nodes from going OFFLINE.
   *
   * @param holding whether it does
   * @param held how many would have gone by now
   * @param trips how often it began to
   */
  public record Breaker(boolean holding, int held, long trips) {}

  final LoopCounter suspected = new LoopCounter();
  final LoopCounter recovered = new LoopCounter();
  final LoopCounter offline = new LoopCounter();
  final LoopCounter left = new LoopCounter();
  private volatile Breaker breaker = new Breaker(false, 0, 0);
  private volatile Map<ClientState, Integer> clients =
      Map.of(ClientState.ACTIVE, 0, ClientState.SUSPECTED, 0, ClientState.OFFLINE, 0);

  void publish(Map<ClientState, Integer> counts) {
    clients = counts;
  }

  void publish(Breaker now) {
    breaker = now;
  }

  /** How the breaker was at the last tick. */
  public Breaker breaker() {
    return breaker;
  }

  /** Registered nodes by state; every state is present. */
  public Map<ClientState, Integer> clients() {
    return clients;
  }

  /** Transitions from ACTIVE to SUSPECTED. */
  public long suspectedTransitions() {
    return suspected.get();
  }

  /** Transitions from SUSPECTED to ACTIVE. */
  public long recoveries() {
    return recovered.get();
  }

  /** Nodes that went OFFLINE by their own wish. */
  public long left() {
    return left.get();
  }

  /** Transitions to OFFLINE of nodes that were not heard from, or superseded. */
  public long offlineTransitions() {
    return offline.get();
  }
}
