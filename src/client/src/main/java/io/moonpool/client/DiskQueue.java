package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.NodeCalls;
import io.moonpool.protocol.call.ReleaseStaged;
import io.moonpool.protocol.call.StageObjects;
import io.moonpool.protocol.call.StagedObjects;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What one node is asked to stage. A read is asked for at once while few questions are open; those
 * that wait behind them are asked for together, so that many small values take few calls. Runs on
 * the client's loop.
 */
final class DiskQueue {
  /** So many questions are open at most. */
  private static final int MAX_OPEN = 8;

  /** So many values are asked for in one, ... */
  private static final int MAX_VALUES = 256;

  /**
   * ... of so many bytes together, unless it is one value that has more. A node's staging memory
   * has at least twice as many.
   */
  private static final long MAX_BYTES = 4 << 20;

  private final ClientLoop loop;
  private final Transports transports;
  private final FrameClient node;
  private final ArrayDeque<Read> waiting = new ArrayDeque<>();
  private int open;

  /**
   * One value, or a part of one.
   *
   * @param length bytes to be asked for; {@link #TO_ITS_END} for all that follow
   * @param deadlineNanos {@link System#nanoTime()} at which the object's lease ends
   */
  record Read(
      String tenant,
      String key,
      long version,
      long offset,
      long length,
      MemorySegment target,
      long deadlineNanos,
      Promise<Void> done) {
    static final long TO_ITS_END = -1;

    /** Whether one question can ask for both. */
    boolean goesWith(Read other) {
      return length == TO_ITS_END
          && other.length == TO_ITS_END
          && offset == other.offset
          && tenant.equals(other.tenant);
    }
  }

  DiskQueue(ClientLoop loop, Transports transports, FrameClient node) {
    this.loop = loop;
    this.transports = transports;
    this.node = node;
  }

  /** Reads as soon as it is its turn, and completes its promise. */
  void add(Read read) {
    waiting.add(read);
    pump();
  }

  private void pump() {
    while (open < MAX_OPEN && !waiting.isEmpty()) {
      List<Read> batch = nextBatch();
      if (!batch.isEmpty()) {
        open++;
        ask(batch)
            .onComplete(
                asked -> {
                  open--;
                  pump();
                });
      }
    }
  }

  /** The reads at the head that can be asked for together; those that are too late fail. */
  private List<Read> nextBatch() {
    List<Read> batch = new ArrayList<>();
    long nowNanos = System.nanoTime();
    long bytes = 0;
    for (Read next = waiting.peek(); next != null; next = waiting.peek()) {
      if (TimeUnit.NANOSECONDS.toMillis(next.deadlineNanos - nowNanos) <= 0) {
        waiting.remove().done.fail(late("the lease ended before the disk was asked"));
        continue;
      }
      bytes += next.target.byteSize();
      if (!batch.isEmpty()
          && (!next.goesWith(batch.getFirst())
              || batch.size() == MAX_VALUES
              || bytes > MAX_BYTES)) {
        break;
      }
      batch.add(waiting.remove());
    }
    return batch;
  }

  private static StoreException late(String message) {
    return new StoreException(ErrorCode.LEASE_EXPIRED, message);
  }

  /** Completes when the node has answered, whatever. */
  private Future<?> ask(List<Read> batch) {
    long askedNanos = System.nanoTime();
    Read first = batch.getFirst();
    long endNanos = first.deadlineNanos;
    for (Read read : batch) {
      endNanos = read.deadlineNanos - endNanos < 0 ? read.deadlineNanos : endNanos;
    }
    StageObjects request =
        new StageObjects(
            first.tenant,
            KeyBatch.of(batch.stream().map(Read::key).toList()),
            batch.stream().mapToLong(Read::version).toArray(),
            first.offset,
            first.length);
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - askedNanos);
    return node.call(NodeCalls.STAGE, request, Math.max(1, leftMillis))
        .onSuccess(staged -> fetch(batch, staged, askedNanos))
        .onFailure(failure -> refused(batch, failure));
  }

  private void refused(List<Read> batch, Throwable failure) {
    ErrorCode code = StoreException.codeOf(failure);
    long nowNanos = System.nanoTime();
    for (Read read : batch) {
      boolean over = code == ErrorCode.RPC_TIMEOUT && read.deadlineNanos - nowNanos <= 0;
      read.done.fail(over ? late("the lease ended before the disk was read") : failure);
    }
  }

  private void fetch(List<Read> batch, StagedObjects staged, long askedNanos) {
    if (staged.offsets().size() != batch.size()) {
      StoreException wrong =
          new StoreException(
              ErrorCode.RPC_FAIL,
              "the node staged "
                  + staged.offsets().size()
                  + " values instead of "
                  + batch.size()
                  + ": check its version");
      batch.forEach(read -> read.done.fail(wrong));
      release(staged);
      return;
    }
    // The lease runs from the answer on; counting from the question errs on the safe side.
    long stagedUntilNanos = askedNanos + TimeUnit.MILLISECONDS.toNanos(staged.leaseMillis());
    PeerSegment memory = PeerSegment.of(staged.memory());
    List<Future<Void>> fetches = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      Read read = batch.get(i);
      Outcome<Long> offset = staged.offsets().get(i);
      long untilNanos =
          stagedUntilNanos - read.deadlineNanos < 0 ? stagedUntilNanos : read.deadlineNanos;
      Future<Void> fetched =
          offset.ok()
              ? transports.get(read.target, memory, offset.get(), untilNanos)
              : loop.failed(offset.code(), "the node could not read it from its disk");
      fetches.add(fetched.onComplete(read.done));
    }
    Future.join(fetches).onComplete(done -> release(staged));
  }

  private void release(StagedObjects staged) {
    node.call(NodeCalls.RELEASE, new ReleaseStaged(staged.batchId()));
  }

  Future<Void> close() {
    return node.close();
  }
}
