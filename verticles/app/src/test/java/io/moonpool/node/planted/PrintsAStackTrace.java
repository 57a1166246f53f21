package io.moonpool.node.planted;

/** A violation: a library does not talk to the terminal. */
public final class PrintsAStackTrace {
  void show(Exception e) {
    e.printStackTrace();
  }
}
