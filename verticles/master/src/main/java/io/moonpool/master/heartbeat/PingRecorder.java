package io.moonpool.master.heartbeat;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.protocol.heartbeat.PingStatus;

/**
 * Records pings. The heartbeat port uses it and, as fallback, every other port that takes pings. A
 * master has one, a {@link SlotRecorder}.
 *
 * <p>Any loop may call it; it takes no lock, allocates nothing and waits for nothing.
 */
public interface PingRecorder {
  /** Records a ping and tells what to answer. */
  PingStatus record(int slot, long incarnation);

  /** The start of the master, 1 to 2^31-1; part of every answer. */
  int masterEpoch();

  /** The version of the master's view of the nodes; part of every answer. */
  int viewVersion();

  /** The clock that pings are recorded on. */
  ObservedClock clock();
}
