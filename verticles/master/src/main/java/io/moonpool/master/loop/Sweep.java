package io.moonpool.master.loop;

/** Work that is cut into steps, so that it never holds an event loop. */
@FunctionalInterface
public interface Sweep {
  /**
   * Does a step, about 20 to 50 microseconds of work. Called on the loop, as often as the budget of
   * a pass allows.
   *
   * @return true when more is left
   */
  boolean step();
}
