package io.moonpool.master.monitor;

import io.moonpool.model.ClientState;
import io.vertx.core.Future;
import java.util.UUID;

/** Who has to act when a node changes its liveness. On the control loop. */
public interface LivenessSubscriber {
  /**
   * A node changed its liveness.
   *
   * @return completes when everything that follows has happened: for OFFLINE, when nothing of the
   *     node is left
   */
  Future<Void> ownerChanged(UUID nodeId, ClientState state);

  /**
   * All clients have been judged, and what followed from that was begun.
   *
   * @param observedMillis the reading of the observed clock that they were judged by
   */
  void judged(long observedMillis);

  /**
   * All clients have been judged, and nodes are kept from going OFFLINE, since it looks as if the
   * way to them were cut. Called instead of {@link #judged}.
   *
   * @param untilMillis on the observed clock: so long, at least, nodes have to come back that have
   *     not been heard from since the master started
   */
  void heldBack(long untilMillis);

  /** Completes when the unmounts of a node's segments that go on now have ended. */
  Future<Void> gone(UUID nodeId);

  /** How many segments a node has mounted, those on their way out included. */
  int countOf(UUID nodeId);
}
