package io.moonpool.client;

import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Transports;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;

/**
 * A mounted segment and the way to it.
 *
 * @param near whether it is on the client's own physical host
 */
record ReachableSegment(Transports transports, PeerSegment peer, boolean near) {

  /** Writes local memory; see {@link Transports#put}. */
  Future<Void> put(MemorySegment local, long offset, long deadlineNanos) {
    return transports.put(local, peer, offset, deadlineNanos);
  }

  /** Reads into local memory; see {@link Transports#get}. */
  void get(MemorySegment local, long offset, long deadlineNanos, Completable<Void> done) {
    transports.get(local, peer, offset, deadlineNanos, done);
  }
}
