package io.moonpool.core.allocation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Keeps the lock word off the cache line of whatever lies before the object. */
abstract class TryLockFrontPadding {
  @SuppressWarnings("unused") // takes up room
  long f0, f1, f2, f3, f4, f5, f6;
}

/** The lock word. */
abstract class TryLockWord extends TryLockFrontPadding {
  @SuppressWarnings("unused") // accessed through TryLock.HELD
  int held;
}

/**
 * A lock that nobody waits for: who does not get it goes elsewhere.
 *
 * <p>What a holder wrote is visible to the next holder. {@link #unlock} is moreover ordered before
 * everything that the same thread reads afterwards, so a thread that left work behind because it
 * did not get the lock can rely on the holder to see that work when it looks after unlocking.
 */
final class TryLock extends TryLockWord {
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(TryLockWord.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // takes up room
  long b0, b1, b2, b3, b4, b5, b6;

  /** Takes the lock when it is free. Not reentrant. */
  boolean tryLock() {
    // Opaque look first: a failing compare-and-set would take the line away from the holder.
    // The compare-and-set (volatile) pairs with the volatile write in unlock().
    return (int) HELD.getOpaque(this) == 0 && HELD.compareAndSet(this, 0, 1);
  }

  /** Gives the lock back. Only the holder may call it. */
  void unlock() {
    // Volatile rather than release: the reads that follow must not move before it.
    HELD.setVolatile(this, 0);
  }
}
