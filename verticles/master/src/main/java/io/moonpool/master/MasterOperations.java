package io.moonpool.master;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.call.UnregisterNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Everything that a master can be asked, independent of the interface it is asked through. Decode,
 * call one of these, encode.
 *
 * <p>Call from any Vert.x context; the future completes on that context. A call fails with a {@link
 * io.moonpool.model.StoreException} when all of it failed (bad parameters, full queue); items of a
 * batch fail one by one as {@link Outcome}s, in the order of the request.
 */
public interface MasterOperations {
  /** Agrees on a protocol version and tells the caller about this master. */
  Future<HelloAnswer> hello(Hello request);

  /** Starts to put objects that do not exist yet, for a client of Moonpool. */
  default Future<List<Outcome<StartedObject>>> putStart(StartObjects request) {
    return putStart(request, ClientProtocol.MOONPOOL);
  }

  /**
   * Starts to put objects that do not exist yet.
   *
   * @param writer decides where objects may go, and for how long they may be written
   */
  Future<List<Outcome<StartedObject>>> putStart(StartObjects request, ClientProtocol writer);

  /**
   * Starts to put objects that may exist, for a client of Moonpool; the old value stays until the
   * end call.
   */
  default Future<List<Outcome<StartedObject>>> upsertStart(StartObjects request) {
    return upsertStart(request, ClientProtocol.MOONPOOL);
  }

  /**
   * Starts to put objects that may exist; the old value stays until the end call.
   *
   * @param writer as in {@link #putStart(StartObjects, ClientProtocol)}
   */
  Future<List<Outcome<StartedObject>>> upsertStart(StartObjects request, ClientProtocol writer);

  /** Makes written objects visible; for puts and upserts. */
  Future<List<Outcome<Void>>> end(EndObjects request);

  /** Gives up writes; for puts and upserts. */
  Future<List<Outcome<Void>>> revoke(RevokeObjects request);

  /** Locates objects for reading and leases them. */
  Future<List<Outcome<LocatedObject>>> locate(NamedObjects request);

  /** Tells which objects can be read, and leases those. */
  Future<List<Outcome<Boolean>>> exists(NamedObjects request);

  /** Describes objects without leasing them. */
  Future<List<Outcome<ObjectInfo>>> describe(NamedObjects request);

  /** Removes objects. */
  Future<List<Outcome<Void>>> remove(RemoveObjects request);

  /** Removes all matching objects; those that cannot be removed stay. Answers how many went. */
  Future<Long> removeMatching(RemoveMatching request);

  /**
   * As above, but stops early when nobody waits for the answer any more.
   *
   * @param callerGone asked again and again, by any thread
   */
  default Future<Long> removeMatching(RemoveMatching request, BooleanSupplier callerGone) {
    return removeMatching(request);
  }

  /** One page of the objects of a tenant. */
  Future<ObjectPage> list(ListObjects request);

  /**
   * As above, but stops early when nobody waits for the answer any more.
   *
   * @param callerGone asked again and again, by any thread
   */
  default Future<ObjectPage> list(ListObjects request, BooleanSupplier callerGone) {
    return list(request);
  }

  /** Registers a node, or a new incarnation of it. */
  Future<NodeRegistration> registerNode(RegisterNode request);

  /** A node leaves: it is OFFLINE at once. Completes when nothing of it is left. */
  Future<Void> unregisterNode(UnregisterNode request);

  /**
   * Mounts segments; answers their generations. A few such calls are carried out at one time; the
   * others wait, as long as it takes.
   */
  Future<List<Outcome<Long>>> mountSegments(MountSegments request);

  /**
   * As above, but not at all when nobody waits for the answer any more once it is its turn.
   *
   * @param callerGone asked by any thread
   */
  default Future<List<Outcome<Long>>> mountSegments(
      MountSegments request, BooleanSupplier callerGone) {
    return mountSegments(request);
  }

  /** Unmounts a segment; completes when nothing of it is left. */
  Future<Void> unmountSegment(UnmountSegment request);

  /** Describes segments; unknown generations are left out. */
  Future<List<SegmentInfo>> describeSegments(DescribeSegments request);

  /** All registered nodes. */
  Future<List<ClientInfo>> clients();
}
