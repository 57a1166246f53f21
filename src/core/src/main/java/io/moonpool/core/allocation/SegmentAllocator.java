package io.moonpool.core.allocation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The allocator of one mounted memory segment: the one structure of the master that several loops
 * write to.
 *
 * <p>Nobody ever waits here. {@link #tryAllocate} takes the lock when it is free and otherwise says
 * BUSY. {@link #free} takes the lock when it is free; otherwise it leaves the extent in a list that
 * whoever holds the lock empties: the holder looks after it has unlocked, so nothing is forgotten.
 *
 * <p><b>Why the work under the lock is bounded.</b> An allocation visits at most {@value
 * OffsetAllocator#PROBES} nodes, takes one extent out of a list and puts at most one back; a free
 * takes out at most two and puts one back; growing a table adds one chunk of {@value
 * IntTable#CHUNK_ROWS} rows and copies nothing. One hold of the lock frees at most {@value
 * #FREES_PER_BATCH} left extents per batch and at most {@value #MAX_BATCHES} batches, one call
 * holds the lock at most {@value #MAX_HOLDS} times, and all of that is independent of size and fill
 * of the segment. What is left over stays in the list for the next caller, or for {@link #settle}.
 *
 * <p><b>The list of released extents</b> is a stack threaded through the extents' own nodes: giving
 * back allocates nothing and cannot fail. Pushes are compare-and-set by any thread; the lock's
 * holder takes the whole stack at once, so no element can be popped and pushed again under a
 * pusher's eyes.
 *
 * <p>Space is reserved in granules of 64 bytes, or of 256 bytes for segments above 256 GiB: an
 * object wastes less than one granule.
 */
public final class SegmentAllocator {
  /** What became of an attempt to allocate. */
  enum Attempt {
    /** The extent was appended. */
    ALLOCATED,
    /** No free extent is large enough. */
    FULL,
    /** The lock is held, or space is about to come back: try again later. */
    BUSY
  }

  /** The largest segment: 1 TiB. */
  public static final long MAX_CAPACITY_BYTES = 1L << 40;

  /** Segments up to this size use granules of 64 bytes. */
  static final long FINE_CAPACITY_BYTES = OffsetAllocator.MAX_CAPACITY << Extent.UNIT_SHIFT;

  static final int FREES_PER_BATCH = 32;
  static final int MAX_BATCHES = 4;
  static final int MAX_HOLDS = 3;

  private static final int COARSE_SHIFT = 8;

  private static final VarHandle RELEASED;
  private static final VarHandle TAKEN;
  private static final VarHandle USED_BYTES;
  private static final VarHandle LARGEST_HINT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RELEASED = lookup.findVarHandle(SegmentAllocator.class, "released", int.class);
      TAKEN = lookup.findVarHandle(SegmentAllocator.class, "taken", int.class);
      USED_BYTES = lookup.findVarHandle(SegmentAllocator.class, "usedBytes", long.class);
      LARGEST_HINT = lookup.findVarHandle(SegmentAllocator.class, "largestHint", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int slot;
  private final long generation;
  private final long capacityBytes;
  private final int granuleShift;
  private final PoolUsage usage;

  private final TryLock lock = new TryLock();

  /** Guarded by the lock, but for the release of nodes. */
  private final NodeTable nodes;

  /** Guarded by the lock. */
  private final OffsetAllocator offsets;

  /** The stack of released extents: pushed by any thread, taken as a whole by the lock's holder. */
  private int released = NodeTable.NONE;

  /** What the holder took from the stack and has not freed yet. Written under the lock. */
  private int taken = NodeTable.NONE;

  /** Whether the pool's usage counts this segment: what the owner wants. */
  private volatile boolean counted;

  /** Whether it does. Written under the lock. */
  private volatile boolean countedNow;

  /** Published under the lock, read by any thread. */
  private long usedBytes;

  /** Published under the lock, read by any thread; in granules. */
  private long largestHint;

  /**
   * The allocator of an empty segment.
   *
   * @param slot its place in the tables
   * @param generation of the mount
   * @param capacityBytes 64 bytes to {@link #MAX_CAPACITY_BYTES}; less than a granule at the end is
   *     not used
   * @param usage of the pool; counts this segment after {@link #setCounted}
   * @throws IllegalArgumentException when the capacity is out of range
   */
  public SegmentAllocator(int slot, long generation, long capacityBytes, PoolUsage usage) {
    this(slot, generation, capacityBytes, usage, ExtentMemory.ofProcess());
  }

  /** The same with a source for the memory of its table. */
  public SegmentAllocator(
      int slot, long generation, long capacityBytes, PoolUsage usage, ExtentMemory memory) {
    if (capacityBytes < Extent.UNIT || capacityBytes > MAX_CAPACITY_BYTES) {
      throw new IllegalArgumentException(
          "a segment has 64 bytes to 1 TiB, not " + capacityBytes + " bytes");
    }
    this.slot = slot;
    this.generation = generation;
    this.granuleShift = capacityBytes <= FINE_CAPACITY_BYTES ? Extent.UNIT_SHIFT : COARSE_SHIFT;
    this.capacityBytes = capacityBytes >>> granuleShift << granuleShift;
    this.usage = usage;
    this.nodes =
        new NodeTable(
            memory, (int) Math.min(NodeTable.MAX_NODES, this.capacityBytes >>> granuleShift));
    this.offsets = new OffsetAllocator(this.capacityBytes >>> granuleShift, nodes);
    this.largestHint = offsets.largestHint();
  }

  /**
   * Tries to take an extent and to append it. Any thread; never waits.
   *
   * @param bytes at least 1
   * @param out gets the extent
   */
  Attempt tryAllocate(long bytes, ExtentList out) {
    long granules = ((bytes - 1) >>> granuleShift) + 1;
    if (!mayHold(granules)) {
      return Attempt.FULL;
    }
    if (!lock.tryLock()) {
      return Attempt.BUSY;
    }
    Attempt attempt;
    try {
      attempt = allocateLocked(granules, bytes, out);
      publish();
    } finally {
      lock.unlock();
    }
    settle();
    return attempt;
  }

  /** False when it is certain, without the lock, that there is no room for so many granules. */
  private boolean mayHold(long granules) {
    if (granules > offsets.capacity()) {
      return false;
    }
    // Opaque: a stale hint costs a useless attempt, or makes a put go to another segment.
    return granules <= (long) LARGEST_HINT.getOpaque(this) || hasReleased();
  }

  private Attempt allocateLocked(long granules, long bytes, ExtentList out) {
    freeBatch();
    int node = offsets.allocate(granules);
    for (int batch = 1; node == OffsetAllocator.NONE && batch < MAX_BATCHES; batch++) {
      if (!freeBatch()) {
        return Attempt.FULL;
      }
      node = offsets.allocate(granules);
    }
    if (node == OffsetAllocator.NONE) {
      return hasReleased() ? Attempt.BUSY : Attempt.FULL;
    }
    long offsetUnits = offsets.offset(node) << (granuleShift - Extent.UNIT_SHIFT);
    out.add(slot, generation, offsetUnits, bytes, node);
    return Attempt.ALLOCATED;
  }

  /**
   * Gives an extent back. Any thread; never waits.
   *
   * @param offsetUnits of the extent
   * @param node of the extent
   * @throws IllegalStateException when it is not allocated: given back twice, or never handed out,
   *     which is a bug of the caller. Nothing is changed then
   */
  void free(long offsetUnits, int node) {
    long offset = offsetUnits >>> (granuleShift - Extent.UNIT_SHIFT);
    if (!nodes.claimForRelease(node, offset)) {
      throw new IllegalStateException(
          "not an allocated extent of slot "
              + slot
              + ", generation "
              + generation
              + ": node "
              + node
              + " at unit "
              + offsetUnits);
    }
    if (lock.tryLock()) {
      try {
        offsets.free(node);
        publish();
      } finally {
        lock.unlock();
      }
    } else {
      push(node);
    }
    settle();
  }

  private void push(int node) {
    int head;
    do {
      head = (int) RELEASED.getOpaque(this);
      nodes.setLink(node, head);
      // Volatile: the link is written before, and the attempt on the lock comes after.
    } while (!RELEASED.compareAndSet(this, head, node));
  }

  /**
   * Applies what others left behind because they did not get the lock; a bounded part of it. Any
   * thread; never waits.
   *
   * @return true when something is left
   */
  boolean settle() {
    for (int hold = 1; hold < MAX_HOLDS && hasWork(); hold++) {
      if (!lock.tryLock()) {
        // The holder looks after it has unlocked.
        return true;
      }
      try {
        freeBatch();
        publish();
      } finally {
        lock.unlock();
      }
    }
    return hasWork();
  }

  private boolean hasWork() {
    return hasReleased() || counted != countedNow;
  }

  private boolean hasReleased() {
    // Volatile: ordered after the unlock that precedes it; pairs with the push.
    return (int) RELEASED.getVolatile(this) != NodeTable.NONE
        || (int) TAKEN.getOpaque(this) != NodeTable.NONE;
  }

  /** Frees some of what was released. True when there was something. Lock held. */
  private boolean freeBatch() {
    int node = taken;
    if (node == NodeTable.NONE) {
      if ((int) RELEASED.getOpaque(this) == NodeTable.NONE) {
        return false;
      }
      // Volatile: pairs with the compare-and-set in push(), so the links are there.
      node = (int) RELEASED.getAndSet(this, NodeTable.NONE);
    }
    for (int freed = 0; freed < FREES_PER_BATCH && node != NodeTable.NONE; freed++) {
      int next = nodes.link(node);
      offsets.free(node);
      node = next;
    }
    TAKEN.setOpaque(this, node);
    return true;
  }

  /** Publishes what readers without the lock see. Lock held. */
  private void publish() {
    long before = usedBytes;
    long now = offsets.used() << granuleShift;
    USED_BYTES.setOpaque(this, now);
    LARGEST_HINT.setOpaque(this, offsets.largestHint());
    boolean wanted = counted;
    if (wanted != countedNow) {
      usage.addCapacity(wanted ? capacityBytes : -capacityBytes);
      usage.addUsed(wanted ? now : -before);
      countedNow = wanted;
    } else if (wanted && now != before) {
      usage.addUsed(now - before);
    }
  }

  /**
   * Says whether the pool's usage counts this segment; takes effect at once, or as soon as whoever
   * holds the lock lets go. Only the segment owner calls it.
   */
  public void setCounted(boolean counted) {
    this.counted = counted;
    settle();
  }

  /** The segment's place in the tables. */
  public int slot() {
    return slot;
  }

  /** The mount that it serves. */
  public long generation() {
    return generation;
  }

  /** Bytes that can be allocated when it is empty. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Bytes reserved now. Any thread. */
  public long usedBytes() {
    return (long) USED_BYTES.getOpaque(this);
  }

  /** No extent of more bytes than this is free. Any thread. */
  public long largestFreeBytes() {
    return (long) LARGEST_HINT.getOpaque(this) << granuleShift;
  }

  /** How many nodes were visited so far. Only without concurrent calls. */
  long steps() {
    return offsets.steps();
  }

  /** The lock, for tests that hold it. */
  TryLock lock() {
    return lock;
  }
}
