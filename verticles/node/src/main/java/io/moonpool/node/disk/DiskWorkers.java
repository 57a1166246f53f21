package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.transfer.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The threads that read and write the disk, with a bounded queue in front. Any context may call;
 * futures complete on it.
 */
final class DiskWorkers {
  private final Workers workers;
  private final int limit;
  private final AtomicInteger pending = new AtomicInteger();

  /** Work that was refused because the queue was full. */
  final LongAdder refused = new LongAdder();

  /** Work that was done. */
  final LongAdder done = new LongAdder();

  /**
   * Workers.
   *
   * @param queueLimit how much work may wait for a thread
   */
  DiskWorkers(Vertx vertx, int threads, int queueLimit) {
    this.workers = new Workers(vertx, "moonpool-disk", threads);
    this.limit = threads + queueLimit;
  }

  /**
   * Runs work on one of the threads, next to other work.
   *
   * @param work must not answer null
   * @return fails with UNAVAILABLE_IN_CURRENT_STATUS when the queue is full, or as the work does
   */
  <T> Future<T> run(Callable<T> work) {
    if (pending.incrementAndGet() > limit) {
      pending.decrementAndGet();
      refused.increment();
      return Future.failedFuture(
          new StoreException(
              ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
              "the disk has more work than it can do: try again, or raise disk_threads or"
                  + " disk_queue_limit"));
    }
    return submit(work);
  }

  /**
   * Like {@link #run}, and never refused. For callers who bound by themselves how much they ask for
   * at a time.
   */
  <T> Future<T> enqueue(Callable<T> work) {
    pending.incrementAndGet();
    return submit(work);
  }

  private <T> Future<T> submit(Callable<T> work) {
    return workers
        .run(work)
        .onComplete(
            ended -> {
              pending.decrementAndGet();
              done.increment();
            });
  }

  /** Work that waits or is under way. */
  int pending() {
    return pending.get();
  }

  Future<Void> close() {
    return workers.close();
  }
}
