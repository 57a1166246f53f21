package io.moonpool.core.liveness;

import io.moonpool.model.ClientState;

/**
 * The liveness of one incarnation of a node, a state machine without side effects:
 *
 * <pre>
 *              | evaluated: signal since   | evaluated: silent, TTL   | evaluated: silent,    | superseded | leaves
 *              |                           | not yet over             | TTL over              |            |
 * -------------+---------------------------+--------------------------+-----------------------+------------+--------
 *  ACTIVE      | ACTIVE                    | ACTIVE                   | SUSPECTED (active)    | refused    | OFFLINE
 *  SUSPECTED   | ACTIVE; of a signal older | SUSPECTED                | OFFLINE (suspicion)   | OFFLINE    | OFFLINE
 *              | than the active TTL:      |                          |                       |            |
 *              | SUSPECTED, from later on  |                          |                       |            |
 *  OFFLINE     | OFFLINE                   | OFFLINE                  | OFFLINE               | OFFLINE    | OFFLINE
 * </pre>
 *
 * <p>The active TTL counts from the last signal. The suspicion TTL counts from the moment of
 * suspicion, so a monitor that ran late does not shorten the time in which a client can recover. A
 * TTL is over when exactly so much time has gone by, or more. One evaluation makes one step at
 * most.
 *
 * <p>A signal may become known late: that of an operation that took long counts as of when it came.
 * One that is older than the active TTL says nothing of now; the suspicion is then counted from
 * when it would have begun, had the signal been known.
 *
 * <p>Superseded: another process with the same node id registers. That is refused while the first
 * is ACTIVE, or SUSPECTED with a signal that no evaluation has seen yet.
 *
 * <p>Leaves: the process says that it is about to end.
 */
sealed interface Liveness {
  /** The state, for the outside. */
  ClientState state();

  /**
   * The next state at a tick of the monitor.
   *
   * @param heardMillis observed time of the client's last signal
   * @param nowMillis observed time, read before {@code heardMillis} was
   */
  Liveness evaluate(long heardMillis, long nowMillis, LivenessTtls ttls);

  /** True when another process may take the node id over. */
  boolean yields(long heardMillis);

  /** Heard from within the active TTL. */
  record Active() implements Liveness {
    static final Active INSTANCE = new Active();

    @Override
    public ClientState state() {
      return ClientState.ACTIVE;
    }

    @Override
    public Liveness evaluate(long heardMillis, long nowMillis, LivenessTtls ttls) {
      return nowMillis - heardMillis >= ttls.activeMillis()
          ? new Suspected(nowMillis, heardMillis)
          : this;
    }

    @Override
    public boolean yields(long heardMillis) {
      return false;
    }
  }

  /**
   * Silent for the active TTL.
   *
   * @param sinceMillis observed time of the suspicion
   * @param heardMillis the last signal before it; any other value is a new signal
   */
  record Suspected(long sinceMillis, long heardMillis) implements Liveness {
    @Override
    public ClientState state() {
      return ClientState.SUSPECTED;
    }

    @Override
    public Liveness evaluate(long heardMillis, long nowMillis, LivenessTtls ttls) {
      if (heardMillis != this.heardMillis) {
        return nowMillis - heardMillis < ttls.activeMillis()
            ? Active.INSTANCE
            : new Suspected(Math.max(sinceMillis, heardMillis + ttls.activeMillis()), heardMillis);
      }
      return nowMillis - sinceMillis >= ttls.suspicionMillis() ? Offline.INSTANCE : this;
    }

    @Override
    public boolean yields(long heardMillis) {
      return heardMillis == this.heardMillis;
    }
  }

  /** Terminal. */
  record Offline() implements Liveness {
    static final Offline INSTANCE = new Offline();

    @Override
    public ClientState state() {
      return ClientState.OFFLINE;
    }

    @Override
    public Liveness evaluate(long heardMillis, long nowMillis, LivenessTtls ttls) {
      return this;
    }

    @Override
    public boolean yields(long heardMillis) {
      return true;
    }
  }
}
