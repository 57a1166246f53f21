package io.moonpool.app.blocking;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a future and turns its failure into an exception. */
public final class Await {
  private Await() {}

  /**
   * The result of a future.
   *
   * @throws StoreException its failure; RPC_TIMEOUT when it does not complete in time,
   *     UNAVAILABLE_IN_CURRENT_STATUS when this thread is interrupted; failures of other kinds
   *     become INTERNAL_ERROR
   */
  public static <T> T result(Future<T> future, Duration limit) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw asStoreException(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new StoreException(
          ErrorCode.RPC_TIMEOUT, "no answer within " + limit.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "interrupted");
    }
  }

  private static StoreException asStoreException(Throwable failure) {
    if (failure instanceof StoreException store) {
      return store;
    }
    StoreException wrapped = new StoreException(ErrorCode.INTERNAL_ERROR, failure.toString());
    wrapped.addSuppressed(failure);
    return wrapped;
  }
}
