package io.moonpool.protocol.frame;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many connections a port, or some servers together, may have open at a time. Any thread may
 * call; it is asked once when a connection comes and once when it goes, so one shared counter does.
 */
public final class ConnectionLimit {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  /**
   * A limit.
   *
   * @param most at least 1
   */
  public ConnectionLimit(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("a server needs at least one connection, not " + most);
    }
    this.most = most;
  }

  /** No limit that matters. */
  public static ConnectionLimit none() {
    return new ConnectionLimit(Integer.MAX_VALUE);
  }

  /**
   * Counts a connection that comes; false when there are too many, which is counted instead: the
   * caller closes it, and does not call {@link #closed} for it.
   */
  public boolean tryOpen() {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      refused.increment();
      return false;
    }
    return true;
  }

  /** Counts a connection that goes. */
  public void closed() {
    open.decrementAndGet();
  }

  /** How many may be open. */
  public int most() {
    return most;
  }

  /** Connections that are open. */
  public int open() {
    return open.get();
  }

  /** Connections that were closed at once, since there were too many. */
  public long refused() {
    return refused.sum();
  }
}
