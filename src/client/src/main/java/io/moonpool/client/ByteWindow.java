package io.moonpool.client;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;

/**
 * Bounds the bytes of values under way: whoever wants to move bytes takes them from the window
 * first, in order of arrival, and gives them back afterwards. Runs on the client's loop.
 */
final class ByteWindow {
  private record Waiter(long bytes, Promise<Void> promise) {}

  private static final Future<Void> GRANTED = Future.succeededFuture();

  private final ClientLoop loop;
  private final long capacity;
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private long available;
  private boolean granting;

  ByteWindow(ClientLoop loop, long capacity) {
    this.loop = loop;
    this.capacity = capacity;
    this.available = capacity;
  }

  /** What {@link #take} takes for so many bytes: all of the window when they are more than it. */
  long clamp(long bytes) {
    return Math.min(bytes, capacity);
  }

  /**
   * Takes bytes; completes when it is this caller's turn.
   *
   * @param clamped from {@link #clamp}
   */
  Future<Void> take(long clamped) {
    if (waiters.isEmpty() && clamped <= available) {
      available -= clamped;
      return GRANTED;
    }
    Promise<Void> promise = loop.promise();
    waiters.add(new Waiter(clamped, promise));
    return promise.future();
  }

  /** Gives back what {@link #take} took. */
  void give(long clamped) {
    available += clamped;
    if (granting) {
      return; // a waiter that was just granted finished at once: the loop below goes on
    }
    granting = true;
    try {
      for (Waiter next = waiters.peek();
          next != null && next.bytes <= available;
          next = waiters.peek()) {
        waiters.remove();
        available -= next.bytes;
        next.promise.complete();
      }
    } finally {
      granting = false;
    }
  }
}
