package io.moonpool.core.liveness;

/** What a ping is answered. */
public enum PingAnswer {
  /** The ping counts. */
  OK,
  /** The master does not know this incarnation: the node must register and mount again. */
  NEED_REMOUNT
}
