package io.moonpool.master.heartbeat;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.protocol.heartbeat.PingStatus;

/**
 * Records pings. The heartbeat port and, as fallback, the main port use it. A master has one, a
 * {@link SlotRecorder}.
 *
 * <p>Any loop may call it; it takes no lock, allocates nothing and waits for nothing.
 */
public interface PingRecorder {
  /** Records a ping and tells what to answer. */
  PingStatus record(int slot, long incarnation);

  /** The clock that pings are recorded on. */
  ObservedClock clock();
}
