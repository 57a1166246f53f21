package io.moonpool.master.drain;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of a job: one timer for each, none after its end. Belongs to the control loop.
 *
 * <p>The stall timer is not set anew with each progress: when it is due and there was some, it is
 * set for what is left.
 */
final class JobTimers {
  private final DrainClock clock;
  private final long stallMillis;
  private final Set<DrainClock.Timer> delays = new HashSet<>();
  private DrainClock.Timer stall = () -> {};
  private DrainClock.Timer deadline = () -> {};
  private DrainClock.@Nullable Timer rate;
  private long progressMillis;

  JobTimers(DrainClock clock, long stallMillis) {
    this.clock = clock;
    this.stallMillis = stallMillis;
  }

  /**
   * Sets the timers of a job that begins.
   *
   * @param deadlineAtMillis by the wall clock; 0: none
   * @param over hears why the job is to end
   */
  void start(long deadlineAtMillis, Consumer<String> over) {
    progress();
    stall = clock.in(stallMillis, () -> checkStall(over));
    if (deadlineAtMillis > 0) {
      deadline =
          clock.in(
              Math.max(1, deadlineAtMillis - clock.wallMillis()),
              () -> over.accept("the deadline is over"));
    }
  }

  /** The job got somewhere. */
  void progress() {
    progressMillis = clock.nowMillis();
  }

  private void checkStall(Consumer<String> over) {
    long quietMillis = clock.nowMillis() - progressMillis;
    if (quietMillis >= stallMillis) {
      over.accept("nothing moved for " + stallMillis + " ms");
    } else {
      stall = clock.in(stallMillis - quietMillis, () -> checkStall(over));
    }
  }

  /** Does something when there are tokens again; once, however often it is asked for. */
  void whenTokens(long waitMillis, Runnable action) {
    if (rate == null) {
      rate =
          clock.in(
              waitMillis,
              () -> {
                rate = null;
                action.run();
              });
    }
  }

  /** Does something after a while, unless the job ends, or its lanes are opened again. */
  void later(long delayMillis, Runnable action) {
    DrainClock.Timer[] timer = new DrainClock.Timer[1];
    timer[0] =
        clock.in(
            delayMillis,
            () -> {
              delays.remove(timer[0]);
              action.run();
            });
    delays.add(timer[0]);
  }

  /** What is to be done after a while. */
  int delays() {
    return delays.size();
  }

  /** Nothing that was to be done after a while is done. */
  void cancelDelays() {
    delays.forEach(DrainClock.Timer::cancel);
    delays.clear();
  }

  /** The job has ended. */
  void end() {
    stall.cancel();
    deadline.cancel();
    if (rate != null) {
      rate.cancel();
      rate = null;
    }
    cancelDelays();
  }
}
