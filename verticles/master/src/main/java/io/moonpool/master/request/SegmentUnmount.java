package io.moonpool.master.request;

import io.moonpool.master.MasterOperations;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.UnmountSegment;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Unmounts a segment for somebody who is not its node and knows nothing but its id. */
public final class SegmentUnmount {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentUnmount.class);
  private static final long[] ALL = {};

  /** An answer waits so long for the end of an unmount before it says that it goes on. */
  private static final long WAIT_MILLIS = 2_000;

  private final Vertx vertx;
  private final MasterOperations master;

  /** Unmounts at that master. */
  public SegmentUnmount(Vertx vertx, MasterOperations master) {
    this.vertx = vertx;
    this.master = master;
  }

  /**
   * Starts to unmount a segment.
   *
   * @param graceMillis how long its replicas stay readable; 0 removes them now
   * @return true when nothing of it is left; false when that takes longer, and goes on. Fails with
   *     {@link ErrorCode#SEGMENT_NOT_FOUND}, or what the master refuses
   */
  public Future<Boolean> start(UUID segmentId, long graceMillis) {
    return master
        .describeSegments(new DescribeSegments(ALL))
        .map(segments -> find(segments, segmentId))
        .compose(
            segment ->
                master
                    .clients()
                    .compose(
                        clients ->
                            unmount(owner(clients, segment), segment.spec().id(), graceMillis)));
  }

  private Future<Boolean> unmount(ClientInfo owner, UUID segmentId, long graceMillis) {
    Promise<Boolean> answer = Promise.promise();
    long timer = vertx.setTimer(WAIT_MILLIS, elapsed -> answer.tryComplete(false));
    master
        .unmountSegment(
            new UnmountSegment(owner.nodeId(), owner.incarnation(), segmentId, graceMillis))
        .onComplete(
            done -> {
              vertx.cancelTimer(timer);
              answer.tryComplete(true);
            },
            failure -> {
              vertx.cancelTimer(timer);
              if (!answer.tryFail(failure)) {
                LOG.warn("unmounting segment {} failed after it was accepted", segmentId, failure);
              }
            });
    return answer.future();
  }

  private static SegmentInfo find(List<SegmentInfo> segments, UUID id) {
    for (SegmentInfo segment : segments) {
      if (segment.spec().id().equals(id)) {
        return segment;
      }
    }
    throw new StoreException(ErrorCode.SEGMENT_NOT_FOUND);
  }

  private static ClientInfo owner(List<ClientInfo> clients, SegmentInfo segment) {
    for (ClientInfo client : clients) {
      if (client.nodeId().equals(segment.nodeId())) {
        return client;
      }
    }
    throw new StoreException(
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        "the segment's node is not registered any more, so the master is removing it: list the"
            + " segments again");
  }
}
