package io.moonpool.master.segment;

import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.util.UUID;

/**
 * What the segment owner asks the client monitor. On the control loop, which both run on: between
 * an admission and what follows from it no client can go OFFLINE.
 */
public interface NodeAdmission {
  /** Whether a message of that incarnation may be carried out; see {@code ClientRegistry.admit}. */
  ErrorCode admit(UUID nodeId, long incarnation);

  /**
   * The failure of a message that is not admitted.
   *
   * @param code what {@link #admit} answered, not OK
   */
  static StoreException refusal(ErrorCode code, UUID nodeId) {
    return new StoreException(
        code,
        "node "
            + nodeId
            + " is not registered at this master with that incarnation: register it again");
  }

  /** The state of the node's latest incarnation. */
  ClientState state(UUID nodeId);

  /** An operation of that incarnation succeeded: it was heard from. */
  void observe(UUID nodeId, long incarnation);
}
