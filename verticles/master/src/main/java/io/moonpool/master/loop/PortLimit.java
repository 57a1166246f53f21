package io.moonpool.master.loop;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many connections one port may have open at a time. Any thread; asked once when a connection
 * comes and once when it goes, so one shared counter does.
 */
public final class PortLimit {
  private final String name;
  private final int most;
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  PortLimit(String name, int most) {
    this.name = name;
    this.most = most;
  }

  /** What the port is for. */
  public String name() {
    return name;
  }

  /** Counts a connection that comes; false when there are too many, which is counted instead. */
  boolean tryOpen() {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      refused.increment();
      return false;
    }
    return true;
  }

  /** Counts a connection that goes. */
  void closed() {
    open.decrementAndGet();
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
