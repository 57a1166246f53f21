package io.moonpool.node.line;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.frame.FrameCaller;
import io.moonpool.transfer.PeerSegment;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the segments that this node writes to are reached. Generations are never reused, so an answer
 * stays true. Belongs to an event loop.
 */
public final class TargetSegments {
  private static final int MAX_KNOWN = 1_024;

  private final FrameCaller master;
  private final Map<Long, Future<PeerSegment>> known = new LinkedHashMap<>(16, 0.75f, true);

  /** None is known yet. */
  public TargetSegments(FrameCaller master) {
    this.master = master;
  }

  /** The segment; fails with REPLICA_IS_GONE when it is not mounted any more. */
  public Future<PeerSegment> find(long generation) {
    Future<PeerSegment> segment = known.get(generation);
    if (segment != null && !segment.failed()) {
      return segment;
    }
    Future<PeerSegment> asked =
        master
            .call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[] {generation}))
            .map(
                answer -> {
                  for (SegmentInfo info : answer) {
                    if (info.generation() == generation) {
                      return PeerSegment.of(info);
                    }
                  }
                  throw new StoreException(
                      ErrorCode.REPLICA_IS_GONE, "the target segment was unmounted");
                });
    known.put(generation, asked);
    if (known.size() > MAX_KNOWN) {
      var oldest = known.entrySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return asked;
  }
}
