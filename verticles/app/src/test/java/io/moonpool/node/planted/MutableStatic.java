package io.moonpool.node.planted;

/** A violation: state without an owner. */
public final class MutableStatic {
  static int count;
}
