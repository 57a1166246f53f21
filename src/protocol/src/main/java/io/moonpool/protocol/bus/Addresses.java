package io.moonpool.protocol.bus;

/**
 * Every public address of the event bus.
 *
 * <p>A request carries a JSON object and is answered with one; it fails with a {@link
 * io.vertx.core.eventbus.ReplyException} whose code is the number of an error of the table and
 * whose message is a sentence. An event is published to everybody who listens. An incompatible
 * change of a body gets a new version in its address; new fields in answers and events are
 * compatible.
 */
public final class Addresses {
  /** What every address starts with. */
  public static final String PREFIX = "moonpool.v1.";

  /** Request: starts to put objects that do not exist yet. */
  public static final String PUT_START = PREFIX + "objects.put-start";

  /** Request: starts to put objects that may exist. */
  public static final String UPSERT_START = PREFIX + "objects.upsert-start";

  /** Request: makes written objects visible. */
  public static final String END = PREFIX + "objects.end";

  /** Request: gives up writes. */
  public static final String REVOKE = PREFIX + "objects.revoke";

  /** Request: locates objects for reading, and leases them. */
  public static final String LOCATE = PREFIX + "objects.locate";

  /** Request: tells which objects can be read, and leases those. */
  public static final String EXISTS = PREFIX + "objects.exists";

  /** Request: describes objects without leasing them. */
  public static final String DESCRIBE = PREFIX + "objects.describe";

  /** Request: removes objects. */
  public static final String REMOVE = PREFIX + "objects.remove";

  /** Request: removes every object of a tenant whose key matches. */
  public static final String REMOVE_MATCHING = PREFIX + "objects.remove-matching";

  /** Request: lists the objects of a tenant page by page. */
  public static final String LIST_OBJECTS = PREFIX + "objects.list";

  /** Request: lists segments. */
  public static final String LIST_SEGMENTS = PREFIX + "segments.list";

  /** Request: takes a segment out of the pool. */
  public static final String UNMOUNT_SEGMENT = PREFIX + "segments.unmount";

  /** Request: lists the clients, which are the nodes that are registered. */
  public static final String LIST_CLIENTS = PREFIX + "clients.list";

  /** Request: the pool as a whole. */
  public static final String CLUSTER_SUMMARY = PREFIX + "cluster.summary";

  /** Event: a node was registered, or its liveness changed: active, suspected or offline. */
  public static final String CLIENT_EVENTS = PREFIX + "client.events";

  /** Event: a segment was mounted, unmounted or changed its status. */
  public static final String SEGMENT_EVENTS = PREFIX + "segment.events";

  /** Event: a drain job changed its state. */
  public static final String DRAIN_EVENTS = PREFIX + "drain.events";

  private Addresses() {}
}
