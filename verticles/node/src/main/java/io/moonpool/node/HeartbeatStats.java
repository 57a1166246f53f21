package io.moonpool.node;

import io.moonpool.model.ClientState;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What the heartbeat sender counts. Written on its loop, read by anyone. */
final class HeartbeatStats {
  /**
   * A gap is shown for so long after it is over, and for twice as long at most: those who look at
   * figures do so each few seconds, not each second.
   */
  static final long SHOWN_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * The longest gaps of late.
   *
   * @param sinceNanos when the present minute began
   * @param presentNanos the longest gap that has ended in it
   * @param beforeNanos the longest gap that ended in the minute before it
   */
  private record Gaps(long sinceNanos, long presentNanos, long beforeNanos) {
    Gaps with(long nowNanos, long gapNanos) {
      long age = nowNanos - sinceNanos;
      if (age >= SHOWN_NANOS) {
        return new Gaps(nowNanos, gapNanos, age < 2 * SHOWN_NANOS ? presentNanos : 0);
      }
      return gapNanos > presentNanos ? new Gaps(sinceNanos, gapNanos, beforeNanos) : this;
    }

    long longest(long nowNanos) {
      long age = nowNanos - sinceNanos;
      if (age < SHOWN_NANOS) {
        return Math.max(presentNanos, beforeNanos);
      }
      return age < 2 * SHOWN_NANOS ? presentNanos : 0;
    }
  }

  /** Pings sent to the heartbeat port. */
  final LongAdder sent = new LongAdder();

  /** Pings sent to the main port, since the heartbeat port did not answer. */
  final LongAdder sentToMainPort = new LongAdder();

  /** Answers to current pings. */
  final LongAdder answered = new LongAdder();

  /** Answers that came from the heartbeat port. */
  final LongAdder answeredByHeartbeatPort = new LongAdder();

  /** Answers that asked for a remount. */
  final LongAdder remountsAsked = new LongAdder();

  /** Answers that told of a suspicion: for some time nothing of this node was served. */
  final LongAdder suspicions = new LongAdder();

  private volatile long answeredNanos;
  private volatile long roundTripNanos;
  private volatile long lastGapNanos;
  private volatile long longestGapNanos;
  private volatile Gaps gaps;
  private volatile ClientState state = ClientState.OFFLINE;
  private volatile long masterEpoch;
  private volatile int viewVersion;

  HeartbeatStats(long nowNanos) {
    answeredNanos = nowNanos;
    gaps = new Gaps(nowNanos, 0, 0);
  }

  /** The master has just registered the node: silence and gaps count from here. */
  void registered(long nowNanos) {
    answeredNanos = nowNanos;
    state = ClientState.ACTIVE;
  }

  void answer(long nowNanos, long sentNanos) {
    answered.increment();
    roundTripNanos = nowNanos - sentNanos;
    long gapNanos = nowNanos - answeredNanos;
    lastGapNanos = gapNanos;
    longestGapNanos = Math.max(longestGapNanos, gapNanos);
    gaps = gaps.with(nowNanos, gapNanos);
    answeredNanos = nowNanos;
  }

  void master(ClientState sees, long epoch, int view) {
    state = sees;
    masterEpoch = epoch;
    viewVersion = view;
  }

  /** How long the master has not answered, in milliseconds. */
  long silentMillis() {
    return (System.nanoTime() - answeredNanos) / 1_000_000;
  }

  /** The round trip of the last ping that was answered, in nanoseconds. */
  long roundTripNanos() {
    return roundTripNanos;
  }

  /** The time between the last two answers, or between registration and the first. */
  long lastGapNanos() {
    return lastGapNanos;
  }

  /** The longest of these times that ended in the last minute, or in the one before. */
  long recentGapNanos(long nowNanos) {
    return gaps.longest(nowNanos);
  }

  /** The longest of these times since the start of the process. */
  long longestGapNanos() {
    return longestGapNanos;
  }

  /** How the master saw the node when it last answered; OFFLINE when it does not know it. */
  ClientState state() {
    return state;
  }

  /** The start of the master that answered last; 0 before the first answer. */
  long masterEpoch() {
    return masterEpoch;
  }

  /** The version of that master's view of the nodes. */
  int viewVersion() {
    return viewVersion;
  }
}
