package io.moonpool.master.heartbeat;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.core.liveness.PingAnswer;
import io.moonpool.core.liveness.PublishedClients;
import io.moonpool.protocol.heartbeat.PingStatus;

/**
 * Records a ping straight in the node's liveness slot: a volatile read of the current view and one
 * timestamp written. The heartbeat port and, as fallback, the main port use it.
 *
 * <p>Any loop may call it; it takes no lock, allocates nothing and waits for nothing.
 *
 * @param clients where the monitor publishes the view
 * @param clock the observed clock
 */
public record PingRecorder(PublishedClients clients, ObservedClock clock) {
  /** Records a ping and tells what to answer. */
  public PingStatus record(int slot, long incarnation) {
    PingAnswer answer = clients.current().ping(slot, incarnation, clock.millis());
    return answer == PingAnswer.OK ? PingStatus.OK : PingStatus.NEED_REMOUNT;
  }
}
