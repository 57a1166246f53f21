package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.transfer.RemoteSegment;
import io.moonpool.transfer.Transport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
  private final List<Transport> transports;
  private final Map<Long, ReachableSegment> known = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Long, Promise<ReachableSegment>> wanted = new HashMap<>();
  private boolean asking;

  /**
   * An empty directory.
   *
   * @param transports best first
   */
  SegmentDirectory(ClientLoop loop, MasterCalls master, List<Transport> transports) {
    this.loop = loop;
    this.master = master;
    this.transports = transports;
  }

  /** The segment, when it has been asked for before. */
  @Nullable ReachableSegment known(long generation) {
    return known.get(generation);
  }

  /** The segment. Fails with TRANSFER_FAIL when it is gone or no transport leads there. */
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
    List<ReachableSegment.Way> ways = new ArrayList<>();
    for (int rank = 0; rank < transports.size(); rank++) {
      Transport transport = transports.get(rank);
      for (SegmentEndpoint endpoint : info.spec().endpoints()) {
        if (endpoint.transport().equals(transport.name())) {
          RemoteSegment remote =
              new RemoteSegment(info.spec().id(), info.generation(), info.spec().size(), endpoint);
          ways.add(new ReachableSegment.Way(transport, remote, rank));
        }
      }
    }
    if (ways.isEmpty()) {
      return;
    }
    known.put(info.generation(), new ReachableSegment(ways));
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
              "the segment was unmounted, or its node offers none of the transports of this"
                  + " client: compare the transports of both"));
    }
  }

  /** Forgets everything; what is asked for is answered all the same. */
  void clear() {
    known.clear();
  }
}
