package io.moonpool.master;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.master.heartbeat.PingRecorder;
import io.moonpool.protocol.heartbeat.PingStatus;
import java.util.concurrent.atomic.LongAdder;

/**
 * Records pings that come through further interfaces, and counts them; the heartbeat port and the
 * main port have counters of their own. Any thread.
 */
final class CountedPings implements PingRecorder {
  private final PingRecorder recorder;
  private final LongAdder count = new LongAdder();

  /** Pings that this recorder records. */
  CountedPings(PingRecorder recorder) {
    this.recorder = recorder;
  }

  @Override
  public PingStatus record(int slot, long incarnation) {
    count.increment();
    return recorder.record(slot, incarnation);
  }

  @Override
  public int masterEpoch() {
    return recorder.masterEpoch();
  }

  @Override
  public int viewVersion() {
    return recorder.viewVersion();
  }

  @Override
  public ObservedClock clock() {
    return recorder.clock();
  }

  /** How many there were so far. */
  long count() {
    return count.sum();
  }
}
