package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.TimeUnit;

/**
 * A transport whose first transfer to a segment opens a way to it, which later ones take.
 *
 * @param <W> the way
 */
interface OpeningTransport<W> extends Transport {
  /**
   * The way to a segment, opened when there is none yet. Any thread.
   *
   * @return fails with a {@link StoreException} when the peer refuses or is not there, and with
   *     another exception when this transport does not lead to it
   */
  Future<W> open(ContextInternal context, RemoteSegment remote);

  /** Like {@link #open}, but fails at the deadline, and completes on the context. */
  default Future<W> openInTime(ContextInternal context, RemoteSegment remote, long deadlineNanos) {
    Vertx vertx = context.owner();
    Promise<W> promise = context.promise();
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    long timer =
        vertx.setTimer(
            Math.max(1, leftMillis),
            fired -> promise.tryFail(new StoreException(ErrorCode.LEASE_EXPIRED)));
    open(context, remote)
        .onComplete(
            opened -> {
              vertx.cancelTimer(timer);
              if (opened.succeeded()) {
                promise.tryComplete(opened.result());
              } else {
                promise.tryFail(opened.cause());
              }
            });
    return promise.future();
  }

  /** A failure to open as a caller gets it: a {@link StoreException} as it is. */
  StoreException refusal(Throwable cause);
}
