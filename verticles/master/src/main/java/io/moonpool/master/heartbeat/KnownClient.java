package io.moonpool.master.heartbeat;

import java.util.UUID;

/**
 * A client whose protocol pings by the client's id, and how it is registered here, in one
 * incarnation. Any thread.
 */
public final class KnownClient {
  final long idMost;
  final long idLeast;
  final int slot;
  final long incarnation;

  /** Volatile: the loop that carries a mount out writes it, loops that answer pings read it. */
  private volatile boolean ready;

  /**
   * A client that is not ready yet.
   *
   * @param slot from the registration
   * @param incarnation from the registration
   */
  public KnownClient(UUID id, int slot, long incarnation) {
    this.idMost = id.getMostSignificantBits();
    this.idLeast = id.getLeastSignificantBits();
    this.slot = slot;
    this.incarnation = incarnation;
  }

  /** It has mounted again after it was told to: from now on its pings are OK. */
  public void ready() {
    ready = true;
  }

  boolean isReady() {
    return ready;
  }

  /** Whether it comes before, is, or comes after a client of that id; ids are unsigned. */
  int compareId(long most, long least) {
    int upper = Long.compareUnsigned(idMost, most);
    return upper != 0 ? upper : Long.compareUnsigned(idLeast, least);
  }
}
