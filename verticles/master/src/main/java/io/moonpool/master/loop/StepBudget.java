package io.moonpool.master.loop;

import java.util.function.BooleanSupplier;

/**
 * The length of one step of a sweep, in wall time: what walks of the index ask before each item. At
 * least one item is done in each step, whatever the time.
 *
 * <p>Belongs to the loop's thread; start it anew for each step.
 */
public final class StepBudget implements BooleanSupplier {
  private static final long STEP_NANOS = 40_000;

  private long endNanos;
  private boolean fresh;

  /** Begins a step. */
  public StepBudget start() {
    endNanos = System.nanoTime() + STEP_NANOS;
    fresh = true;
    return this;
  }

  @Override
  public boolean getAsBoolean() {
    if (fresh) {
      fresh = false;
      return true;
    }
    return System.nanoTime() - endNanos < 0;
  }
}
