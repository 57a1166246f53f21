package io.moonpool.master.loop;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands that wait for one event loop: first in, first out, bounded. Typed proxies are the
 * only ones that put something in.
 *
 * <p>The loop drains it for at most a millisecond, then polls its sockets before it goes on.
 *
 * <p>{@link #offer} and {@link #post} may be called by any thread.
 */
public final class LoopQueue {
  private static final Logger LOG = LoggerFactory.getLogger(LoopQueue.class);
  private static final long DRAIN_NANOS = 1_000_000;

  private final PinnedLoop loop;
  private final int limit;
  private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
  private final AtomicInteger depth = new AtomicInteger();
  private final AtomicBoolean draining = new AtomicBoolean();
  private final LongAdder refused = new LongAdder();

  LoopQueue(PinnedLoop loop, int limit) {
    this.loop = loop;
    this.limit = limit;
  }

  /**
   * Hands a command to the loop, unless too many wait already.
   *
   * @return false when it was refused, and counted as such
   */
  public boolean offer(Runnable command) {
    if (depth.incrementAndGet() > limit) {
      depth.decrementAndGet();
      refused.increment();
      return false;
    }
    add(command);
    return true;
  }

  /**
   * Hands a command to the loop that must not be lost: changes of state that the master itself
   * made, and answers. Their number is bounded by the calls that caused them.
   */
  public void post(Runnable command) {
    depth.incrementAndGet();
    add(command);
  }

  /** How many commands wait. */
  public int depth() {
    return depth.get();
  }

  /** How many commands were refused. */
  public long refused() {
    return refused.sum();
  }

  private void add(Runnable command) {
    commands.add(command);
    if (!draining.get() && draining.compareAndSet(false, true)) {
      loop.execute(this::drain);
    }
  }

  private void drain() {
    long startedNanos = System.nanoTime();
    for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
      depth.decrementAndGet();
      loop.meter().mark(command);
      try {
        command.run();
      } catch (RuntimeException | Error e) {
        LOG.error("a command of loop {} failed; this is a bug", loop.name(), e);
      }
      if (System.nanoTime() - startedNanos >= DRAIN_NANOS) {
        // A timer that is due at once runs after the next poll of the sockets; see LoopSweeps.
        loop.schedule(this::drain, 0, TimeUnit.NANOSECONDS);
        return;
      }
    }
    draining.set(false);
    // Whoever added between the last poll and the line above saw draining set and left it to us.
    if (!commands.isEmpty() && draining.compareAndSet(false, true)) {
      loop.schedule(this::drain, 0, TimeUnit.NANOSECONDS);
    }
  }
}
