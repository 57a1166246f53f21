package io.moonpool.master.heartbeat;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.master.loop.MasterLoop;
import java.util.concurrent.TimeUnit;

/**
 * Advances the observed clock on the heartbeat loop, about every {@link ObservedClock#STEP_MILLIS}.
 *
 * <p>In two steps: when the timer fires, the sockets may have last been looked at long ago (the
 * process may just have been stopped for a minute). So the timer only asks for another pass, and
 * the clock advances in it, after that pass has read what the sockets hold.
 */
final class ObservedTime {
  private final MasterLoop loop;
  private final ObservedClock clock;
  private boolean stopped;

  ObservedTime(MasterLoop loop, ObservedClock clock) {
    this.loop = loop;
    this.clock = clock;
  }

  void start() {
    loop.eventLoop().schedule(this::readSockets, ObservedClock.STEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  void stop() {
    stopped = true;
  }

  private void readSockets() {
    long firedIn = loop.pass();
    loop.eventLoop().schedule(() -> advance(firedIn), 0, TimeUnit.NANOSECONDS);
  }

  private void advance(long firedIn) {
    if (stopped) {
      return;
    }
    if (loop.pass() == firedIn) {
      readSockets();
      return;
    }
    clock.advance(System.nanoTime());
    start();
  }
}
