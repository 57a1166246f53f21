package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.ReleaseStaged;
import io.moonpool.protocol.call.StageObjects;
import io.moonpool.protocol.call.StagedObjects;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers those who want what is on disk: takes a block of staging memory for each value, has a
 * worker read into it, and keeps it until it is given back or its lease is over. A request for
 * which there is no memory waits, in the order of arrival, for as long as a lease takes at most.
 *
 * <p>A block is used again only when its reader said that it has finished, or when the lease is
 * over, after which the transports refuse to read for it. The node itself borrows blocks, too, and
 * waits in the same line. Runs on the event loop of its verticle.
 */
final class Staging {
  private static final int MAX_KEYS = 1_024;

  private final StagingMemory memory;
  private final SegmentInfo info;
  private final ValueSource source;
  private final DiskWorkers workers;
  private final long leaseMillis;
  private final int queueLimit;
  private final LongSupplier nanoClock;
  private final Map<Long, Batch> batches = new LinkedHashMap<>();
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long nextBatch = 1;

  /** Requests that had to wait for memory. */
  final LongAdder waits = new LongAdder();

  /** Batches whose lease ended before they were given back. */
  final LongAdder expired = new LongAdder();

  /** Values staged. */
  final LongAdder values = new LongAdder();

  /** Their bytes. */
  final LongAdder bytes = new LongAdder();

  /** Values that could not be read. */
  final LongAdder failures = new LongAdder();

  /** A block that is in use. */
  record Block(long offset, long bytes) {}

  /**
   * Values that wait to be fetched, or are still being read.
   *
   * @param endNanos when the lease is over; it runs from when the values are there
   */
  private record Batch(List<Block> blocks, long endNanos) {}

  /**
   * Somebody for whom there was no memory.
   *
   * @param attempt takes memory and answers what is to be done with it, or null when there is none
   * @param refused told when there was none in time
   */
  private record Waiting(
      Supplier<@Nullable Runnable> attempt, Consumer<StoreException> refused, long giveUpNanos) {}

  /**
   * Nothing is staged.
   *
   * @param memory the blocks
   * @param info how peers reach the memory
   * @param queueLimit how many requests may wait for memory
   */
  Staging(
      StagingMemory memory,
      SegmentInfo info,
      ValueSource source,
      DiskWorkers workers,
      long leaseMillis,
      int queueLimit,
      LongSupplier nanoClock) {
    this.memory = memory;
    this.info = info;
    this.source = source;
    this.workers = workers;
    this.leaseMillis = leaseMillis;
    this.queueLimit = queueLimit;
    this.nanoClock = nanoClock;
  }

  /**
   * Stages values.
   *
   * @return fails with INVALID_PARAMS; BUFFER_OVERFLOW when the memory could never hold them;
   *     UNAVAILABLE_IN_CURRENT_STATUS when too many requests wait, or this one waited for too long
   */
  Future<StagedObjects> stage(StageObjects request) {
    StoreException wrong = check(request);
    if (wrong != null) {
      return Future.failedFuture(wrong);
    }
    if (waiting.isEmpty()) {
      Future<StagedObjects> staged = tryStage(request);
      if (staged != null) {
        return staged;
      }
    }
    if (waiting.size() >= queueLimit) {
      return Future.failedFuture(busy());
    }
    waits.increment();
    Promise<StagedObjects> promise = Promise.promise();
    waiting.add(
        new Waiting(
            () -> {
              Future<StagedObjects> staged = tryStage(request);
              return staged == null ? null : () -> staged.onComplete(promise);
            },
            promise::fail,
            nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(leaseMillis)));
    return promise.future();
  }

  /**
   * Lends a block to this node itself. Who asks waits in line with everybody else; how many may
   * wait is the caller's business.
   *
   * @param bytes at most {@link #capacity}
   * @param giveUpNanos when to stop waiting, on the staging's clock
   * @return the block, to be {@linkplain #giveBack given back}; fails with
   *     UNAVAILABLE_IN_CURRENT_STATUS when there was none in time
   */
  Future<Block> borrow(long bytes, long giveUpNanos) {
    Block block = waiting.isEmpty() ? tryTake(bytes) : null;
    if (block != null) {
      return Future.succeededFuture(block);
    }
    waits.increment();
    Promise<Block> promise = Promise.promise();
    waiting.add(
        new Waiting(
            () -> {
              Block taken = tryTake(bytes);
              return taken == null ? null : () -> promise.complete(taken);
            },
            promise::fail,
            giveUpNanos));
    return promise.future();
  }

  private @Nullable Block tryTake(long bytes) {
    long start = memory.take(bytes);
    return start == StagingMemory.NONE ? null : new Block(start, bytes);
  }

  /** Takes back what was {@linkplain #borrow borrowed}. */
  void giveBack(Block block) {
    memory.give(block.offset, block.bytes);
    serveWaiting();
  }

  /** The memory of a block. Any thread. */
  MemorySegment slice(Block block) {
    return memory.slice(block.offset, block.bytes);
  }

  /** The largest block that there could ever be, in bytes. */
  long capacity() {
    return memory.capacity();
  }

  private static StoreException busy() {
    return new StoreException(
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        "the node's staging memory is taken: ask again, or raise disk_staging_bytes");
  }

