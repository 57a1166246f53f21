package io.moonpool.node;

import java.util.concurrent.atomic.LongAdder;

/** What a node knows of itself. Each field is written by one verticle and read by anyone. */
final class NodeHealth {
  private volatile NodeState state = NodeState.STARTING;
  private volatile long activeTtlMillis = Long.MAX_VALUE;
  private volatile int segments;
  private volatile long segmentBytes;

  /** How often the node mounted again since it started. */
  final LongAdder remounts = new LongAdder();

  NodeState state() {
    return state;
  }

  void state(NodeState now) {
    state = now;
  }

  /** How long the master may be silent before this node must assume that it is suspected. */
  long activeTtlMillis() {
    return activeTtlMillis;
  }

  void activeTtlMillis(long millis) {
    activeTtlMillis = millis;
  }

  void segments(int count, long bytes) {
    segments = count;
    segmentBytes = bytes;
  }

  /** How many segments it lends. */
  int segments() {
    return segments;
  }

  /** The bytes of all of them. */
  long segmentBytes() {
    return segmentBytes;
  }
}
