package io.moonpool.master.loop;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * The sweeps of one event loop. They take turns step by step until the pass's {@link SliceBudget}
 * is used up, then go on in the next pass.
 *
 * <p>The next pass is asked for with a timer that is due at once: the loop looks at its timers only
 * after it has polled its sockets, while a task that is merely queued again may run up to 63 times
 * more before it does.
 *
 * <p>Belongs to the loop's thread.
 */
public final class LoopSweeps {
  private final PinnedLoop loop;
  private final SliceBudget budget;
  private final ArrayDeque<Running> running = new ArrayDeque<>();
  private boolean scheduled;

  LoopSweeps(PinnedLoop loop, SliceBudget budget) {
    this.loop = loop;
    this.budget = budget;
  }

  /**
   * Starts a sweep; its first step runs in a later pass.
   *
   * @return completes on this loop when no work is left, fails when a step throws
   */
  public Future<Void> start(Sweep sweep) {
    Promise<Void> finished = Promise.promise();
    running.addLast(new Running(sweep, finished));
    schedule();
    return finished.future();
  }

  /** How many sweeps are under way. */
  public int size() {
    return running.size();
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(this::runSlice, 0, TimeUnit.NANOSECONDS);
    }
  }

  private void runSlice() {
    scheduled = false;
    budget.begin(loop.pass());
    // A budget that others used up in this pass still leaves each pass one step, so that sweeps
    // end.
    do {
      Running next = running.pollFirst();
      if (next == null) {
        break;
      }
      step(next);
    } while (!budget.exhausted());
    budget.end();
    if (!running.isEmpty()) {
      schedule();
    }
  }

  private void step(Running current) {
    boolean more;
    loop.meter().mark(current.sweep);
    try {
      more = current.sweep.step();
    } catch (RuntimeException | Error e) {
      loop.meter().mark(current);
      current.finished.fail(e);
      return;
    }
    if (more) {
      running.addLast(current);
    } else {
      // What waits for the end has a name of its own: it may encode an answer.
      loop.meter().mark(current);
      current.finished.complete();
    }
  }

  private record Running(Sweep sweep, Promise<Void> finished) implements NamedHandler {
    @Override
    public String name() {
      return "what follows " + sweep.getClass().getName();
    }
  }
}
