package io.moonpool.node.planted;

/** A violation: a library does not talk to the terminal. */
public final class Prints {
  void greet() {
    System.out.println("hello");
  }
}
