package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.frame.FrameCaller;
import io.moonpool.transfer.PeerSegment;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory segments that this node writes to, by generation; a generation is never used again. It
 * remembers those that were used last. Belongs to an event loop.
 */
final class PeerDirectory {
  private static final int REMEMBERED = 256;

  private final FrameCaller master;
  private final Map<Long, PeerSegment> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, PeerSegment> eldest) {
          return size() > REMEMBERED;
        }
      };

  PeerDirectory(FrameCaller master) {
    this.master = master;
  }

  /** The segment of a generation; fails with SEGMENT_NOT_FOUND when it is not mounted any more. */
  Future<PeerSegment> find(long generation) {
    PeerSegment segment = known.get(generation);
    if (segment != null) {
      return Future.succeededFuture(segment);
    }
    return master
        .call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[] {generation}))
        .compose(
            found -> {
              if (found.isEmpty()) {
                return Future.failedFuture(
                    new StoreException(
                        ErrorCode.SEGMENT_NOT_FOUND,
                        "the segment to be written to is not mounted any more"));
              }
              PeerSegment asked = PeerSegment.of(found.getFirst());
              known.put(generation, asked);
              return Future.succeededFuture(asked);
            });
  }
}
