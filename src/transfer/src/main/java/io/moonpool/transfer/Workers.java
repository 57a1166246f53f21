package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Named threads for blocking work, which closing does not cut short. A {@link WorkerExecutor} that
 * is closed forgets the work that still waits for a thread, and interrupts what runs: whoever waits
 * for either waits for ever. These end all work that they were given first. Any thread may call.
 */
public final class Workers {
  private final WorkerExecutor executor;

  /** Work that has not ended, and one more until these are closed; 0 when all is over. */
  private final AtomicInteger pending = new AtomicInteger(1);

  private final Promise<Void> over = Promise.promise();
  private volatile boolean closed;

  /**
   * Starts threads when they are needed.
   *
   * @param name of the threads, each with a number after it
   * @param threads at most so many
   */
  public Workers(Vertx vertx, String name, int threads) {
    this.executor = vertx.createSharedWorkerExecutor(name, threads);
  }

  /**
   * Runs work on one of the threads, next to other work.
   *
   * @return completes on the caller's context, as the work does; fails with {@link
   *     ErrorCode#UNAVAILABLE_IN_CURRENT_STATUS} when these are closed
   */
  public <T extends @Nullable Object> Future<T> run(Callable<T> work) {
    return run(work, false);
  }

  /** Like {@link #run}, after what was given by this method on the same context before. */
  public <T extends @Nullable Object> Future<T> runInOrder(Callable<T> work) {
    return run(work, true);
  }

  @SuppressWarnings("NullAway") // The executor answers null only when the work does.
  private <T extends @Nullable Object> Future<T> run(Callable<T> work, boolean inOrder) {
    if (closed || pending.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "this process or client is being closed"));
    }
    return executor.executeBlocking(work, inOrder).onComplete(ended -> done());
  }

  private void done() {
    if (pending.decrementAndGet() == 0) {
      over.complete();
    }
  }

  /**
   * Takes no more work; completes when all that was given has ended. More than once is the same.
   */
  public Future<Void> close() {
    synchronized (this) {
      if (!closed) {
        closed = true;
        done();
      }
    }
    return over.future().transform(all -> executor.close());
  }
}
