package io.moonpool.core.allocation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The nodes of an {@link OffsetAllocator}: one per extent, allocated or free, named by a small int.
 *
 * <p>A node is five ints side by side, so that one node costs one or two cache lines. Nodes live in
 * chunks of {@value #CHUNK_NODES}, chunks in leaves, leaves in a root: growing by one chunk touches
 * at most one chunk and one leaf (24 KB), however many nodes there are. Nothing is ever copied.
 *
 * <p>All access is by the holder of the allocator's lock, but for {@link #claimForRelease} and
 * {@link #setLink}, by which the owner of an allocated extent gives it back without the lock.
 */
final class NodeTable {
  /** No node. */
  static final int NONE = -1;

  /** In {@link #state}: the extent is allocated. Values from {@link #NONE} up mean free. */
  static final int ALLOCATED = -2;

  /** In {@link #state}: its owner has given it back, it waits to be freed. */
  static final int RELEASED = -3;

  /** In {@link #state}: the node is not in use. */
  static final int UNUSED = -4;

  static final int CHUNK_NODES = 1024;

  /** 268 million: more than a master with the memory of one machine can index. */
  static final int MAX_NODES = 1 << 28;

  private static final int CHUNK_BITS = 10;
  private static final int LEAF_BITS = 9;
  private static final int LEAF_CHUNKS = 1 << LEAF_BITS;
  private static final int ROOT_LEAVES = MAX_NODES >>> (CHUNK_BITS + LEAF_BITS);

  private static final int STRIDE = 5;
  private static final int OFFSET = 0;
  private static final int PREVIOUS = 1;
  private static final int NEXT = 2;
  private static final int STATE = 3;
  private static final int LINK = 4;

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[][][] root = new int[ROOT_LEAVES][][];
  private final int maxNodes;
  private int made;
  private int unused = NONE;

  /**
   * An empty table.
   *
   * @param maxNodes at most {@link #MAX_NODES}
   */
  NodeTable(int maxNodes) {
    this.maxNodes = maxNodes;
  }

  /** A node that was not in use, or {@link #NONE} when there are too many. */
  int take() {
    if (unused != NONE) {
      int node = unused;
      unused = link(node);
      return node;
    }
    if (made == maxNodes) {
      return NONE;
    }
    int node = made++;
    if ((node & (CHUNK_NODES - 1)) == 0) {
      grow(node);
    }
    return node;
  }

  private void grow(int node) {
    int leaf = node >>> (CHUNK_BITS + LEAF_BITS);
    if (root[leaf] == null) {
      root[leaf] = new int[LEAF_CHUNKS][];
    }
    int[] chunk = new int[CHUNK_NODES * STRIDE];
    for (int i = STATE; i < chunk.length; i += STRIDE) {
      chunk[i] = UNUSED;
    }
    root[leaf][(node >>> CHUNK_BITS) & (LEAF_CHUNKS - 1)] = chunk;
  }

  /** Takes a node out of use. */
  void giveBack(int node) {
    setState(node, UNUSED);
    setLink(node, unused);
    unused = node;
  }

  private int[] chunk(int node) {
    return root[node >>> (CHUNK_BITS + LEAF_BITS)][(node >>> CHUNK_BITS) & (LEAF_CHUNKS - 1)];
  }

  private static int at(int node, int column) {
    return (node & (CHUNK_NODES - 1)) * STRIDE + column;
  }

  /** Where the extent begins, in granules. */
  long offset(int node) {
    return Integer.toUnsignedLong(chunk(node)[at(node, OFFSET)]);
  }

  void setOffset(int node, long offset) {
    chunk(node)[at(node, OFFSET)] = (int) offset;
  }

  /** The node of the extent before this one, or {@link #NONE}. */
  int previous(int node) {
    return chunk(node)[at(node, PREVIOUS)];
  }

  void setPrevious(int node, int previous) {
    chunk(node)[at(node, PREVIOUS)] = previous;
  }

  /** The node of the extent after this one, or {@link #NONE}. */
  int next(int node) {
    return chunk(node)[at(node, NEXT)];
  }

  void setNext(int node, int next) {
    chunk(node)[at(node, NEXT)] = next;
  }

  /**
   * {@link #ALLOCATED}, {@link #RELEASED} or {@link #UNUSED}; otherwise the extent is free and this
   * is the node before it in its bin, {@link #NONE} for the first.
   */
  int state(int node) {
    return chunk(node)[at(node, STATE)];
  }

  void setState(int node, int state) {
    chunk(node)[at(node, STATE)] = state;
  }

  /** The node after this one in the list that it is in: a bin, the released or the unused nodes. */
  int link(int node) {
    return chunk(node)[at(node, LINK)];
  }

  void setLink(int node, int link) {
    chunk(node)[at(node, LINK)] = link;
  }

  boolean isFree(int node) {
    return state(node) >= NONE;
  }

  /**
   * Turns an allocated extent into a released one; of several attempts for one allocation exactly
   * one succeeds. Any thread that was handed the node may call it, without the lock: whoever handed
   * it over made the table visible, and nobody writes offset or state of an allocated node.
   *
   * @return false when the node does not stand for an allocated extent at that offset
   */
  boolean claimForRelease(int node, long offset) {
    if (node < 0 || node >= MAX_NODES) {
      return false;
    }
    int[][] leaf = root[node >>> (CHUNK_BITS + LEAF_BITS)];
    int[] chunk = leaf == null ? null : leaf[(node >>> CHUNK_BITS) & (LEAF_CHUNKS - 1)];
    return chunk != null
        && Integer.toUnsignedLong(chunk[at(node, OFFSET)]) == offset
        && INTS.compareAndSet(chunk, at(node, STATE), ALLOCATED, RELEASED);
  }

  /** How many nodes are in memory. */
  int capacity() {
    return (made + CHUNK_NODES - 1) / CHUNK_NODES * CHUNK_NODES;
  }
}
