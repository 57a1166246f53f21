package io.moonpool.node;

import java.util.concurrent.atomic.LongAdder;

/** What the heartbeat sender counts. Written on its loop, read by anyone. */
final class HeartbeatStats {
  /** Pings sent to the heartbeat port. */
  final LongAdder sent = new LongAdder();

  /** Pings sent to the main port, since the heartbeat port did not answer. */
  final LongAdder sentToMainPort = new LongAdder();

  /** Answers to current pings. */
  final LongAdder answered = new LongAdder();

  /** Answers that asked for a remount. */
  final LongAdder remountsAsked = new LongAdder();

  private volatile long answeredNanos = System.nanoTime();
  private volatile long roundTripNanos;

  /** The master has just been heard from in another way. */
  void heard(long nowNanos) {
    answeredNanos = nowNanos;
  }

  void answer(long nowNanos, long sentNanos) {
    answered.increment();
    roundTripNanos = nowNanos - sentNanos;
    answeredNanos = nowNanos;
  }

  /** How long the master has not answered, in milliseconds. */
  long silentMillis() {
    return (System.nanoTime() - answeredNanos) / 1_000_000;
  }

  /** The round trip of the last ping that was answered, in nanoseconds. */
  long roundTripNanos() {
    return roundTripNanos;
  }
}
