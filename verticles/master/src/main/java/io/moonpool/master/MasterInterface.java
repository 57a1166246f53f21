package io.moonpool.master;

import io.vertx.core.Future;

/**
 * One more way in to a master next to the hot port: gRPC, REST, the event bus. Owns no state; it
 * decodes, calls {@link MasterOperations} and encodes.
 */
public interface MasterInterface {
  /** What the master reports its port as. */
  Kind kind();

  /**
   * Deploys what it needs on the master's Vert.x and starts to listen; called once, after the hot
   * port is up.
   *
   * @return the port it listens on; 0 when it has none
   */
  Future<Integer> start(MasterContext context);

  /** The interfaces there can be; one each. */
  enum Kind {
    /** gRPC. */
    GRPC,
    /** REST, metrics, health. */
    HTTP,
    /** Addresses of the event bus. */
    EVENT_BUS
  }
}