  private @Nullable StoreException check(StageObjects request) {
    int keys = request.keys().size();
    if (keys < 1 || keys > MAX_KEYS || request.versions().length != keys) {
      return new StoreException(
          ErrorCode.INVALID_PARAMS, "1 to " + MAX_KEYS + " keys with a version each, not " + keys);
    }
    if (request.offset() < 0 || request.length() < -1) {
      return new StoreException(
          ErrorCode.INVALID_PARAMS, "offset must not be negative, length be -1 or more");
    }
    long wanted = 0;
    for (int i = 0; i < keys; i++) {
      long part = part(request, i);
      wanted += part <= 0 ? 0 : source.blockBytes(request.offset(), part);
    }
    if (wanted > memory.capacity()) {
      return new StoreException(
          ErrorCode.BUFFER_OVERFLOW,
          wanted
              + " bytes do not fit into the staging memory of "
              + memory.capacity()
              + ": ask for less at a time, or raise disk_staging_bytes");
    }
    return null;
  }

  /** How many bytes of a value are asked for; negative when it is not there or has no such part. */
  private long part(StageObjects request, int i) {
    long size = source.size(request.versions()[i]);
    if (size == ValueSource.ABSENT) {
      return ValueSource.ABSENT;
    }
    long length = request.length() < 0 ? size - request.offset() : request.length();
    return request.offset() > size - length ? ValueSource.ABSENT : length;
  }

  /** Null when there is no memory now. */
  private @Nullable Future<StagedObjects> tryStage(StageObjects request) {
    List<Block> blocks = new ArrayList<>();
    List<Future<Outcome<Long>>> reads = new ArrayList<>();
    long[] parts = new long[request.keys().size()];
    long[] starts = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = part(request, i);
      if (parts[i] <= 0) {
        continue;
      }
      long wanted = source.blockBytes(request.offset(), parts[i]);
      starts[i] = memory.take(wanted);
      if (starts[i] == StagingMemory.NONE) {
        blocks.forEach(block -> memory.give(block.offset, block.bytes));
        return null;
      }
      blocks.add(new Block(starts[i], wanted));
    }
    int block = 0;
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] <= 0) {
        reads.add(Future.succeededFuture(Outcome.error(absence(request, i))));
      } else {
        reads.add(read(request, i, parts[i], starts[i], blocks.get(block++).bytes));
      }
    }
    return Future.join(reads).transform(joined -> Future.succeededFuture(staged(blocks, reads)));
  }

  private ErrorCode absence(StageObjects request, int i) {
    return source.size(request.versions()[i]) == ValueSource.ABSENT
        ? ErrorCode.OBJECT_NOT_FOUND
        : ErrorCode.INVALID_PARAMS;
  }

  private Future<Outcome<Long>> read(
      StageObjects request, int i, long part, long start, long blockBytes) {
    long version = request.versions()[i];
    return workers
        .run(() -> source.read(version, request.offset(), part, memory.slice(start, blockBytes)))
        .transform(
            done -> {
              Outcome<Long> outcome =
                  done.succeeded()
                      ? done.result()
                      : Outcome.error(StoreException.codeOf(done.cause()));
              if (!outcome.ok()) {
                failures.increment();
                return Future.succeededFuture(outcome);
              }
              values.increment();
              bytes.add(part);
              return Future.succeededFuture(Outcome.of(start + outcome.get()));
            });
  }

  private StagedObjects staged(List<Block> blocks, List<Future<Outcome<Long>>> reads) {
    long id = nextBatch++;
    batches.put(
        id, new Batch(blocks, nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(leaseMillis)));
    return new StagedObjects(id, leaseMillis, info, reads.stream().map(Future::result).toList());
  }

  /**
   * Takes back what a reader has fetched. A batch that is not known, or not any more, is no error.
   */
  Future<Void> release(ReleaseStaged request) {
    Batch batch = batches.remove(request.batchId());
    if (batch != null) {
      free(batch);
      serveWaiting();
    }
    return Future.succeededFuture();
  }

  private void free(Batch batch) {
    batch.blocks.forEach(block -> memory.give(block.offset, block.bytes));
  }

  /** Takes back what is over; call it several times in a lease. */
  void tick() {
    long now = nanoClock.getAsLong();
    // All leases are equally long: the oldest end first.
    var oldest = batches.values().iterator();
    while (oldest.hasNext()) {
      Batch batch = oldest.next();
      if (batch.endNanos - now > 0) {
        break;
      }
      oldest.remove();
      free(batch);
      expired.increment();
    }
    serveWaiting();
    List<Waiting> late = new ArrayList<>();
    waiting.removeIf(each -> each.giveUpNanos - now <= 0 && late.add(each));
    late.forEach(each -> each.refused.accept(busy()));
    if (!late.isEmpty()) {
      serveWaiting(); // the first in line may have wanted more than those behind it
    }
  }

  private void serveWaiting() {
    for (Waiting first = waiting.peek(); first != null; first = waiting.peek()) {
      Runnable served = first.attempt.get();
      if (served == null) {
        return;
      }
      waiting.remove();
      served.run();
    }
  }

  /** Batches that wait to be fetched or given back. */
  int batches() {
    return batches.size();
  }
}
