package io.moonpool.master.monitor;

import io.vertx.core.Future;

/**
 * What a master can be asked about the liveness of its nodes as a whole. Call from any Vert.x
 * context; futures complete on it, and fail with a {@link io.moonpool.model.StoreException}.
 */
public interface LivenessOperations {
  /** Whether nodes are kept from going OFFLINE, and which. */
  Future<BreakerState> breaker();

  /**
   * An operator says that the nodes which are kept now are gone: they go OFFLINE with the next tick
   * of the monitor. Those whose time passes later are kept again.
   *
   * @return the state before. Fails with UNAVAILABLE_IN_CURRENT_STATUS when no node is kept
   */
  Future<BreakerState> confirmOffline();
}
