package io.moonpool.core.allocation;

/**
 * Hands out extents of an address range, in granules; every operation is O(1).
 *
 * <p>The range is cut into extents, allocated or free, each a node that knows its neighbours; free
 * ones also hang in the list of their size class ({@link Bins}).
 *
 * <ul>
 *   <li><b>Allocate</b> takes a free extent that is large enough and cuts off exactly the granules
 *       that were asked for; the rest is a free extent again. So an allocation wastes less than one
 *       granule, and the size classes cost search precision only. It looks at up to {@value
 *       #PROBES} extents of the request's own class, best fit first; failing that it takes any
 *       extent of the next higher class that has one, where all are large enough.
 *   <li><b>Free</b> merges with free neighbours on both sides at once, so two free extents never
 *       touch.
 * </ul>
 *
 * <p>What that can miss: an extent of the request's own class behind the first {@value #PROBES},
 * when no higher class has any. Such an extent is less than 1/32 larger than the request.
 *
 * <p>Not thread-safe: the holder of the lock in {@link SegmentAllocator} calls it.
 */
final class OffsetAllocator {
  /** No extent. */
  static final int NONE = NodeTable.NONE;

  /** The largest range, in granules. */
  static final long MAX_CAPACITY = 1L << 32;

  static final int PROBES = 8;

  private final NodeTable nodes;
  private final Bins bins = new Bins();
  private final long capacity;
  private long used;
  private long largestHint;
  private long steps;

  /**
   * A range that is free as a whole.
   *
   * @param capacity granules, 1 to {@link #MAX_CAPACITY}
   * @param nodes an empty table of at least one node
   */
  OffsetAllocator(long capacity, NodeTable nodes) {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException("capacity must be 1 to 2^32 granules, not " + capacity);
    }
    this.capacity = capacity;
    this.nodes = nodes;
    int whole = nodes.take();
    nodes.setOffset(whole, 0);
    nodes.setPrevious(whole, NONE);
    nodes.setNext(whole, NONE);
    addToBin(whole);
    raiseHint();
  }

  /**
   * Takes an extent.
   *
   * @param length granules, at least 1
   * @return its node, or {@link #NONE} when no free extent was found or all nodes are in use
   */
  int allocate(long length) {
    int node = find(length);
    if (node == NONE) {
      // The same search would fail for any greater length too: see find().
      largestHint = Math.min(largestHint, length - 1);
      return NONE;
    }
    long rest = length(node) - length;
    if (rest > 0) {
      int tail = nodes.take();
      if (tail == NONE) {
        return NONE;
      }
      removeFromBin(node);
      int next = nodes.next(node);
      nodes.setOffset(tail, nodes.offset(node) + length);
      nodes.setPrevious(tail, node);
      nodes.setNext(tail, next);
      nodes.setNext(node, tail);
      if (next != NONE) {
        nodes.setPrevious(next, tail);
      }
      addToBin(tail);
    } else {
      removeFromBin(node);
    }
    nodes.setAllocated(node);
    used += length;
    raiseHint();
    return node;
  }

  private int find(long length) {
    int bin = Bins.of(length);
    int best = NONE;
    long bestLength = Long.MAX_VALUE;
    int node = bins.head(bin);
    for (int probe = 0; probe < PROBES && node != NONE; probe++) {
      steps++;
      long have = length(node);
      if (have == length) {
        return node;
      }
      if (have > length && have < bestLength) {
        best = node;
        bestLength = have;
      }
      node = nodes.freeAfter(node);
    }
    if (best != NONE) {
      return best;
    }
    int higher = bins.above(bin);
    return higher == Bins.NONE ? NONE : bins.head(higher);
  }

  /**
   * Frees an extent.
   *
   * @param node of an extent that is allocated or released
   * @return how many granules it had
   */
  long free(int node) {
    long length = length(node);
    int previous = nodes.previous(node);
    if (previous != NONE && nodes.isFree(previous)) {
      removeFromBin(previous);
      int before = nodes.previous(previous);
      nodes.setOffset(node, nodes.offset(previous));
      nodes.setPrevious(node, before);
      if (before != NONE) {
        nodes.setNext(before, node);
      }
      nodes.giveBack(previous);
    }
    int next = nodes.next(node);
    if (next != NONE && nodes.isFree(next)) {
      removeFromBin(next);
      int after = nodes.next(next);
      nodes.setNext(node, after);
      if (after != NONE) {
        nodes.setPrevious(after, node);
      }
      nodes.giveBack(next);
    }
    addToBin(node);
    used -= length;
    raiseHint();
    return length;
  }

  private void addToBin(int node) {
    steps++;
    int bin = Bins.of(length(node));
    int head = bins.head(bin);
    nodes.setFree(node, head);
    if (head != NONE) {
      nodes.setFreeBefore(head, node);
    }
    bins.setHead(bin, node);
  }

  private void removeFromBin(int node) {
    steps++;
    int before = nodes.freeBefore(node);
    int after = nodes.freeAfter(node);
    if (before == NONE) {
      bins.setHead(Bins.of(length(node)), after);
    } else {
      nodes.setFreeAfter(before, after);
    }
    if (after != NONE) {
      nodes.setFreeBefore(after, before);
    }
    nodes.unsetFree(node);
  }

  private void raiseHint() {
    int highest = bins.highest();
    largestHint = highest == Bins.NONE ? 0 : Math.min(capacity, Bins.floor(highest + 1) - 1);
  }

  /** Where an extent begins, in granules. */
  long offset(int node) {
    return nodes.offset(node);
  }

  /** How many granules an extent has. */
  long length(int node) {
    int next = nodes.next(node);
    return (next == NONE ? capacity : nodes.offset(next)) - nodes.offset(node);
  }

  /** Granules of the range. */
  long capacity() {
    return capacity;
  }

  /** Granules in allocated extents. */
  long used() {
    return used;
  }

  /** No allocation of more granules than this can succeed now. */
  long largestHint() {
    return largestHint;
  }

  /** How many nodes were visited so far: tests bound what one operation adds. */
  long steps() {
    return steps;
  }
}
