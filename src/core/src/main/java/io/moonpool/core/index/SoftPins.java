package io.moonpool.core.index;

import java.util.Arrays;

/**
 * The deadlines of the soft pins of a loop's objects, as a binary heap. Each shard's side map holds
 * the places of its pinned rows in the heap, so a pin that is moved or cleared leaves nothing
 * behind.
 */
final class SoftPins {
  private final Shard[] shards;
  private long[] deadlines = {};

  /** The place of the shard and the row of each pin. */
  private long[] pinned = {};

  private int size;

  SoftPins(Shard[] shards) {
    this.shards = shards;
  }

  /** How many objects are pinned. */
  int size() {
    return size;
  }

  /** When the first pin runs out, in milliseconds, or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    return size == 0 ? Long.MAX_VALUE : deadlines[0];
  }

  /** The shard of the pin that runs out first. */
  Shard firstShard() {
    return shards[(int) (pinned[0] >>> Rows.ROW_BITS)];
  }

  /** The row of the pin that runs out first. */
  int firstRow() {
    return (int) pinned[0] & Rows.ROW_MASK;
  }

  /** When the pin of that row runs out, in milliseconds. It must have one. */
  long deadline(Shard shard, int row) {
    return deadlines[shard.softPins.get(row)];
  }

  /** Pins a row that has no pin. */
  void add(Shard shard, int row, long deadlineMillis) {
    if (size == deadlines.length) {
      int length = Math.max(16, size * 2);
      deadlines = Arrays.copyOf(deadlines, length);
      pinned = Arrays.copyOf(pinned, length);
    }
    siftUp(size++, ((long) shard.index << Rows.ROW_BITS) | row, deadlineMillis);
  }

  /** Forgets the pin of a row that has one. */
  void remove(Shard shard, int row) {
    int at = shard.softPins.remove(row);
    size--;
    if (at == size) {
      return;
    }
    long moved = pinned[size];
    long deadline = deadlines[size];
    if (at > 0 && deadline < deadlines[(at - 1) >>> 1]) {
      siftUp(at, moved, deadline);
    } else {
      siftDown(at, moved, deadline);
    }
  }

  private void siftUp(int from, long moved, long deadline) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (deadlines[parent] <= deadline) {
        break;
      }
      put(at, pinned[parent], deadlines[parent]);
      at = parent;
    }
    put(at, moved, deadline);
  }

  private void siftDown(int from, long moved, long deadline) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && deadlines[child + 1] < deadlines[child]) {
        child++;
      }
      if (deadlines[child] >= deadline) {
        break;
      }
      put(at, pinned[child], deadlines[child]);
      at = child;
    }
    put(at, moved, deadline);
  }

  private void put(int at, long ref, long deadline) {
    pinned[at] = ref;
    deadlines[at] = deadline;
    shards[(int) (ref >>> Rows.ROW_BITS)].softPins.put((int) ref & Rows.ROW_MASK, at);
  }
}
