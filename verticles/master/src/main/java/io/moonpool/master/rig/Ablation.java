package io.moonpool.master.rig;

/** A protection of the heartbeat that is taken away, to see that a rig would notice. */
public enum Ablation {
  /** None: a master as it is. */
  NONE,
  /**
   * Heartbeats are served on a loop that serves the index as well, and remounts walk the whole
   * index in one go.
   */
  SHARED_LOOP,
  /** A ping needs a lock that remounts hold while they walk the whole index. */
  LOCK
}
