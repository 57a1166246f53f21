package io.moonpool.core.liveness;

import java.util.ArrayList;
import java.util.List;

/**
 * Judges the clients by their timestamps. Belongs to the monitor's loop.
 *
 * <p>A tick looks at each client once: its cost follows the number of clients and of nothing else.
 */
public final class LivenessMonitor {
  private final ClientRegistry registry;
  private final LivenessTtls ttls;

  /** A monitor of that registry, on the same loop. */
  public LivenessMonitor(ClientRegistry registry, LivenessTtls ttls) {
    this.registry = registry;
    this.ttls = ttls;
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
    List<LivenessTransition> transitions = List.of();
    for (ClientRegistry.Client client : registry.clients()) {
      Liveness next = client.liveness.evaluate(client.slot.heardMillis(), observedNowMillis, ttls);
      if (next.state() != client.liveness.state()) {
        if (transitions.isEmpty()) {
          transitions = new ArrayList<>();
        }
        transitions.add(registry.moveTo(client, next, observedNowMillis));
      }
    }
    return transitions;
  }
}
