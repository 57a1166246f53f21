package io.moonpool.master.drain;

/** Time and deadlines, on the control loop. */
interface DrainClock {
  /** Monotonic, in milliseconds. */
  long nowMillis();

  /** The wall clock, in milliseconds, for what people see. */
  long wallMillis();

  /** Runs something on this loop after so many milliseconds, not before this call returns. */
  Timer in(long delayMillis, Runnable action);

  /** A deadline that has been set. */
  interface Timer {
    /** The action is not run any more. */
    void cancel();
  }
}
