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

  /** Request: starts a job that empties segments or a node. */
  public static final String CREATE_DRAIN = PREFIX + "drains.create";

  /** Request: tells what a drain would do. */
  public static final String PLAN_DRAIN = PREFIX + "drains.plan";

  /** Request: describes a drain job. */
  public static final String DESCRIBE_DRAIN = PREFIX + "drains.describe";

  /** Request: lists the drain jobs. */
  public static final String LIST_DRAINS = PREFIX + "drains.list";

  /** Request: ends a drain job before it is done. */
  public static final String CANCEL_DRAIN = PREFIX + "drains.cancel";

  /** Request: has segments take objects again. */
  public static final String UNDRAIN = PREFIX + "drains.undrain";

  /** Request: starts to move an object's replica to another segment. */
  public static final String MOVE_OBJECT = PREFIX + "tasks.move";

  /** Request: starts to copy an object to more segments. */
  public static final String COPY_OBJECT = PREFIX + "tasks.copy";

  /** Request: describes a copy or move. */
  public static final String DESCRIBE_TASK = PREFIX + "tasks.describe";

  /** Request: lists the latest copies and moves. */
  public static final String LIST_TASKS = PREFIX + "tasks.list";

  /** Event: a node was registered, or its liveness changed: active, suspected or offline. */
  public static final String CLIENT_EVENTS = PREFIX + "client.events";

  /** Event: a segment was mounted, unmounted or changed its status. */
  public static final String SEGMENT_EVENTS = PREFIX + "segment.events";

  /** Event: a drain job reached a status, or got on. */
  public static final String DRAIN_EVENTS = PREFIX + "drain.events";

  private Addresses() {}
}
