package io.moonpool.master.metadata;

import io.moonpool.master.loop.MasterLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Writes that found no space although eviction could make some. They wait a bounded time, first
 * come, first served, and are tried again every few milliseconds while there are any.
 */
final class SpaceWaiters {
  private static final long RETRY_MILLIS = 2;

  /** Items tried in one turn: each takes some microseconds. */
  private static final int ITEMS_A_TURN = 64;

  private final MasterLoop loop;
  private final MetadataShards shards;
  private final long waitMillis;
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private boolean scheduled;

  SpaceWaiters(MasterLoop loop, MetadataShards shards, long waitMillis) {
    this.loop = loop;
    this.shards = shards;
    this.waitMillis = waitMillis;
  }

  /** True when a write that finds no space may wait for it. */
  boolean mayWait() {
    return waitMillis > 0;
  }

  /** True when somebody waits. */
  boolean isWaiting() {
    return !waiters.isEmpty();
  }

  /** Lets the parked items of a part wait; completes when none is left. */
  Future<Void> park(BatchPart part) {
    Promise<Void> settled = Promise.promise();
    waiters.addLast(new Waiter(part, shards.nowMillis() + waitMillis, settled));
    schedule();
    return settled.future();
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.eventLoop().schedule(this::retry, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void retry() {
    scheduled = false;
    tryAgain();
  }

  /** Space may have become free. */
  void tryAgain() {
    long nowMillis = shards.nowMillis();
    int left = ITEMS_A_TURN;
    while (left > 0) {
      Waiter first = waiters.peekFirst();
      if (first == null) {
        break;
      }
      int before = first.part.parked();
      boolean found = first.part.retryParked(left);
      left -= before - first.part.parked();
      if (first.part.parked() == 0) {
        waiters.removeFirst();
        first.settled.complete();
      } else if (nowMillis >= first.deadlineMillis) {
        waiters.removeFirst();
        first.part.giveUpParked();
        first.settled.complete();
      } else if (!found) {
        break;
      }
    }
    if (!waiters.isEmpty()) {
      schedule();
    }
  }

  private record Waiter(BatchPart part, long deadlineMillis, Promise<Void> settled) {}
}
