package io.moonpool.master.api.planted;

import io.moonpool.master.loop.MasterLoops;

/** A violation: work on the reserved loop. */
public final class BorrowsTheHeartbeatLoop {
  String borrow(MasterLoops loops) {
    return loops.heartbeat().name();
  }
}
