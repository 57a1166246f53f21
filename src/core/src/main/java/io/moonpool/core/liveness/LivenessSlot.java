package io.moonpool.core.liveness;

import io.moonpool.model.ClientState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Keeps the timestamp off the cache line of whatever lies before the object. */
abstract class LivenessSlotFrontPadding {
  @SuppressWarnings("unused") // takes up room
  long f0, f1, f2, f3, f4, f5, f6;
}

/** The one field that pings write. */
abstract class LivenessSlotTimestamp extends LivenessSlotFrontPadding {
  /** Observed milliseconds of the last signal; accessed through {@link LivenessSlot}. */
  @SuppressWarnings("unused")
  long heardMillis;
}

/**
 * When one incarnation of a node was last heard from.
 *
 * <p>Loops that receive pings write it, the monitor reads it. Slots of different nodes share no
 * cache line, so pings of many nodes do not slow each other down.
 */
final class LivenessSlot extends LivenessSlotTimestamp {
  private static final VarHandle HEARD;

  static {
    try {
      HEARD =
          MethodHandles.lookup()
              .findVarHandle(LivenessSlotTimestamp.class, "heardMillis", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // takes up room
  long b0, b1, b2, b3, b4, b5, b6;

  private final long incarnation;

  /** Volatile: the monitor's loop writes it, loops that answer pings read it. */
  private volatile ClientState state = ClientState.ACTIVE;

  LivenessSlot(long incarnation, long heardMillis) {
    this.incarnation = incarnation;
    // Plain: the slot is published later, by the volatile write of the view.
    HEARD.set(this, heardMillis);
  }

  /** The incarnation whose pings count here. */
  long incarnation() {
    return incarnation;
  }

  /**
   * Records a signal. Any thread. Two loops that hear the same node at once may leave the older of
   * their two readings of the observed clock, which differ by one step at most.
   */
  void heard(long observedNowMillis) {
    // Opaque: only this comparison needs it, and a stale value costs nothing but a second write.
    if ((long) HEARD.getOpaque(this) < observedNowMillis) {
      // Release: pairs with the acquire in heardMillis(), so that the monitor that sees the signal
      // also sees what the loop did before it.
      HEARD.setRelease(this, observedNowMillis);
    }
  }

  /** The monitor's last judgement of the client. */
  ClientState state() {
    return state;
  }

  /** Only the monitor's loop may call it. */
  void state(ClientState now) {
    state = now;
  }

  /** Observed milliseconds of the last signal. */
  long heardMillis() {
    // Acquire: pairs with the release in heard().
    return (long) HEARD.getAcquire(this);
  }
}
