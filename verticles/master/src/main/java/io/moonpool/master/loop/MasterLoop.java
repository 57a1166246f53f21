package io.moonpool.master.loop;

import io.netty.channel.EventLoop;

/** One event loop of the master, with the bounds of what runs on it. */
public final class MasterLoop {
  private final PinnedLoop loop;
  private final LoopQueue queue;
  private final SliceBudget budget;
  private final LoopSweeps sweeps;

  MasterLoop(PinnedLoop loop, int queueLimit) {
    this.loop = loop;
    this.queue = new LoopQueue(loop, queueLimit);
    this.budget = new SliceBudget(loop.cpuNanos());
    this.sweeps = new LoopSweeps(loop, budget);
  }

  /** The name of its thread. */
  public String name() {
    return loop.name();
  }

  /** What it is for. */
  public LoopRole role() {
    return loop.role();
  }

  /** True when the calling thread is this loop's. */
  public boolean isCurrent() {
    return loop.inEventLoop();
  }

  /** What other threads want done here. */
  public LoopQueue queue() {
    return queue;
  }

  /** The sweeps that run here. On the loop only. */
  public LoopSweeps sweeps() {
    return sweeps;
  }

  /**
   * Starts a piece of divisible work outside of a sweep: the first part of a long batch. Pair it
   * with {@link #endSlice}. On the loop only.
   *
   * @return tells when to stop and go on as a sweep
   */
  public SliceBudget beginSlice() {
    budget.begin(loop.pass());
    return budget;
  }

  /** Ends a piece that {@link #beginSlice} started. */
  public void endSlice() {
    budget.end();
  }

  /** Its handlers' CPU time. */
  public HandlerMeter meter() {
    return loop.meter();
  }

  /** The number of the current pass: one poll of the sockets, then tasks. On the loop only. */
  public long pass() {
    return loop.pass();
  }

  /** The loop itself, for servers and timers that Vert.x cannot bind to it. */
  public EventLoop eventLoop() {
    return loop;
  }
}
