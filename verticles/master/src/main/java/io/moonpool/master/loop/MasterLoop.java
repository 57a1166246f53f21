package io.moonpool.master.loop;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/** One event loop of the master, with the bounds of what runs on it. */
public final class MasterLoop {
  private final Vertx vertx;
  private final PinnedLoop loop;
  private final LoopQueue queue;
  private final SliceBudget budget;
  private final LoopSweeps sweeps;

  MasterLoop(Vertx vertx, PinnedLoop loop, int queueLimit) {
    this.vertx = vertx;
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

  /**
   * Runs a call on this loop: at once when the caller is on it, through the queue otherwise. Any
   * thread.
   *
   * @param body runs on this loop; what it throws fails the call
   * @return completes on the caller's context; fails with UNAVAILABLE_IN_CURRENT_STATUS when the
   *     queue is full
   */
  public <T> Future<T> call(Supplier<Future<T>> body) {
    if (isCurrent()) {
      return guarded(body);
    }
    Context caller = vertx.getOrCreateContext();
    Promise<T> promise = Promise.promise();
    boolean taken = queue.offer(new Command<>(body, caller, promise));
    return taken ? promise.future() : Future.failedFuture(overloaded());
  }

  /** Like {@link #call}, for commands of the master itself that must not be lost: never refused. */
  public <T> Future<T> command(Supplier<Future<T>> body) {
    if (isCurrent()) {
      return guarded(body);
    }
    Context caller = vertx.getOrCreateContext();
    Promise<T> promise = Promise.promise();
    queue.post(new Command<>(body, caller, promise));
    return promise.future();
  }

  /** A call from another loop, whose answer goes back there. */
  private record Command<T>(Supplier<Future<T>> body, Context caller, Promise<T> promise)
      implements Runnable, NamedHandler {
    @Override
    public void run() {
      guarded(body).onComplete(result -> caller.runOnContext(ignored -> promise.handle(result)));
    }

    @Override
    public String name() {
      return body.getClass().getName();
    }
  }

  private static <T> Future<T> guarded(Supplier<Future<T>> body) {
    try {
      return body.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private StoreException overloaded() {
    return new StoreException(
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        "the queue of " + loop.name() + " is full: try again later, or with larger batches");
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
