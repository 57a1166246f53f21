package io.moonpool.master.loop;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * One event loop with a name, a task quantum of a millisecond, a count of its passes (a pass polls
 * the sockets once, then runs tasks), and a meter that looks between any two tasks.
 */
final class PinnedLoop extends SingleThreadIoEventLoop {
  private static final int QUANTUM_MILLIS = 1;

  private final String name;
  private final LoopRole role;
  private final LongSupplier cpuNanos;
  private final HandlerMeter meter;
  private long pass;

  PinnedLoop(
      IoEventLoopGroup parent,
      LoopRole role,
      String name,
      ThreadFactory threads,
      IoHandlerFactory ioHandlers) {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    LongSupplier currentThreadCpu = bean::getCurrentThreadCpuTime;
    this.name = name;
    this.role = role;
    this.cpuNanos = currentThreadCpu;
    this.meter = new HandlerMeter(name, System::nanoTime, currentThreadCpu);
    super(
        parent,
        task -> {
          Thread thread = threads.newThread(task);
          thread.setName(name);
          return thread;
        },
        ioHandlers,
        DEFAULT_MAX_PENDING_TASKS,
        RejectedExecutionHandlers.reject(),
        QUANTUM_MILLIS);
  }

  String name() {
    return name;
  }

  LoopRole role() {
    return role;
  }

  HandlerMeter meter() {
    return meter;
  }

  /** CPU time of the current thread, in nanoseconds. */
  LongSupplier cpuNanos() {
    return cpuNanos;
  }

  /** The number of the current pass. On the loop only. */
  long pass() {
    return pass;
  }

  @Override
  protected void run() {
    meter.begin();
    super.run();
  }

  @Override
  protected int runIo() {
    meter.mark("its sockets");
    pass++;
    return super.runIo();
  }

  @Override
  protected Runnable pollTask() {
    Runnable next = super.pollTask();
    meter.mark(next);
    return next;
  }
}
