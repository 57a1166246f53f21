package io.moonpool.core.liveness;

/**
 * Holds back the step from SUSPECTED to OFFLINE while it looks as if not the clients were gone but
 * the way to them. A state machine without a clock, driven once per tick of the monitor:
 *
 * <pre>
 *            | alarm                | calm, for less than       | calm for
 *            |                      | the silence               | the silence
 * -----------+----------------------+---------------------------+------------------------
 *  CLOSED    | HOLDING, a trip      | CLOSED                    | CLOSED
 *  HOLDING   | HOLDING, calm anew   | HOLDING                   | CLOSED
 * </pre>
 *
 * <p>It is an alarm when at least two clients are there and none of them was heard from for the
 * silence, two intervals between pings; or when at least two clients, and more than a configured
 * share of all, would go OFFLINE together. Together means within the silence: clients that died at
 * the same moment sent their last pings within an interval, so their time-outs pass in several
 * ticks.
 *
 * <p>It lets go only after a time of calm: when a network heals, the first client that is heard
 * again must not be the end of those that need a moment longer.
 *
 * <p>Belongs to the monitor's loop.
 */
public final class OfflineBreaker {
  /** Why it holds. */
  public enum Reason {
    /** No client was heard from. */
    SILENCE,
    /** Too many would go OFFLINE together. */
    SHARE
  }

  /** What a tick of the monitor sees of the clients that are not OFFLINE. */
  interface Sight {
    /** How many there are. */
    int clients();

    /** Observed time of the last signal of any of them; of no meaning when there are none. */
    long heardMillis();

    /** How many would go OFFLINE in this tick. */
    int due();

    /** How many would go OFFLINE in this tick or within the silence after it. */
    int dueSoon();
  }

  private static final long NOT_CALM = -1;

  private final BreakerSettings settings;
  private boolean holding;
  private Reason reason = Reason.SILENCE;
  private long calmSinceMillis = NOT_CALM;
  private long trips;

  /** A breaker that is closed. */
  public OfflineBreaker(BreakerSettings settings) {
    this.settings = settings;
  }

  BreakerSettings settings() {
    return settings;
  }

  /**
   * Judges a tick.
   *
   * @param nowMillis the observed time of the tick; never less than at the last one
   * @return true when no client may go OFFLINE in this tick but who is confirmed to be gone; see
   *     {@link LivenessMonitor#confirm}
   */
  boolean holds(long nowMillis, Sight sight) {
    if (!settings.enabled()) {
      return false;
    }
    boolean silent =
        sight.clients() >= 2 && nowMillis - sight.heardMillis() >= settings.silenceMillis();
    boolean many = sight.dueSoon() >= 2 && sight.dueSoon() > settings.maxShare() * sight.clients();
    if (silent || (many && (holding || sight.due() > 0))) {
      alarm(silent ? Reason.SILENCE : Reason.SHARE);
    } else if (holding) {
      calm(nowMillis);
    }
    return holding;
  }

  private void alarm(Reason why) {
    calmSinceMillis = NOT_CALM;
    if (!holding) {
      holding = true;
      reason = why;
      trips++;
    }
  }

  private void calm(long nowMillis) {
    if (calmSinceMillis == NOT_CALM) {
      calmSinceMillis = nowMillis;
    }
    if (nowMillis - calmSinceMillis >= settings.silenceMillis()) {
      holding = false;
      calmSinceMillis = NOT_CALM;
    }
  }

  /** True while it holds. */
  public boolean holding() {
    return holding;
  }

  /** Why it holds, or held last. */
  public Reason reason() {
    return reason;
  }

  /** How often it began to hold. */
  public long trips() {
    return trips;
  }
}
