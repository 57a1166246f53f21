package io.moonpool.core.index;

/**
 * The replicas of a shard: four longs each.
 *
 * <pre>
 * word  bits
 * 0     id 64
 * 1     offset 34 | slot 16 | references 8 | type 3 | status 3
 * 2     object 24 | next of the object 24 | low half of the node 16
 * 3     previous in slot 24 | next in slot 24 | high half of the node 16
 * </pre>
 *
 * <p>Neither size nor generation is here: all replicas of an object have its size, and all replicas
 * in a slot have the generation that {@link Slots} holds for it. The offset counts units of {@link
 * io.moonpool.core.allocation.Extent#UNIT} bytes; the node is the allocator's name for the extent.
 */
final class ReplicaRows extends Rows {
  /** The largest offset in a segment, in units. */
  static final long MAX_OFFSET_UNITS = (1L << 34) - 1;

  /** The largest slot number. */
  static final int MAX_SLOT = 0xffff;

  /** The most references that a replica counts. */
  static final int MAX_REFERENCES = 0xff;

  private static final int OFFSET_SHIFT = 30;
  private static final int SLOT_SHIFT = 14;
  private static final int REFERENCES_SHIFT = 6;
  private static final int TYPE_SHIFT = 3;
  private static final int ENUM_MASK = 7;
  private static final int FIRST_ROW_SHIFT = 40;
  private static final int SECOND_ROW_SHIFT = 16;
  private static final int HALF_NODE_MASK = 0xffff;

  private static final int WORDS = 4;
  private static final int ID = 0;
  private static final int WHERE = 1;
  private static final int OBJECT = 2;
  private static final int MEMBERSHIP = 3;

  ReplicaRows() {
    super(WORDS);
  }

  private long word(int row, int word) {
    return page(row)[(row & PAGE_MASK) * WORDS + word];
  }

  private void word(int row, int word, long value) {
    page(row)[(row & PAGE_MASK) * WORDS + word] = value;
  }

  private void bits(int row, int word, int shift, long mask, long value) {
    long[] page = page(row);
    int at = (row & PAGE_MASK) * WORDS + word;
    page[at] = (page[at] & ~(mask << shift)) | ((value & mask) << shift);
  }

  /** Reads both ends of a row, or of row 0 when the table is empty. */
  long peek(int row) {
    if (limit() == 1) {
      return 0;
    }
    return word(row, ID) + word(row, MEMBERSHIP);
  }

  long id(int row) {
    return word(row, ID);
  }

  void id(int row, long id) {
    word(row, ID, id);
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
    bits(row, OBJECT, 0, HALF_NODE_MASK, node);
    bits(row, MEMBERSHIP, 0, HALF_NODE_MASK, node >>> 16);
  }

  long offsetUnits(int row) {
    return word(row, WHERE) >>> OFFSET_SHIFT;
  }

  int node(int row) {
    return ((int) word(row, OBJECT) & HALF_NODE_MASK) | ((int) word(row, MEMBERSHIP) << 16);
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
