package io.moonpool.core.planted;

/** A violation: time is an argument. */
public final class AsksTheClock {
  long deadline() {
    return System.nanoTime() + 1;
  }
}
