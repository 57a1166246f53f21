package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.transfer.RemoteSegment;
import io.moonpool.transfer.Transport;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A mounted segment and the ways to it, best first. A transport that fails is followed by the next
 * one; the one that worked is used first from then on. Runs on the client's loop.
 */
final class ReachableSegment {
  /**
   * One way to the segment.
   *
   * @param rank the place of the transport in {@link ClientOptions#transports()}
   */
  record Way(Transport transport, RemoteSegment remote, int rank) {}

  @FunctionalInterface
  private interface Step {
    Future<Void> over(Way way);
  }

  private final List<Way> ways;
  private int best;

  /**
   * A segment.
   *
   * @param ways at least one
   */
  ReachableSegment(List<Way> ways) {
    this.ways = List.copyOf(ways);
  }

  /** How good the best way is: smaller is better. */
  int rank() {
    return ways.get(best).rank();
  }

  /** Writes local memory; see {@link Transport#put}. */
  Future<Void> put(MemorySegment local, long offset, long deadlineNanos) {
    return go(
        way -> way.transport().put(local, way.remote(), offset, deadlineNanos),
        best,
        deadlineNanos);
  }

  /** Reads into local memory; see {@link Transport#get}. */
  Future<Void> get(MemorySegment local, long offset, long deadlineNanos) {
    return go(
        way -> way.transport().get(local, way.remote(), offset, deadlineNanos),
        best,
        deadlineNanos);
  }

  private Future<Void> go(Step step, int index, long deadlineNanos) {
    Future<Void> went = step.over(ways.get(index));
    if (ways.size() == 1 || went.succeeded()) {
      return went;
    }
    return went.recover(
        failure -> {
          int next = (index + 1) % ways.size();
          if (StoreException.codeOf(failure) != ErrorCode.TRANSFER_FAIL
              || next == best
              || deadlineNanos - System.nanoTime() <= 0) {
            return Future.failedFuture(failure);
          }
          return go(step, next, deadlineNanos).onSuccess(done -> best = next);
        });
  }
}
