package io.moonpool.core.liveness;

import io.moonpool.model.ErrorCode;
import java.util.Optional;

/** What became of a node's wish to register. */
public sealed interface Registration {
  /**
   * The node is registered.
   *
   * @param incarnation part of every later message of the node
   * @param slot its liveness slot, part of every ping
   * @param renewed true when the same process was registered already and keeps its incarnation
   * @param superseded the end of an earlier incarnation that was not yet OFFLINE; what follows from
   *     OFFLINE has to be done for it
   */
  record Accepted(
      long incarnation, int slot, boolean renewed, Optional<LivenessTransition> superseded)
      implements Registration {}

  /**
   * The node may not register.
   *
   * @param message a sentence for people: what is wrong and what to do
   */
  record Refused(ErrorCode code, String message) implements Registration {}
}
