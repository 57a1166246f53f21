package io.moonpool.protocol.frame;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many connections some servers may have open together. Any thread may call; it is asked once
 * when a connection comes and once when it goes, so one shared counter does.
 */
public final class ConnectionLimit {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

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

  /** Counts a connection that comes; false, and nothing is counted, when there are too many. */
  boolean tryOpen() {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Counts a connection that goes. */
  void closed() {
    open.decrementAndGet();
  }

  int most() {
    return most;
  }
}
