package io.moonpool.bench.heartbeat;

/** What the clients of a run are, and where they ping. */
public enum PingWay {
  /** Moonpool's, at the heartbeat port. */
  HEARTBEAT_PORT,
  /** Moonpool's, at the main port, as those do that do not reach the heartbeat port. */
  MAIN_PORT,
  /** Mooncake's, whose protocol knows the main port only. */
  MOONCAKE;

  /** Whether pings share the main port's loops with calls. */
  public boolean isMainPort() {
    return this != HEARTBEAT_PORT;
  }
}
