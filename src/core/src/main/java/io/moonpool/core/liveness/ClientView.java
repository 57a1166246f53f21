package io.moonpool.core.liveness;

import io.moonpool.model.ClientState;
import org.jspecify.annotations.Nullable;

/**
 * What the loops that receive pings need to know of the clients: the slots that count. Immutable;
 * the monitor's loop publishes a new one through {@link PublishedClients} whenever a client comes
 * or goes.
 *
 * <p>A ping that runs on an older view at worst refreshes a slot that nobody reads any more.
 */
public final class ClientView {
  static final ClientView EMPTY = new ClientView(0, new LivenessSlot[0]);

  private final int version;
  private final @Nullable LivenessSlot[] slots;

  /** Takes the array; nobody may write to it afterwards. */
  ClientView(int version, @Nullable LivenessSlot[] slots) {
    this.version = version;
    this.slots = slots;
  }

  /** Counts the views of this master, one for each client that came or went; wraps around. */
  public int version() {
    return version;
  }

  /**
   * Records a ping. Any thread; takes no lock, allocates nothing, and its cost does not depend on
   * the number of clients.
   *
   * @param slot from the registration
   * @param incarnation from the registration
   * @param observedNowMillis the {@link ObservedClock}'s reading
   */
  public PingAnswer ping(int slot, long incarnation, long observedNowMillis) {
    if (slot < 0 || slot >= slots.length) {
      return PingAnswer.NEED_REMOUNT;
    }
    LivenessSlot known = slots[slot];
    if (known == null || known.incarnation() != incarnation) {
      return PingAnswer.NEED_REMOUNT;
    }
    known.heard(observedNowMillis);
    return known.state() == ClientState.SUSPECTED ? PingAnswer.SUSPECTED : PingAnswer.OK;
  }
}
