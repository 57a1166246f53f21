package io.moonpool.transfer;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The time that is given to transfers of a segment that is withdrawn or mounted anew. */
final class Grace {
  /** How long they may go on before they are cut off. */
  static final long MILLIS = 1_000;

  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private Grace() {}

  private static long endNanos() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
  }

  /**
   * Waits until none is busy any more, or the time is over. Blocks.
   *
   * @return false when the time is over and some still are
   */
  static boolean await(BooleanSupplier busy) {
    long end = endNanos();
    while (busy.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /** Completes when none is busy any more, or the time is over. */
  static Future<Void> over(Vertx vertx, BooleanSupplier busy) {
    Promise<Void> over = Promise.promise();
    poll(vertx, busy, endNanos(), over);
    return over.future();
  }

  /** A timer at a time: one that repeats may fire before it can be cancelled. */
  private static void poll(Vertx vertx, BooleanSupplier busy, long endNanos, Promise<Void> over) {
    if (!busy.getAsBoolean() || System.nanoTime() - endNanos >= 0) {
      over.complete();
    } else {
      vertx.setTimer(1, fired -> poll(vertx, busy, endNanos, over));
    }
  }
}
