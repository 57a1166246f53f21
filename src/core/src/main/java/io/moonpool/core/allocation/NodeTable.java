package io.moonpool.core.allocation;

/**
 * The nodes of an {@link OffsetAllocator}: one per extent, allocated or free, named by a small int.
 *
 * <p>A node is four ints, so that four nodes share a cache line and none lies in two:
 *
 * <pre>
 * offset in granules 32 | previous 32 | next 32 | state 2, link 30
 * </pre>
 *
 * <p>The link of a released or unused node is the next one of that list. Free extents hang in lists
 * that are linked both ways; since there are few of them in a pool in use, their two links are in a
 * table of their own, and the node's link says where.
 *
 * <p>All access is by the holder of the allocator's lock, but for {@link #claimForRelease} and
 * {@link #setLink}, by which the owner of an allocated extent gives it back without the lock.
 */
final class NodeTable {
  /** No node. */
  static final int NONE = -1;

  /** How many nodes one more chunk has. */
  static final int CHUNK_NODES = IntTable.CHUNK_ROWS;

  /** 268 million: more than a master with the memory of one machine can index. */
  static final int MAX_NODES = IntTable.MAX_ROWS;

  private static final int OFFSET = 0;
  private static final int PREVIOUS = 1;
  private static final int NEXT = 2;
  private static final int STATE = 3;

  private static final int STATE_SHIFT = 30;

  /** The link, increased by one: 0 is none. */
  private static final int LINK_MASK = (1 << STATE_SHIFT) - 1;

  // States; what was never in use is zeros.
  private static final int UNUSED = 0;
  private static final int FREE = 1 << STATE_SHIFT;
  private static final int ALLOCATED = 2 << STATE_SHIFT;
  private static final int RELEASED = 3 << STATE_SHIFT;

  // Columns of the links of free extents.
  private static final int BEFORE = 0;
  private static final int AFTER = 1;

  private final IntTable nodes;
  private final IntTable freeLinks;
  private final int maxNodes;
  private int made;
  private int unused = NONE;
  private int madeLinks;
  private int unusedLinks = NONE;

  /**
   * An empty table.
   *
   * @param maxNodes at most {@link #MAX_NODES}
   */
  NodeTable(ExtentMemory memory, int maxNodes) {
    nodes = new IntTable(memory, 4);
    freeLinks = new IntTable(memory, 2);
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
    if (made == nodes.rows()) {
      nodes.addChunk();
    }
    return made++;
  }

  /** Takes a node, which is not free, out of use. */
  void giveBack(int node) {
    setState(node, UNUSED, unused);
    unused = node;
  }

  /** Where the extent begins, in granules. */
  long offset(int node) {
    return Integer.toUnsignedLong(nodes.get(node, OFFSET));
  }

  void setOffset(int node, long offset) {
    nodes.set(node, OFFSET, (int) offset);
  }

  /** The node of the extent before this one, or {@link #NONE}. */
  int previous(int node) {
    return nodes.get(node, PREVIOUS);
  }

  void setPrevious(int node, int previous) {
    nodes.set(node, PREVIOUS, previous);
  }

  /** The node of the extent after this one, or {@link #NONE}. */
  int next(int node) {
    return nodes.get(node, NEXT);
  }

  void setNext(int node, int next) {
    nodes.set(node, NEXT, next);
  }

  private void setState(int node, int state, int link) {
    nodes.set(node, STATE, state | (link + 1));
  }

  /** The node after this one in the list of the released or of the unused nodes. */
  int link(int node) {
    return (nodes.get(node, STATE) & LINK_MASK) - 1;
  }

  /** Links a released node to another one of these. */
  void setLink(int node, int link) {
    setState(node, RELEASED, link);
  }

  void setAllocated(int node) {
    setState(node, ALLOCATED, NONE);
  }

  boolean isFree(int node) {
    return (nodes.get(node, STATE) & ~LINK_MASK) == FREE;
  }

  /** Makes an extent that is not free a free one, the first of its list. */
  void setFree(int node, int after) {
    int links = unusedLinks;
    if (links != NONE) {
      unusedLinks = freeLinks.get(links, AFTER);
    } else {
      if (madeLinks == freeLinks.rows()) {
        freeLinks.addChunk();
      }
      links = madeLinks++;
    }
    setState(node, FREE, links);
    freeLinks.set(links, BEFORE, NONE);
    freeLinks.set(links, AFTER, after);
  }

  /** A free extent is in no list any more; it is to become allocated, or its node unused. */
  void unsetFree(int node) {
    int links = link(node);
    freeLinks.set(links, AFTER, unusedLinks);
    unusedLinks = links;
    setState(node, UNUSED, NONE);
  }

  /** The free extent before this one in its list, or {@link #NONE}. */
  int freeBefore(int node) {
    return freeLinks.get(link(node), BEFORE);
  }

  void setFreeBefore(int node, int before) {
    freeLinks.set(link(node), BEFORE, before);
  }

  /** The free extent after this one in its list, or {@link #NONE}. */
  int freeAfter(int node) {
    return freeLinks.get(link(node), AFTER);
  }

  void setFreeAfter(int node, int after) {
    freeLinks.set(link(node), AFTER, after);
  }

  /**
   * Turns an allocated extent into a released one; of several attempts for one allocation exactly
   * one succeeds. Any thread that was handed the node may call it, without the lock: whoever handed
   * it over made the table visible, and nobody writes offset or state of an allocated node.
   *
   * @return false when the node does not stand for an allocated extent at that offset
   */
  boolean claimForRelease(int node, long offset) {
    return nodes.has(node)
        && offset(node) == offset
        && nodes.compareAndSet(node, STATE, ALLOCATED, RELEASED);
  }

  /** How many nodes are in memory. */
  int capacity() {
    return nodes.rows();
  }

  /** What nodes and links take, in bytes. */
  long bytes() {
    return nodes.bytes() + freeLinks.bytes();
  }
}
