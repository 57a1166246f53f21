package io.moonpool.core.planted;

/** A violation: the core has no threads. */
public final class StartsAThread {
  void start(Runnable work) {
    Thread.ofVirtual().start(work);
  }
}
