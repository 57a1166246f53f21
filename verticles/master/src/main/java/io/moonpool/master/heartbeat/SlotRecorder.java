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
 * @param masterEpoch of this start of the master
 */
public record SlotRecorder(PublishedClients clients, ObservedClock clock, int masterEpoch)
    implements PingRecorder {
  @Override
  public PingStatus record(int slot, long incarnation) {
    PingAnswer answer = clients.current().ping(slot, incarnation, clock.millis());
    return switch (answer) {
      case OK -> PingStatus.OK;
      case SUSPECTED -> PingStatus.SUSPECTED;
      case NEED_REMOUNT -> PingStatus.NEED_REMOUNT;
    };
  }

  @Override
  public int viewVersion() {
    return clients.current().version();
  }
}
