package io.moonpool.protocol.bus;

/**
 * Every event-bus address of Moonpool. An incompatible change of a body gets a new version in its
 * address.
 */
public final class Addresses {
  /** What every address starts with. */
  public static final String PREFIX = "moonpool.v1.";

  /** Published when a node's liveness changed: ACTIVE, SUSPECTED or OFFLINE. */
  public static final String CLIENT_EVENTS = PREFIX + "client.events";

  /** Published when a segment was mounted, unmounted or changed its status. */
  public static final String SEGMENT_EVENTS = PREFIX + "segment.events";

  /** Published when a drain job changed its state. */
  public static final String DRAIN_EVENTS = PREFIX + "drain.events";

  private Addresses() {}
}
