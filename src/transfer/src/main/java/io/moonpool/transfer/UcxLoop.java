package io.moonpool.transfer;

import io.moonpool.ucx.UcxContext;
import io.moonpool.ucx.UcxWorker;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that owns a UCX worker: it takes commands, moves the worker on, and lets its {@link
 * Duty} see to what has changed. With nothing to do it spins for the configured time, then sleeps
 * until the library's event descriptor or a command wakes it.
 *
 * <p>{@link #execute} and {@link #stop} may be called from any thread, everything else belongs to
 * the thread that {@link #run}s, which is a worker of a named executor and never an event loop.
 */
final class UcxLoop {
  private static final Logger LOG = LoggerFactory.getLogger(UcxLoop.class);

  /**
   * A pass that takes longer than this means that the process was stopped or starved, and what has
   * arrived meanwhile may be too late.
   */
  static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The longest sleep: well below {@link #STALL_NANOS}. */
  static final int MAX_SLEEP_MILLIS = 250;

  private static final int STOPPING_SLEEP_MILLIS = 5;
  private static final int PROGRESS_AT_ONCE = 64;
  private static final int COMMANDS_AT_ONCE = 256;

  /** What a loop does besides moving its worker on. All methods run on the loop's thread. */
  interface Duty {
    /** What a {@link #turn} returns that wants another one without any sleep before it. */
    int AGAIN = 0;

    /** A new worker is there; what was made from the one before, if any, is void. */
    void opened(UcxWorker worker);

    /**
     * Sees to what has changed.
     *
     * @return how long the loop may sleep when no event comes, in milliseconds; {@link #AGAIN} when
     *     it has done something, so that there may be more to do at once
     */
    int turn(long nowNanos);

    /** The loop was held up for longer than {@link #STALL_NANOS}; the worker has not moved yet. */
    void stalled();

    /**
     * The loop is to end.
     *
     * @return true when nothing is under way any more
     */
    boolean stopping(long nowNanos);

    /** The worker is closed for good. */
    void ended();
  }

  private record Command(Runnable action, Runnable rejected) {}

  private final UcxContext context;
  private final long spinNanos;
  private final Duty duty;
  private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
  private final Promise<Void> started = Promise.promise();
  private final Promise<Void> ended = Promise.promise();
  private volatile boolean stopping;
  private volatile boolean over;

  /** True while the thread sleeps or is about to; who sets it to false must wake it. */
  private volatile boolean sleeping;

  private volatile @Nullable UcxWorker worker;

  /** When the loop last looked whether it had been held up; its thread's. */
  private long seenNanos;

  UcxLoop(UcxContext context, Duration spin, Duty duty) {
    this.context = context;
    this.spinNanos = spin.toNanos();
    this.duty = duty;
  }

  /** Completes when there is a worker, fails when there can be none. */
  Future<Void> started() {
    return started.future();
  }

  /**
   * Has the thread do something soon.
   *
   * @param rejected run instead, by some thread, when the loop has ended
   */
  void execute(Runnable action, Runnable rejected) {
    Command command = new Command(action, rejected);
    commands.add(command);
    if (over) {
      if (commands.remove(command)) {
        rejected.run();
      }
    } else if (sleeping) {
      wake();
    }
  }

  private void wake() {
    sleeping = false;
    UcxWorker current = worker;
    if (current != null) {
      current.signal();
    }
  }

  /** Ends the loop when nothing is under way; completes when it has ended. */
  Future<Void> stop() {
    stopping = true;
    wake();
    return ended.future();
  }

  /** What the thread does from start to end. */
  void run() {
    try {
      open();
      started.complete();
      passes();
    } catch (RuntimeException e) {
      if (!started.tryFail(e)) {
        LOG.error("ucx ends because of an unexpected error; other transports go on", e);
      }
    } finally {
      end();
    }
  }

  private void open() {
    UcxWorker opened = context.newWorker();
    worker = opened;
    duty.opened(opened);
  }

  /** Closes the worker, which cuts off all peers, and makes another one. */
  void renew() {
    UcxWorker old = worker;
    if (old != null) {
      old.close();
    }
    open();
  }

  private void passes() {
    seenNanos = System.nanoTime();
    long worked = seenNanos;
    while (true) {
      long now = System.nanoTime();
      boolean busy = runCommands();
      busy |= progress();
      int mayIdleMillis = duty.turn(System.nanoTime());
      busy |= mayIdleMillis == Duty.AGAIN;
      if (Thread.interrupted() || (stopping && duty.stopping(now))) {
        return;
      }
      if (busy) {
        // When the work ended, which may have been copies of milliseconds.
        worked = System.nanoTime();
      } else if (now - worked >= spinNanos) {
        sleep(mayIdleMillis);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private boolean runCommands() {
    int done = 0;
    for (; done < COMMANDS_AT_ONCE; done++) {
      Command command = commands.poll();
      if (command == null) {
        break;
      }
      command.action.run();
    }
    return done > 0;
  }

  private boolean progress() {
    for (int i = 0; i < PROGRESS_AT_ONCE; i++) {
      lookForStall();
      UcxWorker current = worker;
      if (current == null || !current.progress()) {
        return i > 0;
      }
    }
    return true;
  }

  /**
   * Right before each step of the worker, which takes what has arrived: wherever the process was
   * stopped or held up, what came meanwhile is not taken before this has looked. Left is a stop in
   * the middle of a step.
   */
  private void lookForStall() {
    long now = System.nanoTime();
    if (now - seenNanos > STALL_NANOS) {
      duty.stalled();
    }
    seenNanos = now;
  }

  private void sleep(int mayIdleMillis) {
    UcxWorker current = worker;
    if (current == null) {
      return;
    }
    // A command that is added from here on wakes the worker; one that was added before is seen now.
    sleeping = true;
    if (commands.isEmpty()) {
      current.await(Math.min(mayIdleMillis, stopping ? STOPPING_SLEEP_MILLIS : MAX_SLEEP_MILLIS));
    }
    sleeping = false;
  }

  private void end() {
    over = true;
    UcxWorker current = worker;
    if (current != null) {
      current.close();
    }
    duty.ended();
    for (Command command = commands.poll(); command != null; command = commands.poll()) {
      command.rejected.run();
    }
    ended.complete();
  }
}
