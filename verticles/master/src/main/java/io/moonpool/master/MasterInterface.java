package io.moonpool.master;

import io.moonpool.master.api.CallTable;
import io.vertx.core.Future;

/**
 * One more way in to a master next to the hot port: gRPC, REST, the event bus, or another protocol
 * on the hot port itself. It decodes, calls {@link MasterOperations} and encodes.
 */
public interface MasterInterface {
  /** What the master reports its port as. */
  Kind kind();

  /**
   * Adds calls to the hot port. Called for each of its listeners, on that listener's loop, before
   * it listens; what the context tells of {@link MasterOperations} may be called from then on.
   */
  default void addCalls(CallTable calls, MasterContext context) {}

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
    EVENT_BUS,
    /** Another protocol on the hot port. */
    FRAMES
  }
}
