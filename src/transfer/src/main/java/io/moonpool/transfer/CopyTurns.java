package io.moonpool.transfer;

import io.netty.util.concurrent.FastThreadLocal;
import io.vertx.core.Context;
import java.util.concurrent.TimeUnit;

/**
 * Decides which copies an event loop makes itself. To hand a copy of 1 MiB to a worker and back may
 * take as long as the copy; but a loop that copied all that it is asked for would do nothing else.
 * So it makes small ones always, and medium ones for up to half of each millisecond. Any thread.
 */
final class CopyTurns {
  /** Up to some 10 microseconds: always made here. */
  private static final long SMALL_BYTES = 64 << 10;

  /** Up to some 200 microseconds: made here when it is the loop's turn. */
  private static final long MEDIUM_BYTES = 1 << 20;

  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SHARE_NANOS = WINDOW_NANOS / 2;

  /** What a loop has copied lately. */
  private static final class Turn {
    long windowNanos;
    long usedNanos;
  }

  private final FastThreadLocal<Turn> turns =
      new FastThreadLocal<>() {
        @Override
        protected Turn initialValue() {
          return new Turn();
        }
      };

  /** Whether the calling thread makes a copy of that size itself. */
  boolean isHere(long bytes, long nowNanos) {
    if (bytes <= SMALL_BYTES || !Context.isOnEventLoopThread()) {
      return true;
    }
    if (bytes > MEDIUM_BYTES) {
      return false;
    }
    Turn turn = turns.get();
    if (nowNanos - turn.windowNanos >= WINDOW_NANOS) {
      turn.windowNanos = nowNanos;
      turn.usedNanos = 0;
    }
    return turn.usedNanos < SHARE_NANOS;
  }

  /** The calling thread has made a copy that {@link #isHere} let it make. */
  void made(long bytes, long nanos) {
    if (bytes > SMALL_BYTES && Context.isOnEventLoopThread()) {
      turns.get().usedNanos += nanos;
    }
  }
}
