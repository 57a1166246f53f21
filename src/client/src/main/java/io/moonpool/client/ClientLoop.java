package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.function.Supplier;

/**
 * The event loop that all work of a client runs on, and the way there and back. Callers that are on
 * it already pay nothing.
 */
final class ClientLoop {
  private final ContextInternal context;

  private ClientLoop(ContextInternal context) {
    this.context = context;
  }

  /** The caller's event loop when it runs on one, else one of its own. */
  static ClientLoop of(Vertx vertx) {
    ContextInternal current = ContextInternal.current();
    if (current != null && current.owner().equals(vertx) && current.isEventLoopContext()) {
      return new ClientLoop(current.unwrap());
    }
    return new ClientLoop(((VertxInternal) vertx).createEventLoopContext());
  }

  /** True when the calling thread is the loop's. */
  boolean isHere() {
    return context.inThread();
  }

  /** A promise whose listeners run on the loop. */
  <T> Promise<T> promise() {
    return context.promise();
  }

  /** Runs work within the loop's context, at once. Call it on the loop's thread. */
  void dispatch(Runnable work) {
    context.emit(now -> work.run());
  }

  /** Completes on the loop after that time, at least 1 ms. */
  Future<Void> pause(long millis) {
    Promise<Void> over = context.promise();
    context.owner().setTimer(millis, fired -> context.runOnContext(now -> over.complete()));
    return over.future();
  }

  /** A failure of the table. */
  <T> Future<T> failed(ErrorCode code, String message) {
    return context.failedFuture(new StoreException(code, message));
  }

  /**
   * Runs work on the loop; its result arrives on the caller's context, or on the loop when the
   * caller has none.
   */
  <T> Future<T> call(Supplier<Future<T>> work) {
    if (isHere()) {
      return work.get();
    }
    ContextInternal caller = ContextInternal.current();
    Promise<T> promise = caller == null ? context.promise() : caller.promise();
    context.runOnContext(
        ignored -> {
          Future<T> future;
          try {
            future = work.get();
          } catch (RuntimeException e) {
            promise.fail(e);
            return;
          }
          future.onComplete(promise);
        });
    return promise.future();
  }
}
