package io.moonpool.master.heartbeat;

import io.moonpool.master.loop.LoopCounter;
import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How many connections the heartbeat port has, and whose. When there are too many, one that never
 * brought the ping of a node gives way to a new one, the oldest first: idle strangers cannot keep
 * nodes out. Only when all are nodes' the new one is closed. The reserved loop; counters are read
 * by any thread.
 */
final class HeartbeatConnections {
  private final int most;
  private final Set<Channel> strangers = new LinkedHashSet<>();
  private final LoopCounter refused = new LoopCounter();
  private volatile int open;

  /**
   * No connection is open.
   *
   * @param most at least 1
   */
  HeartbeatConnections(int most) {
    this.most = most;
  }

  /** Counts a connection that comes; false when it is to be closed. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  boolean tryOpen(Channel channel) {
    if (open >= most) {
      refused.increment();
      if (!closeOldestStranger()) {
        return false;
      }
    }
    open++;
    strangers.add(channel);
    channel.closeFuture().addListener(closed -> closed(channel));
    return true;
  }

  private boolean closeOldestStranger() {
    Iterator<Channel> oldestFirst = strangers.iterator();
    if (!oldestFirst.hasNext()) {
      return false;
    }
    Channel oldest = oldestFirst.next();
    // Past the handlers: with TLS, closing in order would wait for the stranger.
    oldest.unsafe().close(oldest.voidPromise());
    return true;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void closed(Channel channel) {
    open--;
    strangers.remove(channel);
  }

  /** A connection brought a ping of a node that the master knows. */
  void isNode(Channel channel) {
    strangers.remove(channel);
  }

  /** Connections that are open. */
  int open() {
    return open;
  }

  /** Connections that were closed since there were too many. */
  long refused() {
    return refused.get();
  }
}
