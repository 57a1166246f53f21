package io.moonpool.master.heartbeat;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.core.liveness.PingAnswer;
import io.moonpool.core.liveness.PublishedClients;
import io.moonpool.protocol.heartbeat.PingStatus;

/**
 * Records a ping straight in the node's liveness slot: a volatile read of the current view and one
 * timestamp written.
 *
 * @param clients where the monitor publishes the view
 * @param clock the observed clock
 */
public record SlotRecorder(PublishedClients clients, ObservedClock clock) implements PingRecorder {
  @Override
  public PingStatus record(int slot, long incarnation) {
    PingAnswer answer = clients.current().ping(slot, incarnation, clock.millis());
    return answer == PingAnswer.OK ? PingStatus.OK : PingStatus.NEED_REMOUNT;
  }
}
