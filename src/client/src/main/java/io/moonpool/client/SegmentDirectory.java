package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is behind the generations in locations. Generations are never reused, so an answer stays
 * true; unknown ones are asked for, all those that are wanted at the same time in one call. Runs on
 * the client's loop.
 */
final class SegmentDirectory {
  private static final int MAX_KNOWN = 1 << 16;

  private final ClientLoop loop;
  private final MasterCalls master;
  private final Transports transports;
  private final String hostId;
  private final Map<Long, ReachableSegment> known = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Long, Promise<ReachableSegment>> wanted = new HashMap<>();
  private boolean asking;

  /**
   * An empty directory.
   *
   * @param hostId the physical host of this process; empty when unknown
   */
  SegmentDirectory(ClientLoop loop, MasterCalls master, Transports transports, String hostId) {
    this.loop = loop;
    this.master = master;
    this.transports = transports;
    this.hostId = hostId;
  }

  /** The segment, when it has been asked for before. */
  @Nullable ReachableSegment known(long generation) {
    return known.get(generation);
  }

  /** The segment. Fails with TRANSFER_FAIL when it is gone. */
  Future<ReachableSegment> find(long generation) {
    ReachableSegment segment = known.get(generation);
    if (segment != null) {
      return Future.succeededFuture(segment);
    }
    Promise<ReachableSegment> promise = wanted.get(generation);
    if (promise == null) {
      promise = loop.promise();
      wanted.put(generation, promise);
      if (!asking) {
        ask();
      }
    }
    return promise.future();
  }

  private void ask() {
    Map<Long, Promise<ReachableSegment>> asked = new HashMap<>(wanted);
    asking = true;
    long[] generations = asked.keySet().stream().mapToLong(Long::longValue).toArray();
    master
        .call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(generations))
        .onComplete(
            answer -> {
              asking = false;
              wanted.keySet().removeAll(asked.keySet());
              if (!wanted.isEmpty()) {
                ask();
              }
              if (answer.failed()) {
                asked.values().forEach(promise -> promise.fail(answer.cause()));
                return;
              }
              answer.result().forEach(this::learn);
              asked.forEach(this::settle);
            });
  }

  private void learn(SegmentInfo info) {
    boolean near = !hostId.isEmpty() && hostId.equals(info.spec().hostId());
    known.put(info.generation(), new ReachableSegment(transports, PeerSegment.of(info), near));
    if (known.size() > MAX_KNOWN) {
      var oldest = known.entrySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  private void settle(long generation, Promise<ReachableSegment> promise) {
    ReachableSegment segment = known.get(generation);
    if (segment != null) {
      promise.complete(segment);
    } else {
      promise.fail(
          new StoreException(
              ErrorCode.TRANSFER_FAIL,
              "the segment was unmounted: ask the master where the object is now"));
    }
  }

  /** Forgets everything; what is asked for is answered all the same. */
  void clear() {
    known.clear();
  }
}
