package io.moonpool.core.index;

/**
 * The replicas of a loop. Most objects have one: it is part of the object's own row ({@link
 * ObjectRows}), whose number is its name. Further ones have a row of four longs, here, and the
 * highest bit of a row number says so.
 *
 * <pre>
 * word  bits
 * 0     offset 34 | slot 16 | references 8 | type 2 | in use 1 | status 3
 * 1     node 28 | next of the object 28 | high part of the number 8
 * 2     previous in slot 28 | next in slot 28 | middle part of the number 8
 * 3     object 28 | unused 8 | low part of the number 28
 * </pre>
 *
 * <p>In an object's row the last word has the object's size in place of object and unused bits.
 * When an object has replicas but none in its own row, the second word there still leads to them.
 *
 * <p>A replica's id is its number and its shard. Neither size nor generation is here: all replicas
 * of an object have its size, and all replicas in a slot have the generation that {@link Slots}
 * holds for it. The offset counts units of {@link io.moonpool.core.allocation.Extent#UNIT} bytes;
 * the node is the allocator's name for the extent.
 */
final class ReplicaRows {
  /** The largest offset in a segment, in units. */
  static final long MAX_OFFSET_UNITS = (1L << 34) - 1;

  /** The largest slot number. */
  static final int MAX_SLOT = 0xffff;

  /** The largest name that an allocator may give an extent. */
  static final int MAX_NODE = (1 << 28) - 1;

  /** The most references that a replica counts. */
  static final int MAX_REFERENCES = 0xff;

  /** Names a row here, not one of an object. */
  private static final int OUTSIDE = Rows.MAX_ROW + 1;

  private static final int ROW_MASK = Rows.ROW_MASK;
  private static final int OFFSET_SHIFT = 30;
  private static final int SLOT_SHIFT = 14;
  private static final int REFERENCES_SHIFT = 6;
  private static final int TYPE_SHIFT = 4;
  private static final int TYPE_MASK = 3;
  private static final int IN_USE = 1 << 3;
  private static final int STATUS_MASK = 7;
  private static final int FIRST_ROW_SHIFT = 36;
  private static final int SECOND_ROW_SHIFT = 8;
  private static final int NUMBER_PART_BITS = 8;
  private static final int NUMBER_PART_MASK = (1 << NUMBER_PART_BITS) - 1;
  private static final int LOW_NUMBER_BITS = 28;
  private static final long LOW_NUMBER_MASK = (1L << LOW_NUMBER_BITS) - 1;

  private static final int WORDS = 4;
  private static final int WHERE = 0;
  private static final int NEXT = Long.BYTES;
  private static final int MEMBERSHIP = 2 * Long.BYTES;
  private static final int OBJECT = 3 * Long.BYTES;

  private static final class Outside extends Rows {
    Outside(TableMemory memory) {
      super(memory, WORDS);
    }
  }

  private final ObjectRows objects;
  private final Outside outside;
  private int usedInside;

  ReplicaRows(TableMemory memory, ObjectRows objects) {
    this.objects = objects;
    outside = new Outside(memory);
  }

  /** The address of the first word of a replica. */
  private long at(int replica) {
    return isInObject(replica)
        ? objects.replicaAddress(replica)
        : outside.address(replica & ~OUTSIDE);
  }

  private long word(int replica, int offset) {
    return TableMemory.getLong(at(replica) + offset);
  }

  private void bits(int replica, int offset, int shift, long mask, long value) {
    Rows.bits(at(replica) + offset, shift, mask, value);
  }

  /** Whether a replica is part of its object's row. */
  boolean isInObject(int replica) {
    return (replica & OUTSIDE) == 0;
  }

  private boolean isInUse(int replica) {
    return (word(replica, WHERE) & IN_USE) != 0;
  }

  /** Reads both ends of a row. */
  long peek(int replica) {
    return word(replica, WHERE) + word(replica, OBJECT);
  }

  /** The first replica of an object; 0 when it has none. */
  int first(int object) {
    return isInUse(object) ? object : nextOfObject(object);
  }

  /**
   * A new replica of an object, behind its last one, or (0) its first. Its {@link #where} must be
   * set next.
   */
  int add(int object, int behind) {
    if (behind == 0 && !objects.has(object, ObjectRows.SHADOW)) {
      bits(object, WHERE, 0, IN_USE, IN_USE);
      usedInside++;
      return object;
    }
    int replica = OUTSIDE | outside.allocate();
    bits(replica, OBJECT, FIRST_ROW_SHIFT, ROW_MASK, object);
    nextOfObject(behind == 0 ? object : behind, replica);
    return replica;
  }

  /** Takes a replica out of its object's list. */
  void unlink(int replica) {
    if (isInObject(replica)) {
      bits(replica, WHERE, 0, IN_USE, 0);
      return;
    }
    // The word of the object's own row leads to the first one also when no replica is there.
    int at = object(replica);
    while (nextOfObject(at) != replica) {
      at = nextOfObject(at);
    }
    nextOfObject(at, nextOfObject(replica));
  }

  /** Forgets a replica that is in no list. */
  void release(int replica) {
    if (!isInObject(replica)) {
      outside.release(replica & ~OUTSIDE);
      return;
    }
    int next = nextOfObject(replica);
    long at = at(replica);
    TableMemory.putLong(at + WHERE, 0);
    TableMemory.putLong(at + NEXT, (long) next << SECOND_ROW_SHIFT);
    TableMemory.putLong(at + MEMBERSHIP, 0);
    usedInside--;
  }

