package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Objects that one disk could not take when they were to be copied to it, to be tried again: at
 * once when it takes objects again if it was never asked, otherwise after {@value #FIRST_MILLIS}
 * ms, and after twice as long each time that it fails, up to {@value #LAST_MILLIS} ms.
 *
 * <p>A binary heap by when they are due, and a map by row. Bounded: the one that is due first goes
 * when another one comes, so cost and memory follow what failed. What is not in here any more is
 * copied when its memory is wanted back. An entry may be about an object that is gone: who takes it
 * out looks.
 */
final class RetryQueue {
  private static final long FIRST_MILLIS = 1_000;
  private static final long LAST_MILLIS = 30_000;
  private static final int MAX_DOUBLINGS = 5;

  /**
   * An object.
   *
   * @param failures how often the disk has failed to store it
   */
  record Retry(int row, long version, int failures, long dueMillis) {}

  private final PriorityQueue<Retry> order =
      new PriorityQueue<>(Comparator.comparingLong(Retry::dueMillis));
  private final Int2ObjectOpenHashMap<Retry> byRow = new Int2ObjectOpenHashMap<>();

  /** How long an object waits that has failed so often. */
  private static long delayMillis(int failures) {
    int doublings = Math.clamp(failures - 1, 0, MAX_DOUBLINGS);
    return failures == 0 ? 0 : Math.min(FIRST_MILLIS << doublings, LAST_MILLIS);
  }

  /**
   * Remembers an object; of one that is remembered already, nothing changes.
   *
   * @param failures how often the disk has failed to store it
   * @param limit how many may be remembered
   */
  void add(int row, long version, int failures, int limit, long nowMillis) {
    Retry before = byRow.get(row);
    if (before != null && before.version == version) {
      return;
    }
    while (order.size() >= limit) {
      forgetFirst();
    }
    Retry retry = new Retry(row, version, failures, nowMillis + delayMillis(failures));
    byRow.put(row, retry);
    order.add(retry);
  }

  private void forgetFirst() {
    Retry first = order.remove();
    byRow.remove(first.row, first);
  }

  /** Takes out one that is due; null when none is. */
  @Nullable Retry take(long nowMillis) {
    for (Retry first = order.peek();
        first != null && first.dueMillis <= nowMillis;
        first = order.peek()) {
      order.remove();
      if (byRow.remove(first.row, first)) {
        return first;
      }
    }
    return null;
  }

  void clear() {
    order.clear();
    byRow.clear();
  }

  /** How many there are. */
  int size() {
    return byRow.size();
  }
}
