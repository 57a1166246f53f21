package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;

/**
 * The deadlines of the soft pins, as a binary heap. A side map holds the place of each pinned row
 * in it, so a pin that is moved or cleared leaves nothing behind.
 */
final class SoftPins {
  private final Int2IntOpenHashMap places = new Int2IntOpenHashMap();
  private long[] deadlines = {};
  private int[] rows = {};
  private int size;

  /** How many objects are pinned. */
  int size() {
    return size;
  }

  /** When the first pin runs out, in milliseconds, or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    return size == 0 ? Long.MAX_VALUE : deadlines[0];
  }

  /** The row of the pin that runs out first. */
  int first() {
    return rows[0];
  }

  /** When the pin of that row runs out, in milliseconds. It must have one. */
  long deadline(int row) {
    return deadlines[places.get(row)];
  }

  /** Pins a row that has no pin. */
  void add(int row, long deadlineMillis) {
    if (size == deadlines.length) {
      int length = Math.max(16, size * 2);
      deadlines = Arrays.copyOf(deadlines, length);
      rows = Arrays.copyOf(rows, length);
    }
    siftUp(size++, row, deadlineMillis);
  }

  /** Forgets the pin of a row that has one. */
  void remove(int row) {
    int at = places.remove(row);
    size--;
    if (at == size) {
      return;
    }
    int moved = rows[size];
    long deadline = deadlines[size];
    if (at > 0 && deadline < deadlines[(at - 1) >>> 1]) {
      siftUp(at, moved, deadline);
    } else {
      siftDown(at, moved, deadline);
    }
  }

  private void siftUp(int from, int row, long deadline) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (deadlines[parent] <= deadline) {
        break;
      }
      put(at, rows[parent], deadlines[parent]);
      at = parent;
    }
    put(at, row, deadline);
  }

  private void siftDown(int from, int row, long deadline) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && deadlines[child + 1] < deadlines[child]) {
        child++;
      }
      if (deadlines[child] >= deadline) {
        break;
      }
      put(at, rows[child], deadlines[child]);
      at = child;
    }
    put(at, row, deadline);
  }

  private void put(int at, int row, long deadline) {
    rows[at] = row;
    deadlines[at] = deadline;
    places.put(row, at);
  }
}
