package io.moonpool.node;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.MemoryOnly;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.OffloadSegment;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.call.UnregisterNode;
import io.moonpool.protocol.frame.FrameClient;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a node asks the master. Runs on the segment verticle's context. */
final class MasterSession {
  /**
   * A registration with its mounts.
   *
   * @param generations one per segment
   */
  record Mounted(HelloAnswer master, NodeRegistration registration, List<Long> generations) {}

  /**
   * As good as never: after a storm many nodes wait for their turn, and whoever asked again would
   * only queue anew. A master that is not there any more shows in the pings meanwhile.
   */
  private static final long MOUNT_TIMEOUT_MILLIS = 600_000;

  private final FrameClient frames;
  private final NodeIdentity identity;
  private final String address;
  private @Nullable NodeRegistration registered;

  /**
   * A session.
   *
   * @param address of the node's REST interface
   */
  MasterSession(FrameClient frames, NodeIdentity identity, String address) {
    this.frames = frames;
    this.identity = identity;
    this.address = address;
  }

  /**
   * Registers this node and mounts its segments. Doing it again changes nothing.
   *
   * @param segments asked for when the node is registered
   * @param registered is told as soon as the node is registered: it has to ping from then on,
   *     however long the master lets the mount wait for its turn
   */
  Future<Mounted> mount(
      Supplier<List<SegmentSpec>> segments, BiConsumer<HelloAnswer, NodeRegistration> registered) {
    return frames
        .call(Calls.HELLO, new Hello(Hello.VERSION, "node " + identity.name()))
        .compose(
            master ->
                frames
                    .call(
                        Calls.REGISTER_NODE,
                        new RegisterNode(
                            identity.nodeId(), identity.startId(), identity.hostId(), address))
                    .onSuccess(
                        registration -> {
                          registered(registration);
                          registered.accept(master, registration);
                        })
                    .compose(
                        registration ->
                            mount(registration, segments.get())
                                .map(
                                    generations ->
                                        new Mounted(master, registration, generations))));
  }

  private void registered(NodeRegistration registration) {
    this.registered = registration;
  }

  private Future<List<Long>> mount(NodeRegistration registration, List<SegmentSpec> segments) {
    if (segments.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return frames
        .call(
            Calls.MOUNT_SEGMENTS,
            new MountSegments(identity.nodeId(), registration.incarnation(), segments),
            MOUNT_TIMEOUT_MILLIS)
        .compose(
            outcomes -> {
              List<Long> generations = new ArrayList<>(segments.size());
              for (int i = 0; i < outcomes.size(); i++) {
                Outcome<Long> outcome = outcomes.get(i);
                if (!outcome.ok()) {
                  return Future.failedFuture(
                      new StoreException(
                          outcome.code(),
                          "the master does not mount segment "
                              + segments.get(i).name()
                              + ": "
                              + outcome.code().sentence()));
                }
                generations.add(outcome.get());
              }
              return generations.size() == segments.size()
                  ? Future.succeededFuture(generations)
                  : Future.failedFuture(
                      new StoreException(
                          ErrorCode.RPC_FAIL,
                          "the master answered "
                              + generations.size()
                              + " of "
                              + segments.size()
                              + " mounts: check its version"));
            });
  }

  /** The segments as the master knows them; those that it does not know any more are left out. */
  Future<List<SegmentInfo>> describe(List<Long> generations) {
    return frames.call(
        Calls.DESCRIBE_SEGMENTS,
        new DescribeSegments(generations.stream().mapToLong(Long::longValue).toArray()));
  }

  /** Takes a segment back at once; completes when nothing of it is left. */
  Future<Void> unmount(long incarnation, UUID segmentId) {
    return frames.call(
        Calls.UNMOUNT_SEGMENT, new UnmountSegment(identity.nodeId(), incarnation, segmentId, 0));
  }

  /** Lends a segment to no new objects any more; completes when nothing of it is left. */
  Future<Void> unmountLater(long incarnation, UUID segmentId, long graceMillis) {
    return frames.call(
        Calls.UNMOUNT_SEGMENT,
        new UnmountSegment(identity.nodeId(), incarnation, segmentId, graceMillis));
  }

  /** Has what is only on a segment written to this node's disk; tells what that is now. */
  Future<MemoryOnly> offload(long incarnation, long generation) {
    return frames.call(
        Calls.OFFLOAD_SEGMENT, new OffloadSegment(identity.nodeId(), incarnation, generation));
  }

  /**
   * Tells the master that this process is about to end, so that the next one of this node need not
   * wait until it is suspected. Completes when nothing of the node is left there.
   */
  Future<Void> leave() {
    NodeRegistration now = registered;
    return now == null
        ? Future.succeededFuture()
        : frames.call(
            Calls.UNREGISTER_NODE, new UnregisterNode(identity.nodeId(), now.incarnation()));
  }

  Future<Void> close() {
    return frames.close();
  }
}
