package io.moonpool.core.liveness;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;
import org.openjdk.jcstress.infra.results.LJ_Result;

/**
 * Races between the loops that receive pings and the monitor, for jcstress; {@link
 * LivenessStressTest} runs them. Each class is one race: its actors run at the same time on threads
 * of their own, again and again, and no outcome but the listed ones may occur.
 */
final class LivenessStress {
  private static final long INCARNATION = 42;

  private LivenessStress() {}

  /** Two loops hear the same node at once. */
  @JCStressTest
  @Outcome(
      id = {"10", "20"},
      expect = ACCEPTABLE,
      desc = "one of the two")
  @Outcome(expect = FORBIDDEN, desc = "both signals are lost, or half of one is seen")
  @State
  public static class TwoPings {
    private final LivenessSlot slot = new LivenessSlot(INCARNATION, 0);

    @Actor
    public void first() {
      slot.heard(10);
    }

    @Actor
    public void second() {
      slot.heard(20);
    }

    @Arbiter
    public void after(J_Result result) {
      result.r1 = slot.heardMillis();
    }
  }

  /** What a loop did before it recorded a ping is seen by the monitor that sees the ping. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 7", "10, 7"},
      expect = ACCEPTABLE,
      desc = "in order")
  @Outcome(expect = FORBIDDEN, desc = "the ping is seen before what came before it")
  @State
  public static class PingIsARelease {
    private final LivenessSlot slot = new LivenessSlot(INCARNATION, 0);
    private long before;

    @Actor
    public void loop() {
      before = 7;
      slot.heard(10);
    }

    @Actor
    public void monitor(JJ_Result result) {
      result.r1 = slot.heardMillis();
      result.r2 = before;
    }
  }

  /** A ping on the view that is published meanwhile finds a whole slot, or none. */
  @JCStressTest
  @Outcome(id = "NEED_REMOUNT, 3", expect = ACCEPTABLE, desc = "the ping came first")
  @Outcome(id = "OK, 9", expect = ACCEPTABLE, desc = "the view came first, and the ping counts")
  @Outcome(expect = FORBIDDEN, desc = "a slot that is not whole, or a ping that is lost")
  @State
  public static class PingOnANewView {
    private final PublishedClients clients = new PublishedClients();
    private LivenessSlot slot;

    @Actor
    public void monitor() {
      slot = new LivenessSlot(INCARNATION, 3);
      clients.publish(new ClientView(1, new LivenessSlot[] {slot}));
    }

    @Actor
    public void loop(LJ_Result result) {
      result.r1 = clients.current().ping(0, INCARNATION, 9);
    }

    @Arbiter
    public void after(LJ_Result result) {
      result.r2 = slot.heardMillis();
    }
  }

  /**
   * The monitor reads the clock before it looks at a slot. A reading that the heartbeat loop made
   * after it had recorded a ping is never seen without that ping: a node that was heard in time
   * cannot be called silent.
   */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 90", "100, 90"},
      expect = ACCEPTABLE,
      desc = "late at most")
  @Outcome(expect = FORBIDDEN, desc = "time counted without the ping that came before it")
  @State
  public static class TimeIsObserved {
    private final LivenessSlot slot = new LivenessSlot(INCARNATION, 0);
    private final ObservedClock clock = new ObservedClock(0);

    @Actor
    public void loop() {
      slot.heard(90);
      clock.advance(TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Actor
    public void monitor(JJ_Result result) {
      result.r1 = clock.millis();
      result.r2 = slot.heardMillis();
    }
  }
}
