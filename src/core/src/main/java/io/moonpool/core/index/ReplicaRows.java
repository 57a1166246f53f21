package io.moonpool.core.index;

/**
 * The replicas of a loop: four longs each.
 *
 * <pre>
 * word  bits
 * 0     low part of the number 36 | node 28
 * 1     offset 34 | slot 16 | references 8 | type 3 | status 3
 * 2     object 28 | next of the object 28 | high part of the number 8
 * 3     previous in slot 28 | next in slot 28 | unused 8
 * </pre>
 *
 * <p>A replica's id is its number and its shard. Neither size nor generation is here: all replicas
 * of an object have its size, and all replicas in a slot have the generation that {@link Slots}
 * holds for it. The offset counts units of {@link io.moonpool.core.allocation.Extent#UNIT} bytes;
 * the node is the allocator's name for the extent.
 */
final class ReplicaRows extends Rows {
  /** The largest offset in a segment, in units. */
  static final long MAX_OFFSET_UNITS = (1L << 34) - 1;

  /** The largest slot number. */
  static final int MAX_SLOT = 0xffff;

  /** The largest name that an allocator may give an extent. */
  static final int MAX_NODE = (1 << 28) - 1;

  /** The most references that a replica counts. */
  static final int MAX_REFERENCES = 0xff;

  private static final int NODE_BITS = 28;
  private static final long LOW_NUMBER_MASK = (1L << 36) - 1;
  private static final int HIGH_NUMBER_MASK = 0xff;
  private static final int OFFSET_SHIFT = 30;
  private static final int SLOT_SHIFT = 14;
  private static final int REFERENCES_SHIFT = 6;
  private static final int TYPE_SHIFT = 3;
  private static final int ENUM_MASK = 7;
  private static final int FIRST_ROW_SHIFT = 36;
  private static final int SECOND_ROW_SHIFT = 8;

  private static final int WORDS = 4;
  private static final int NUMBER = 0;
  private static final int WHERE = 1;
  private static final int OBJECT = 2;
  private static final int MEMBERSHIP = 3;

  ReplicaRows(TableMemory memory) {
    super(memory, WORDS);
  }

  /** Reads both ends of a row. */
  long peek(int row) {
    return word(row, NUMBER) + word(row, MEMBERSHIP);
  }

  /** The part of the id that the shard does not say: less than 2<sup>44</sup>. */
  long number(int row) {
    return (word(row, NUMBER) >>> NODE_BITS) | ((word(row, OBJECT) & HIGH_NUMBER_MASK) << 36);
  }

  void number(int row, long number) {
    bits(row, NUMBER, NODE_BITS, LOW_NUMBER_MASK, number);
    bits(row, OBJECT, 0, HIGH_NUMBER_MASK, number >>> 36);
  }

  /** Sets where the bytes are; the replica has no references then. */
  void where(int row, int slot, long offsetUnits, int node, int type, int status) {
    word(
        row,
        WHERE,
        (offsetUnits << OFFSET_SHIFT)
            | ((long) slot << SLOT_SHIFT)
            | ((long) type << TYPE_SHIFT)
            | status);
    bits(row, NUMBER, 0, MAX_NODE, node);
  }

  int node(int row) {
    return (int) word(row, NUMBER) & MAX_NODE;
  }

  long offsetUnits(int row) {
    return word(row, WHERE) >>> OFFSET_SHIFT;
  }

  int slot(int row) {
    return (int) (word(row, WHERE) >>> SLOT_SHIFT) & MAX_SLOT;
  }

  /** The number of the {@link io.moonpool.model.ReplicaType}. */
  int type(int row) {
    return ((int) word(row, WHERE) >>> TYPE_SHIFT) & ENUM_MASK;
  }

  /** The number of the {@link io.moonpool.model.ReplicaStatus}. */
  int status(int row) {
    return (int) word(row, WHERE) & ENUM_MASK;
  }

  void status(int row, int status) {
    bits(row, WHERE, 0, ENUM_MASK, status);
  }

  /** The row of the object or shadow that the replica belongs to. */
  int object(int row) {
    return (int) (word(row, OBJECT) >>> FIRST_ROW_SHIFT);
  }

  void object(int row, int object) {
    bits(row, OBJECT, FIRST_ROW_SHIFT, ROW_MASK, object);
  }

  /** The next replica of the same object. */
  int nextOfObject(int row) {
    return (int) (word(row, OBJECT) >>> SECOND_ROW_SHIFT) & ROW_MASK;
  }

  void nextOfObject(int row, int next) {
    bits(row, OBJECT, SECOND_ROW_SHIFT, ROW_MASK, next);
  }

  /** How many tasks read from the replica. */
  int references(int row) {
    return (int) (word(row, WHERE) >>> REFERENCES_SHIFT) & MAX_REFERENCES;
  }

  void references(int row, int references) {
    bits(row, WHERE, REFERENCES_SHIFT, MAX_REFERENCES, references);
  }

  /** A complete replica in memory that no task reads. */
  boolean isEvictable(int row) {
    return type(row) == IndexCore.MEMORY
        && status(row) == IndexCore.COMPLETE
        && references(row) == 0;
  }

  int previousInSlot(int row) {
    return (int) (word(row, MEMBERSHIP) >>> FIRST_ROW_SHIFT);
  }

  void previousInSlot(int row, int previous) {
    bits(row, MEMBERSHIP, FIRST_ROW_SHIFT, ROW_MASK, previous);
  }

  int nextInSlot(int row) {
    return (int) (word(row, MEMBERSHIP) >>> SECOND_ROW_SHIFT) & ROW_MASK;
  }

  void nextInSlot(int row, int next) {
    bits(row, MEMBERSHIP, SECOND_ROW_SHIFT, ROW_MASK, next);
  }
}
