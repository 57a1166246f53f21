package io.moonpool.master.segment;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls that mount segments be carried out a few at a time, in the order in which they came.
 * Those that wait have no time limit: a storm of nodes that come back takes as long as it takes.
 * One whose caller has gone away is passed over when its turn comes.
 *
 * <p>Belongs to the control loop; the figures may be read by any thread.
 */
final class MountAdmission {
  private final int most;
  private final Queue<Runnable> queue = new ArrayDeque<>();
  private boolean beginning;
  private volatile int running;
  private volatile int waiting;

  /**
   * Nobody mounts.
   *
   * @param most at one time, at least 1
   */
  MountAdmission(int most) {
    this.most = most;
  }

  /**
   * Carries out a mount when it is its turn.
   *
   * @param callerGone asked when it is its turn: true when nobody waits for the answer any more
   * @return what the mount answers; fails with what {@code gone} gives when its caller went away
   */
  <T> Future<T> admit(
      BooleanSupplier callerGone, Supplier<Future<T>> mount, Supplier<Future<T>> gone) {
    Promise<T> answer = Promise.promise();
    queue.add(() -> run(callerGone.getAsBoolean() ? gone : mount, answer));
    next();
    return answer.future();
  }

  private <T> void run(Supplier<Future<T>> what, Promise<T> answer) {
    Future<T> under;
    try {
      under = what.get();
    } catch (RuntimeException e) {
      under = Future.failedFuture(e);
    }
    under.onComplete(
        ended -> {
          count(-1);
          answer.handle(ended);
          next();
        });
  }

  /** Begins what there is room for; one that ends at once does not call this anew. */
  private void next() {
    if (beginning) {
      return;
    }
    beginning = true;
    try {
      for (Runnable mount = poll(); mount != null; mount = poll()) {
        count(1);
        mount.run();
      }
    } finally {
      beginning = false;
    }
  }

  private @Nullable Runnable poll() {
    Runnable mount = running < most ? queue.poll() : null;
    waiting = queue.size();
    return mount;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void count(int more) {
    running += more;
  }

  /** How many are carried out. */
  int running() {
    return running;
  }

  /** How many wait for their turn. */
  int waiting() {
    return waiting;
  }
}
