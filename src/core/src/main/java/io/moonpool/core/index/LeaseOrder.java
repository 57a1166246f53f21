package io.moonpool.core.index;

import java.util.Arrays;

/**
 * Rows ordered by the end of their protection, so that whoever looks for the ones whose protection
 * ended looks at those only.
 *
 * <p>Protection ends come in nearly ascending sequences: reads give now + the lease time, completed
 * writes give now, and time does not go back. So the order is two lists through the rows, each
 * sorted by being appended to, plus a heap for the few rows that fit the end of neither: an object
 * that was busy for a while and comes back with its old lease, one whose soft pin ran out, or one
 * that is put off. Adding, moving and removing a row costs O(1) in the lists and O(log n) in the
 * heap; the first row is the least of three.
 *
 * <p>The protection end of a row must not change while it is in the order.
 */
final class LeaseOrder {
  /** The first key of an order without rows. */
  static final long EMPTY = Long.MAX_VALUE;

  /** Values of {@link ObjectRows#place}. */
  static final int NOWHERE = 0;

  private static final int LIST_A = 1;
  private static final int LIST_B = 2;
  private static final int HEAP = 3;

  private final ObjectRows rows;

  int headA;
  private int tailA;
  int headB;
  private int tailB;

  /** The protection end of the last row of each list, 0 when it is empty. */
  private long lastA;

  private long lastB;

  /** A binary heap; the rows' {@code previous} fields hold their places in it. */
  int[] heapRows = {};

  long[] heapKeys = {};
  int heapSize;

  private int size;

  LeaseOrder(ObjectRows rows) {
    this.rows = rows;
  }

  int size() {
    return size;
  }

  /** Adds a row that is nowhere, at its protection end. */
  void add(int row) {
    long key = rows.protectionEnd(row);
    // The fuller list that it fits, so that the other keeps its lower end for lower keys.
    boolean fitsA = key >= lastA;
    boolean fitsB = key >= lastB;
    if (fitsA && (!fitsB || lastA >= lastB)) {
      rows.place(row, LIST_A);
      rows.links(row, tailA, 0);
      if (tailA == 0) {
        headA = row;
      } else {
        rows.next(tailA, row);
      }
      tailA = row;
      lastA = key;
      size++;
    } else if (fitsB) {
      rows.place(row, LIST_B);
      rows.links(row, tailB, 0);
      if (tailB == 0) {
        headB = row;
      } else {
        rows.next(tailB, row);
      }
      tailB = row;
      lastB = key;
      size++;
    } else {
      addAt(row, key);
    }
  }

  /** Adds a row that is nowhere, at another key than its protection end. */
  void addAt(int row, long key) {
    if (heapSize == heapRows.length) {
      int length = Math.max(4, heapSize * 2);
      heapRows = Arrays.copyOf(heapRows, length);
      heapKeys = Arrays.copyOf(heapKeys, length);
    }
    rows.place(row, HEAP);
    siftUp(heapSize++, row, key);
    size++;
  }

  /** Removes a row that is in this order. */
  void remove(int row) {
    switch (rows.place(row)) {
      case LIST_A -> {
        int previous = rows.previous(row);
        int next = rows.next(row);
        unlink(previous, next);
        headA = previous == 0 ? next : headA;
        if (next == 0) {
          tailA = previous;
          lastA = previous == 0 ? 0 : rows.protectionEnd(previous);
        }
      }
      case LIST_B -> {
        int previous = rows.previous(row);
        int next = rows.next(row);
        unlink(previous, next);
        headB = previous == 0 ? next : headB;
        if (next == 0) {
          tailB = previous;
          lastB = previous == 0 ? 0 : rows.protectionEnd(previous);
        }
      }
      case HEAP -> removeFromHeap(rows.previous(row));
      default -> throw new IllegalStateException("row " + row + " is in no order");
    }
    rows.place(row, NOWHERE);
    size--;
  }

  private void unlink(int previous, int next) {
    if (previous != 0) {
      rows.next(previous, next);
    }
    if (next != 0) {
      rows.previous(next, previous);
    }
  }

  /** The least key, or {@link #EMPTY}. */
  long firstKey() {
    long a = headA == 0 ? EMPTY : rows.protectionEnd(headA);
    long b = headB == 0 ? EMPTY : rows.protectionEnd(headB);
    return Math.min(Math.min(a, b), heapSize == 0 ? EMPTY : heapKeys[0]);
  }

  /** The row with the least key, or 0. */
  int first() {
    long a = headA == 0 ? EMPTY : rows.protectionEnd(headA);
    long b = headB == 0 ? EMPTY : rows.protectionEnd(headB);
    long heap = heapSize == 0 ? EMPTY : heapKeys[0];
    if (heap < a && heap < b) {
      return heapRows[0];
    }
    return a <= b ? headA : headB;
  }

  /**
   * The rows that come first as far as they are known without searching: those of the list that
   * begins with the first row. Answers how many were found, at most so many.
   */
  int firstRows(int[] into, int most) {
    int row = first();
    if (row == 0 || rows.place(row) == HEAP) {
      return 0;
    }
    int count = 0;
    for (; count < most && row != 0; row = rows.next(row)) {
      into[count++] = row;
    }
    return count;
  }

  private void removeFromHeap(int at) {
    heapSize--;
    int row = heapRows[heapSize];
    long key = heapKeys[heapSize];
    if (at == heapSize) {
      return;
    }
    if (at > 0 && key < heapKeys[(at - 1) >>> 1]) {
      siftUp(at, row, key);
    } else {
      siftDown(at, row, key);
    }
  }

  private void siftUp(int from, int row, long key) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (heapKeys[parent] <= key) {
        break;
      }
      putInHeap(at, heapRows[parent], heapKeys[parent]);
      at = parent;
    }
    putInHeap(at, row, key);
  }

  private void siftDown(int from, int row, long key) {
    int at = from;
    for (int child = 2 * at + 1; child < heapSize; child = 2 * at + 1) {
      if (child + 1 < heapSize && heapKeys[child + 1] < heapKeys[child]) {
        child++;
      }
      if (heapKeys[child] >= key) {
        break;
      }
      putInHeap(at, heapRows[child], heapKeys[child]);
      at = child;
    }
    putInHeap(at, row, key);
  }

  private void putInHeap(int at, int row, long key) {
    heapRows[at] = row;
    heapKeys[at] = key;
    rows.previous(row, at);
  }
}
