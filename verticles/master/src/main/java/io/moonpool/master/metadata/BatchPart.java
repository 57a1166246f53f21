package io.moonpool.master.metadata;

import io.moonpool.core.index.KeyHash;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.loop.SliceBudget;
import io.moonpool.master.loop.Sweep;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The items of a batch that one metadata loop owns. Small parts are done at once; of long ones, and
 * of those that take long, the loop does what fits into its slice, and the rest as a sweep.
 *
 * <p>How long an item takes is not known beforehand: while the collector moves pages of the index,
 * each first touch of one may move it, which is a thousand times the work of a look-up.
 */
final class BatchPart implements Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(BatchPart.class);

  /** For so long items are done at once whatever the budget says. */
  private static final long AT_ONCE_NANOS = 300_000;

  /** So many look-ups are done between two looks at the time. */
  private static final int WORK_A_STEP = 32;

  /** So many items are read ahead at most: more waits for memory at a time than processors have. */
  private static final int ITEMS_READ_AHEAD = WORK_A_STEP;

  private final KeyedCall<?> call;
  private final MetadataShards shards;
  private final int @Nullable [] positions;
  private final int count;
  private int next;
  private int[] parked = {};
  private int parkedCount;

  /** Items whose answers wait until floors are durable. */
  private int[] waiting = {};

  private int waitingCount;

  /**
   * A part.
   *
   * @param positions which items; null for all
   */
  BatchPart(KeyedCall<?> call, MetadataShards shards, int @Nullable [] positions, int count) {
    this.call = call;
    this.shards = shards;
    this.positions = positions;
    this.count = count;
  }

  /**
   * Does the part; the future completes on this loop when every item has its result, and what it
   * depends on is durable.
   */
  Future<Void> start() {
    shards.index().refuseFloors(shards.floors().isFailed());
    Future<Void> done = work();
    shards.floors().flush();
    return done.isComplete() && waitingCount == 0 ? done : done.compose(ignored -> durable());
  }

  private Future<Void> durable() {
    if (waitingCount == 0) {
      return Future.succeededFuture();
    }
    return shards
        .floors()
        .durable()
        .recover(
            failure -> {
              for (int i = 0; i < waitingCount; i++) {
                if (call.dependence() == KeyedCall.Dependence.CHANGES) {
                  call.notDurable(waiting[i]);
                }
              }
              return Future.succeededFuture();
            });
  }

  private Future<Void> work() {
    long startedNanos = System.nanoTime();
    boolean rest = advance(items(WORK_A_STEP));
    while (rest && System.nanoTime() - startedNanos < AT_ONCE_NANOS) {
      rest = advance(items(WORK_A_STEP));
    }
    // Large groups leave mail behind that no later call may come to deliver.
    shards.settleMail();
    if (!rest) {
      return parkedCount == 0 ? Future.succeededFuture() : shards.space().park(this);
    }
    MasterLoop loop = shards.loop();
    SliceBudget budget = loop.beginSlice();
    boolean more = true;
    while (more && !budget.exhausted()) {
      more = step();
    }
    loop.endSlice();
    Future<Void> end = more ? loop.sweeps().start(this) : Future.succeededFuture();
    return end.compose(
        ignored -> parkedCount == 0 ? Future.succeededFuture() : shards.space().park(this));
  }

  @Override
  public boolean step() {
    boolean more = advance(items(WORK_A_STEP));
    shards.floors().flush();
    return more;
  }

  /** Behind the items that are so much work, at least one. */
  private int items(int work) {
    return Math.min(count, next + Math.max(1, work / call.weight(shards)));
  }

  /** Does the items up to there; answers whether more are left. */
  private boolean advance(int end) {
    long nowMillis = shards.nowMillis();
    while (next < end) {
      int first = next;
      int ahead = Math.min(end - first, ITEMS_READ_AHEAD);
      long[] hashes = hashes(first, ahead);
      if (ahead > 1) {
        shards.index().preload(hashes, 0, ahead);
      }
      for (; next < first + ahead; next++) {
        int index = index(next);
        if (!item(index, hashes[next - first], nowMillis)) {
          park(index);
        }
      }
    }
    return next < count;
  }

  /** Which item of the batch is the one of that number of this part. */
  private int index(int number) {
    return positions == null ? number : positions[number];
  }

  /** The hashes of some items, in an array that the next part fills again. */
  private long[] hashes(int first, int items) {
    long[] hashes = shards.hashes(ITEMS_READ_AHEAD);
    for (int i = 0; i < items; i++) {
      hashes[i] = hash(index(first + i));
    }
    return hashes;
  }

  private long hash(int index) {
    KeyBatch keys = call.keys();
    return KeyHash.of(call.tenant(index), keys.bytes(), keys.offset(index), keys.length(index));
  }

  private boolean item(int index, long hash, long nowMillis) {
    KeyBatch keys = call.keys();
    ObjectKey key = shards.key();
    key.set(keys.bytes(), keys.offset(index), keys.length(index), call.tenant(index), hash);
    DurableFloors floors = shards.floors();
    KeyedCall.Dependence dependence = call.dependence();
    boolean pending = dependence != KeyedCall.Dependence.NONE && floors.isPending(hash);
    if (pending && dependence == KeyedCall.Dependence.CHANGES && floors.isUnsaved(hash)) {
      call.fail(index, ErrorCode.PERSISTENT_FAIL);
      return true;
    }
    long emissions = floors.emissions();
    try {
      boolean settled = call.item(shards, index, key, nowMillis);
      if (pending
          || (dependence == KeyedCall.Dependence.CHANGES && floors.emissions() != emissions)) {
        await(index);
      }
      return settled;
    } catch (RuntimeException e) {
      LOG.error("item {} of {} failed; this is a bug", index, call.getClass().getSimpleName(), e);
      call.fail(index, ErrorCode.INTERNAL_ERROR);
      return true;
    }
  }

  private void await(int index) {
    if (waiting.length == waitingCount) {
      waiting = java.util.Arrays.copyOf(waiting, Math.max(8, waitingCount * 2));
    }
    waiting[waitingCount++] = index;
  }

  private void park(int index) {
    if (parked.length == parkedCount) {
      parked = java.util.Arrays.copyOf(parked, Math.max(8, parkedCount * 2));
    }
    parked[parkedCount++] = index;
  }

  /** How many items wait for space. */
  int parked() {
    return parkedCount;
  }

  /**
   * Tries the items again that wait for space, in their order, until one finds none.
   *
   * @param atMost so many
   * @return false when one found none, and waiting on is all that is left
   */
  boolean retryParked(int atMost) {
    long nowMillis = shards.nowMillis();
    int tried = 0;
    boolean found = true;
    while (found && tried < Math.min(atMost, parkedCount)) {
      found = item(parked[tried], hash(parked[tried]), nowMillis);
      if (found) {
        tried++;
      }
    }
    parkedCount -= tried;
    System.arraycopy(parked, tried, parked, 0, parkedCount);
    return found;
  }

  /** Gives up the items that wait for space. */
  void giveUpParked() {
    for (int i = 0; i < parkedCount; i++) {
      call.outOfSpace(parked[i]);
    }
    parkedCount = 0;
  }
}
