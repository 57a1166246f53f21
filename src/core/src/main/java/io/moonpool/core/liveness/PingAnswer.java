package io.moonpool.core.liveness;

/** What a ping is answered. */
public enum PingAnswer {
  /** The ping counts. */
  OK,
  /** The ping counts, and ends a suspicion: until now nothing of the node was served. */
  SUSPECTED,
  /** The master does not know this incarnation: the node must register and mount again. */
  NEED_REMOUNT
}
