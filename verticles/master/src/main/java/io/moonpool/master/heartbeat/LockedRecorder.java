package io.moonpool.master.heartbeat;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.protocol.heartbeat.PingStatus;
import java.util.concurrent.locks.Lock;

/**
 * What a master must not do, for the rig that shows why: a ping waits for a lock. Only the load
 * test of heartbeats runs a master with it.
 *
 * @param recorder records once the lock is held
 * @param lock that others hold for as long as they like
 */
public record LockedRecorder(PingRecorder recorder, Lock lock) implements PingRecorder {
  @Override
  public PingStatus record(int slot, long incarnation) {
    lock.lock();
    try {
      return recorder.record(slot, incarnation);
    } finally {
      lock.unlock();
    }
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
}
