package io.moonpool.protocol.frame;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * The turns that the connections of one event loop take with the frames that they have received.
 *
 * <p>All of them together take out frames for at most {@link #ROUND_NANOS}, whatever is pipelined
 * on however many; then the loop gets round to its tasks and its sockets. A connection that has
 * frames left lines up behind the others, and after {@link #TURN_NANOS} of its own in any case. A
 * frame that has begun is never cut, so a round is longer by one frame at most. Urgent frames do
 * not line up: each connection may have one of them served whenever it is read from.
 *
 * <p>Those that wait go on with a timer that is due at once: the loop looks at its timers only
 * after it has polled its sockets, while a task that is merely queued again may run up to 63 times
 * more before it does.
 *
 * <p>Belongs to the loop's thread.
 */
final class FrameTurns {
  /** How long frames are taken out before the loop does something else. */
  static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long one connection takes out frames while others may wait. */
  static final long TURN_NANOS = ROUND_NANOS / 2;

  private final ArrayDeque<FrameHandler> waiting = new ArrayDeque<>();
  private long usedNanos;
  private long startedNanos;
  private long lastNanos;
  private boolean scheduled;

  /** A connection begins to take out frames. */
  void begin() {
    startedNanos = System.nanoTime();
    lastNanos = startedNanos;
  }

  /** Whether it may take out another one. */
  boolean mayTake() {
    return usedNanos < ROUND_NANOS && lastNanos - startedNanos < TURN_NANOS;
  }

  /** It has taken one out. */
  void taken() {
    long now = System.nanoTime();
    usedNanos += now - lastNanos;
    lastNanos = now;
  }

  /**
   * Lines up a connection that has frames left. Its turn comes with a call of {@link
   * FrameHandler#takeTurn}.
   */
  void await(FrameHandler connection, EventExecutor loop) {
    waiting.addLast(connection);
    schedule(loop);
  }

  private void schedule(EventExecutor loop) {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(() -> round(loop), 0, TimeUnit.NANOSECONDS);
    }
  }

  private void round(EventExecutor loop) {
    scheduled = false;
    usedNanos = 0;
    // Those that line up again meanwhile wait for the next round.
    for (int left = waiting.size(); left > 0 && usedNanos < ROUND_NANOS; left--) {
      waiting.removeFirst().takeTurn();
    }
    if (!waiting.isEmpty()) {
      schedule(loop);
    }
  }
}
