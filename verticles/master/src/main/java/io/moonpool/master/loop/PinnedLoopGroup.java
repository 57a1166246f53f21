package io.moonpool.master.loop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The I/O loops of the master's Vert.x. {@link #next} gives a caller that has bound {@link
 * #TARGETS} the loops it named, in turn, and everybody else a service loop: only what is placed on
 * purpose runs on the other loops.
 */
final class PinnedLoopGroup extends MultiThreadIoEventLoopGroup {
  /** The loops that contexts made in this scope get, one after the other. */
  static final ScopedValue<Iterator<PinnedLoop>> TARGETS = ScopedValue.newInstance();

  private final List<PinnedLoop> loops = new ArrayList<>();
  private final List<PinnedLoop> serviceLoops = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  PinnedLoopGroup(LoopPlan plan, ThreadFactory threads, IoHandlerFactory ioHandlers) {
    super(plan.size(), threads, ioHandlers, plan, threads, new AtomicInteger());
    for (EventExecutor executor : this) {
      PinnedLoop loop = (PinnedLoop) executor;
      loops.add(loop);
      if (loop.role() == LoopRole.SERVICE) {
        serviceLoops.add(loop);
      }
    }
  }

  /** Called by the super constructor, once a loop, with the arguments that were passed to it. */
  @Override
  protected IoEventLoop newChild(
      Executor executor, IoHandlerFactory ioHandlers, Object... arguments) {
    LoopPlan plan = (LoopPlan) arguments[0];
    ThreadFactory threads = (ThreadFactory) arguments[1];
    int index = ((AtomicInteger) arguments[2]).getAndIncrement();
    return new PinnedLoop(this, plan.role(index), plan.name(index), threads, ioHandlers);
  }

  @Override
  public IoEventLoop next() {
    if (TARGETS.isBound()) {
      return TARGETS.get().next();
    }
    return serviceLoops.get(Math.floorMod(turn.getAndIncrement(), serviceLoops.size()));
  }

  List<PinnedLoop> loops() {
    return loops;
  }
}
