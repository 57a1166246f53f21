package io.moonpool.master.metadata;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Tells the loops that have lanes that space became free, whichever loop freed it: segments are
 * shared. Any thread.
 *
 * <p>A loop is told once until it has heard. It says that it has heard before it looks for space,
 * so what is freed meanwhile is told again.
 */
final class LaneSpace {
  private static final int UNCONCERNED = 0;
  private static final int CONCERNED = 1;
  private static final int TOLD = 2;

  /** By loop; then that of who starts transfers by hand. */
  private final AtomicIntegerArray states;

  private final int byHand;

  LaneSpace(int loops) {
    states = new AtomicIntegerArray(loops + 1);
    byHand = loops;
  }

  /** Who starts transfers by hand wants to be told, once. */
  void wantByHand() {
    states.set(byHand, CONCERNED);
  }

  /** Whether who starts transfers by hand is to be told now. */
  boolean claimByHand() {
    return claim(byHand);
  }

  /** A loop has lanes from now on, or has none any more. Called by that loop. */
  void concerns(int loop, boolean concerned) {
    states.set(loop, concerned ? CONCERNED : UNCONCERNED);
  }

  /** Whether a loop is to be told now; the caller tells it. */
  boolean claim(int loop) {
    return states.get(loop) == CONCERNED && states.compareAndSet(loop, CONCERNED, TOLD);
  }

  /** A loop has been told. Called by that loop. */
  void heard(int loop) {
    states.compareAndSet(loop, TOLD, CONCERNED);
  }
}
