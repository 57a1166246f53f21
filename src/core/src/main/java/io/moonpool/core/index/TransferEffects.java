package io.moonpool.core.index;

import java.util.UUID;

/**
 * What copies, moves and drains do to the world outside the index. Called in the middle of the call
 * that causes it, on the thread of that call: take the values, do not call the index back.
 */
public interface TransferEffects {
  /** A transfer ran out of its grant and was given up. */
  void expired(UUID task);

  /**
   * Something has happened that a lane waited for. Not repeated before the lane was asked what
   * there is to do.
   */
  void laneChanged(UUID job);
}
