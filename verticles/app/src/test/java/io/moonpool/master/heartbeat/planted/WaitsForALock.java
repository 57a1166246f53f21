package io.moonpool.master.heartbeat.planted;

import java.util.concurrent.locks.Lock;

/** A violation: a ping that waits for a lock. */
public final class WaitsForALock {
  void record(Lock lock) {
    lock.lock();
    lock.unlock();
  }
}
