package io.moonpool.master.metadata;

import io.moonpool.core.index.MatchingRemoval;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.index.PatternFloor;
import io.moonpool.master.loop.StepBudget;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A walk over all objects, loop after loop, in slices. One loop works on it at a time and hands it
 * to the next through that loop's queue.
 */
abstract class ShardWalk {
  private final KeyPattern pattern;
  private final BooleanSupplier callerGone;
  private final StepBudget budget = new StepBudget();
  private long cursor;

  ShardWalk(KeyPattern pattern, long cursor, BooleanSupplier callerGone) {
    this.pattern = pattern;
    this.callerGone = callerGone;
    this.cursor = cursor;
  }

  /** Walks on; completes on the caller's context when the walk ends. */
  final Future<Void> run(MetadataOwners owners) {
    int owner = owners.ownerOfShard(ObjectIndex.shardOfCursor(cursor));
    return owners
        .call(
            owner,
            shards ->
                shards
                    .loop()
                    .sweeps()
                    .start(() -> stepOn(owners, shards, owner))
                    .compose(ignored -> durable(shards)))
        .compose(
            ignored -> {
              if (pattern.failure() != null) {
                return Future.failedFuture(pattern.failure());
              }
              if (callerGone.getAsBoolean()) {
                return Future.failedFuture(
                    new StoreException(ErrorCode.RPC_FAIL, "nobody waits for the answer any more"));
              }
              return ended() ? Future.succeededFuture() : run(owners);
            });
  }

  /** Completes when what it has changed on a loop is durable. */
  Future<Void> durable(MetadataShards shards) {
    return Future.succeededFuture();
  }

  private boolean stepOn(MetadataOwners owners, MetadataShards shards, int owner) {
    boolean goesOn = false;
    try {
      cursor = step(shards, cursor, budget.start());
      shards.floors().flush();
      goesOn =
          pattern.failure() == null
              && !callerGone.getAsBoolean()
              && !ended()
              && owners.ownerOfShard(ObjectIndex.shardOfCursor(cursor)) == owner;
    } finally {
      // Also when a step fails: what a removal has begun must not hold for ever.
      if (!goesOn) {
        left();
      }
    }
    return goesOn;
  }

  /** No more steps on this loop, whether all that is there was visited or not. */
  void left() {}

  final KeyPattern pattern() {
    return pattern;
  }

  /** Where a later walk goes on; 0 when all has been walked. */
  final long cursor() {
    return cursor;
  }

  /** Does a step and answers where the next one starts. */
  abstract long step(MetadataShards shards, long from, StepBudget stepBudget);

  /** True when the walk, which has begun, has what it was started for or has visited all. */
  abstract boolean ended();

  /** Removes what matches. */
  static final class Removing extends ShardWalk {
    private final boolean force;
    private long removed;
    private boolean refused;
    private boolean ended;

    /** On the loop that works on it. */
    private @Nullable MatchingRemoval removal;

    /** Once all objects were visited: what it passed over, if the journal is to have it. */
    private @Nullable SurvivorCopy copy;

    Removing(KeyPattern pattern, boolean force, BooleanSupplier callerGone) {
      super(pattern, 0, callerGone);
      this.force = force;
    }

    @Override
    long step(MetadataShards shards, long from, StepBudget stepBudget) {
      long nowMillis = shards.nowMillis();
      if (removal == null) {
        removal = shards.index().removeMatching(pattern(), force, nowMillis);
      }
      if (copy == null) {
        if (!removal.step(nowMillis, stepBudget) || pattern().failure() != null) {
          return from;
        }
        if (removal.leavesFloor() && shards.floors().keepsPatterns()) {
          copy = new SurvivorCopy(removal.survivors());
        }
      }
      SurvivorCopy survivors = copy;
      if (survivors != null && !survivors.step(stepBudget)) {
        return from;
      }
      Optional<PatternFloor> floor = removal.end(nowMillis);
      if (floor.isPresent() && survivors != null) {
        shards.floors().add(floor.get(), survivors.copied());
      }
      removed += removal.removed();
      refused |= removal.isRefused();
      removal = null;
      copy = null;
      long next = ObjectIndex.cursorOfShard(shards.endShard());
      ended = next == 0;
      return next;
    }

    @Override
    void left() {
      if (removal != null) {
        removal.abandon();
        removal = null;
        copy = null;
      }
    }

    @Override
    boolean ended() {
      return ended;
    }

    @Override
    Future<Void> durable(MetadataShards shards) {
      return shards
          .floors()
          .allDurable()
          .compose(
              ignored ->
                  refused
                      ? Future.failedFuture(
                          new StoreException(
                              ErrorCode.PERSISTENT_FAIL,
                              "the journal could not be written meanwhile: repeat the call"))
                      : Future.succeededFuture());
    }

    long removed() {
      return removed;
    }
  }

  /**
   * Lists what matches, up to a limit; also fewer after a while, or when the answer is as large as
   * an event loop may encode at once.
   */
  static final class Listing extends ShardWalk {
    /** A page ends behind so many objects: they are encoded in one go, by code that may be cold. */
    static final int PAGE_OBJECTS = 256;

    /** A page ends behind so many bytes of keys. */
    static final long PAGE_KEY_BYTES = 256 << 10;

    /** A page that takes longer ends with what it has: the caller asks for the next one. */
    private static final long PAGE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final String tenantName;
    private final int limit;
    private final long endNanos = System.nanoTime() + PAGE_NANOS;
    private final List<ObjectInfo> objects = new ArrayList<>();
    private long keyBytes;

    Listing(
        KeyPattern pattern, String tenantName, long cursor, int limit, BooleanSupplier callerGone) {
      super(pattern, cursor, callerGone);
      this.tenantName = tenantName;
      this.limit = Math.min(limit, PAGE_OBJECTS);
    }

    @Override
    long step(MetadataShards shards, long from, StepBudget stepBudget) {
      return shards
          .index()
          .walk(
              from,
              shards.nowMillis(),
              stepBudget,
              object -> {
                if (pattern().test(object.tenant(), object.keyBytes(), 0, object.keyLength())) {
                  objects.add(object.info(tenantName));
                  keyBytes += object.keyLength();
                }
                return !isFull();
              });
    }

    private boolean isFull() {
      return objects.size() >= limit || keyBytes >= PAGE_KEY_BYTES;
    }

    @Override
    boolean ended() {
      return cursor() == 0 || isFull() || System.nanoTime() - endNanos >= 0;
    }

    List<ObjectInfo> objects() {
      return objects;
    }
  }
}