  /** Gives the replicas of a shadow, which are all outside, to its object, which has none. */
  void hand(int shadow, int object) {
    int first = nextOfObject(shadow);
    nextOfObject(object, first);
    nextOfObject(shadow, 0);
    for (int r = first; r != 0; r = nextOfObject(r)) {
      bits(r, OBJECT, FIRST_ROW_SHIFT, ROW_MASK, object);
    }
  }

  /**
   * Copies an object's first replica to the object's own row, where none is. Its old row is to be
   * released.
   */
  void moveIn(int replica) {
    int object = object(replica);
    long from = at(replica);
    long to = at(object);
    TableMemory.copy(from, to, OBJECT);
    bits(object, OBJECT, 0, LOW_NUMBER_MASK, word(replica, OBJECT));
    usedInside++;
  }

  /** The part of the id that the shard does not say: less than 2<sup>44</sup>. */
  long number(int replica) {
    long at = at(replica);
    return ((TableMemory.getLong(at + NEXT) & NUMBER_PART_MASK)
            << (LOW_NUMBER_BITS + NUMBER_PART_BITS))
        | ((TableMemory.getLong(at + MEMBERSHIP) & NUMBER_PART_MASK) << LOW_NUMBER_BITS)
        | (TableMemory.getLong(at + OBJECT) & LOW_NUMBER_MASK);
  }

  void number(int replica, long number) {
    long at = at(replica);
    Rows.bits(at + NEXT, 0, NUMBER_PART_MASK, number >>> (LOW_NUMBER_BITS + NUMBER_PART_BITS));
    Rows.bits(at + MEMBERSHIP, 0, NUMBER_PART_MASK, number >>> LOW_NUMBER_BITS);
    Rows.bits(at + OBJECT, 0, LOW_NUMBER_MASK, number);
  }

  /** Sets where the bytes are; the replica has no references then. */
  void where(int replica, int slot, long offsetUnits, int node, int type, int status) {
    long at = at(replica);
    TableMemory.putLong(
        at + WHERE,
        (offsetUnits << OFFSET_SHIFT)
            | ((long) slot << SLOT_SHIFT)
            | ((long) type << TYPE_SHIFT)
            | IN_USE
            | status);
    Rows.bits(at + NEXT, FIRST_ROW_SHIFT, MAX_NODE, node);
  }

  int node(int replica) {
    return (int) (word(replica, NEXT) >>> FIRST_ROW_SHIFT);
  }

  long offsetUnits(int replica) {
    return word(replica, WHERE) >>> OFFSET_SHIFT;
  }

  int slot(int replica) {
    return (int) (word(replica, WHERE) >>> SLOT_SHIFT) & MAX_SLOT;
  }

  /** The number of the {@link io.moonpool.model.ReplicaType}. */
  int type(int replica) {
    return ((int) word(replica, WHERE) >>> TYPE_SHIFT) & TYPE_MASK;
  }

  /** The number of the {@link io.moonpool.model.ReplicaStatus}. */
  int status(int replica) {
    return (int) word(replica, WHERE) & STATUS_MASK;
  }

  void status(int replica, int status) {
    bits(replica, WHERE, 0, STATUS_MASK, status);
  }

  /** The row of the object or shadow that the replica belongs to. */
  int object(int replica) {
    return isInObject(replica) ? replica : (int) (word(replica, OBJECT) >>> FIRST_ROW_SHIFT);
  }

  /** The next replica of the same object. */
  int nextOfObject(int replica) {
    return (int) (word(replica, NEXT) >>> SECOND_ROW_SHIFT) & ROW_MASK;
  }

  private void nextOfObject(int replica, int next) {
    bits(replica, NEXT, SECOND_ROW_SHIFT, ROW_MASK, next);
  }

  /** How many tasks read from the replica. */
  int references(int replica) {
    return (int) (word(replica, WHERE) >>> REFERENCES_SHIFT) & MAX_REFERENCES;
  }

  void references(int replica, int references) {
    bits(replica, WHERE, REFERENCES_SHIFT, MAX_REFERENCES, references);
  }

  /** A complete replica in memory that no task reads. */
  boolean isEvictable(int replica) {
    return type(replica) == IndexCore.MEMORY
        && status(replica) == IndexCore.COMPLETE
        && references(replica) == 0;
  }

  int previousInSlot(int replica) {
    return (int) (word(replica, MEMBERSHIP) >>> FIRST_ROW_SHIFT);
  }

  void previousInSlot(int replica, int previous) {
    bits(replica, MEMBERSHIP, FIRST_ROW_SHIFT, ROW_MASK, previous);
  }

  int nextInSlot(int replica) {
    return (int) (word(replica, MEMBERSHIP) >>> SECOND_ROW_SHIFT) & ROW_MASK;
  }

  void nextInSlot(int replica, int next) {
    bits(replica, MEMBERSHIP, SECOND_ROW_SHIFT, ROW_MASK, next);
  }

  /** How many replicas there are. */
  int used() {
    return usedInside + outside.used();
  }

  /** How many of these have a row of their own. */
  int usedOutside() {
    return outside.used();
  }

  /** What the rows of those outside of their objects' rows take, in bytes. */
  long usedBytes() {
    return outside.usedBytes();
  }

  /** What the pages of those outside of their objects' rows take, in bytes. */
  long bytes() {
    return outside.bytes();
  }
}
