package io.moonpool.master.loop;

/** What an event loop of the master is for. */
public enum LoopRole {
  /** Pings and the observed clock; one loop, and nothing else ever runs there. */
  HEARTBEAT,
  /** Segments and client monitor; one loop. */
  CONTROL,
  /** A share of the object shards, and connections of the main port. */
  METADATA,
  /**
   * Everything that is not placed on purpose: gRPC, REST, event-bus consumers, callers' contexts.
   */
  SERVICE
}
