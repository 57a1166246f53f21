package io.moonpool.core.index;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Finds the shard whose {@link LeaseOrder} has the least first key, without being told each time
 * that a first key rises.
 *
 * <p>A binary heap over the shards with a lower bound of each first key. Keys that fall are told at
 * once ({@link #lower}); keys that rose are found out when the shard comes to the top, and
 * corrected then ({@link #raise}). So a read that moves an object to the end of its order pays
 * nothing here, and taking the least of all shards is exact.
 */
final class HeadHeap {
  private final long[] bounds;
  private final int[] heap;
  private final int[] positions;

  HeadHeap(int shards) {
    bounds = new long[shards];
    heap = new int[shards];
    positions = new int[shards];
    Arrays.fill(bounds, LeaseOrder.EMPTY);
    Arrays.setAll(heap, i -> i);
    Arrays.setAll(positions, i -> i);
  }

  /**
   * Brings a shard with the least first key to the top.
   *
   * @param firstKeys answers the first key of a shard
   * @return that key; {@link LeaseOrder#EMPTY} when all orders are empty
   */
  long settle(IntToLongFunction firstKeys) {
    while (true) {
      long key = firstKeys.applyAsLong(heap[0]);
      if (key == bounds[heap[0]]) {
        return key;
      }
      raise(heap[0], key);
    }
  }

  /** The shard with the least bound. */
  int top() {
    return heap[0];
  }

  /** A row was added to the shard's order with that key. */
  void lower(int shard, long key) {
    if (key < bounds[shard]) {
      bounds[shard] = key;
      int at = positions[shard];
      while (at > 0) {
        int parent = (at - 1) >>> 1;
        if (bounds[heap[parent]] <= key) {
          break;
        }
        put(at, heap[parent]);
        at = parent;
      }
      put(at, shard);
    }
  }

  private void raise(int shard, long key) {
    bounds[shard] = key;
    int at = positions[shard];
    for (int child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && bounds[heap[child + 1]] < bounds[heap[child]]) {
        child++;
      }
      if (bounds[heap[child]] >= key) {
        break;
      }
      put(at, heap[child]);
      at = child;
    }
    put(at, shard);
  }

  private void put(int at, int shard) {
    heap[at] = shard;
    positions[shard] = at;
  }
}
