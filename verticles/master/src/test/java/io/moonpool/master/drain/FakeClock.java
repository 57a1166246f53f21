package io.moonpool.master.drain;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that a test sets, and the queue of the loop. */
final class FakeClock implements DrainClock, Later {
  private record Due(long atMillis, long order, Runnable action, boolean[] cancelled) {}

  private final PriorityQueue<Due> timers =
      new PriorityQueue<>(Comparator.comparingLong(Due::atMillis).thenComparingLong(Due::order));
  private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
  private long nowMillis = 1_000;
  private long order;
  private int timersSet;

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public long wallMillis() {
    return 1_700_000_000_000L + nowMillis;
  }

  @Override
  public Timer in(long delayMillis, Runnable action) {
    boolean[] cancelled = {false};
    timersSet++;
    timers.add(new Due(nowMillis + Math.max(1, delayMillis), ++order, action, cancelled));
    return () -> cancelled[0] = true;
  }

  @Override
  public void later(Runnable action) {
    queue.add(action);
  }

  /** Runs what waits, and what that makes wait. */
  void settle() {
    for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
      next.run();
    }
  }

  void advance(long millis) {
    settle();
    long to = nowMillis + millis;
    while (!timers.isEmpty() && timers.peek().atMillis <= to) {
      Due due = timers.poll();
      if (!due.cancelled[0]) {
        nowMillis = Math.max(nowMillis, due.atMillis);
        due.action.run();
        settle();
      }
    }
    nowMillis = to;
  }

  /** Deadlines that are set and not over. */
  long pendingTimers() {
    return timers.stream().filter(due -> !due.cancelled[0]).count();
  }

  /** Deadlines that were ever set. */
  int timersSet() {
    return timersSet;
  }
}
