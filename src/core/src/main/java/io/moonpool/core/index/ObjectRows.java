package io.moonpool.core.index;

/**
 * The objects of a loop, and its writes in progress: nine longs each, which lie in two cache lines.
 *
 * <pre>
 * word  bits
 * 0     version 64
 * 1     protection end 42 | flags 22
 * 2     previous in order 28 | next in order 28 | low half of the writer 8
 * 3     key address 32 | hash 24 | high half of the writer 8
 * 4     checksum 64
 * 5-7   the first replica, see {@link ReplicaRows}
 * 8     size 36 | of that replica 28
 * </pre>
 *
 * <p>The version names the shard, too. The protection end is the time, in milliseconds, until when
 * somebody may touch the bytes: the reader's lease of a complete object, the writer's grant of a
 * write in progress. While a write is in progress the checksum word holds what it will do to the
 * soft pin. A write in progress over a complete object (an upsert) has a row of its own, a shadow,
 * which holds the object's row in place of the key address and is found through a side map.
 */
final class ObjectRows extends Rows {
  /** The largest object, in bytes. */
  static final long MAX_SIZE = (1L << 36) - 1;

  /** The latest time that a row can hold, in milliseconds. */
  static final long MAX_MILLIS = (1L << 42) - 1;

  /** The row holds an object or a shadow. */
  static final int USED = 1;

  /** A write completed: the object can be read. */
  static final int COMPLETE = 1 << 1;

  /** The row is an upsert in progress over another row. */
  static final int SHADOW = 1 << 2;

  /** An upsert is in progress: the shard's side map names its shadow. */
  static final int UPSERTING = 1 << 3;

  /** Never evicted. */
  static final int HARD_PINNED = 1 << 4;

  /** Evicted only when nothing else can be; a side map leads to the deadline. */
  static final int SOFT_PINNED = 1 << 5;

  /** Member of a group; a side map names it. */
  static final int GROUPED = 1 << 6;

  /** A side map holds the checksums of the blocks. */
  static final int BLOCK_CHECKSUMS = 1 << 7;

  /** A copy or move of the object is in progress. */
  static final int REPLICATING = 1 << 8;

  /** A reader was given a lease on the replicas that the object has now. */
  static final int READ = 1 << 11;

  /** An offload holds a replica of the object as its source; a side map names it. */
  static final int OFFLOADING = 1 << 18;

  /** A promotion of the object is under way; a side map names it. */
  static final int PROMOTING = 1 << 19;

  /** It was on a disk that was drained: it stays in memory until it is on a disk again. */
  static final int KEPT = 1 << 20;

  /** Units of drains wait for a change of the object; a side map names them. */
  static final int AWAITED = 1 << 21;

  /** Where in its {@link LeaseOrder} the row is: two bits. */
  private static final int PLACE_SHIFT = 9;

  private static final int PLACE_MASK = 3;
  private static final int DATA_TYPE_SHIFT = 12;
  private static final int DATA_TYPE_MASK = 15;
  private static final int CHECKSUM_KIND_SHIFT = 16;
  private static final int CHECKSUM_KIND_MASK = 3;

  private static final int FLAG_BITS = 22;
  private static final int FLAG_MASK = (1 << FLAG_BITS) - 1;
  private static final int PREVIOUS_SHIFT = 36;
  private static final int NEXT_SHIFT = 8;
  private static final int HALF_WRITER_MASK = 0xff;
  private static final int HASH_SHIFT = 8;

  private static final int WORDS = 9;
  private static final int VERSION = 0;
  private static final int PROTECTION = 1;
  private static final int ORDER = 2;
  private static final int KEY = 3;
  private static final int CHECKSUM = 4;
  private static final int REPLICA = 5;
  private static final int SIZE = 8;

  ObjectRows(TableMemory memory) {
    super(memory, WORDS);
  }

  /** Reads both ends of a row. */
  long peek(int row) {
    return word(row, VERSION) + word(row, SIZE);
  }

  long version(int row) {
    return word(row, VERSION);
  }

  void version(int row, long version) {
    word(row, VERSION, version);
  }

  /** Until when somebody may touch the bytes, in milliseconds. */
  long protectionEnd(int row) {
    return word(row, PROTECTION) >>> FLAG_BITS;
  }

  void protectionEnd(int row, long millis) {
    long flags = word(row, PROTECTION) & FLAG_MASK;
    word(row, PROTECTION, flags | (Math.min(millis, MAX_MILLIS) << FLAG_BITS));
  }

  int flags(int row) {
    return (int) word(row, PROTECTION) & FLAG_MASK;
  }

  boolean has(int row, int flag) {
    return ((int) word(row, PROTECTION) & flag) != 0;
  }

  void set(int row, int flags) {
    word(row, PROTECTION, word(row, PROTECTION) | flags);
  }

  void clear(int row, int flags) {
    word(row, PROTECTION, word(row, PROTECTION) & ~(long) flags);
  }

  int place(int row) {
    return ((int) word(row, PROTECTION) >>> PLACE_SHIFT) & PLACE_MASK;
  }

  void place(int row, int place) {
    bits(row, PROTECTION, PLACE_SHIFT, PLACE_MASK, place);
  }

  int dataType(int row) {
    return ((int) word(row, PROTECTION) >>> DATA_TYPE_SHIFT) & DATA_TYPE_MASK;
  }

  void dataType(int row, int number) {
    bits(row, PROTECTION, DATA_TYPE_SHIFT, DATA_TYPE_MASK, number);
  }

  int checksumKind(int row) {
    return ((int) word(row, PROTECTION) >>> CHECKSUM_KIND_SHIFT) & CHECKSUM_KIND_MASK;
  }

  void checksumKind(int row, int number) {
    bits(row, PROTECTION, CHECKSUM_KIND_SHIFT, CHECKSUM_KIND_MASK, number);
  }

  long size(int row) {
    return word(row, SIZE) >>> ROW_BITS;
  }

  void size(int row, long size) {
    bits(row, SIZE, ROW_BITS, MAX_SIZE, size);
  }

  /** The address of the words of the first replica, in the row. */
  long replicaAddress(int row) {
    return address(row) + REPLICA * Long.BYTES;
  }

  int previous(int row) {
    return (int) (word(row, ORDER) >>> PREVIOUS_SHIFT);
  }

  void previous(int row, int previous) {
    bits(row, ORDER, PREVIOUS_SHIFT, ROW_MASK, previous);
  }

  int next(int row) {
    return (int) (word(row, ORDER) >>> NEXT_SHIFT) & ROW_MASK;
  }

  void next(int row, int next) {
    bits(row, ORDER, NEXT_SHIFT, ROW_MASK, next);
  }

  void links(int row, int previous, int next) {
    word(
        row,
        ORDER,
        ((long) previous << PREVIOUS_SHIFT)
            | ((long) next << NEXT_SHIFT)
            | (word(row, ORDER) & HALF_WRITER_MASK));
  }

  /** The writer's number in the {@link Writers}. */
  int writer(int row) {
    return ((int) word(row, ORDER) & HALF_WRITER_MASK)
        | (((int) word(row, KEY) & HALF_WRITER_MASK) << 8);
  }

  void writer(int row, int writer) {
    bits(row, ORDER, 0, HALF_WRITER_MASK, writer);
    bits(row, KEY, 0, HALF_WRITER_MASK, writer >>> 8);
  }

  /** Where the key is in the {@link KeySlab}; of a shadow, the row of its object. */
  int keyAddress(int row) {
    return (int) (word(row, KEY) >>> 32);
  }

  void keyAddress(int row, int address) {
    bits(row, KEY, 32, 0xffff_ffffL, address);
  }

  /** The bits of the key's hash that place it in its shard's table. */
  int hash(int row) {
    return (int) (word(row, KEY) >>> HASH_SHIFT) & Shard.HASH_MASK;
  }

  void hash(int row, int hash) {
    bits(row, KEY, HASH_SHIFT, Shard.HASH_MASK, hash);
  }

  long checksum(int row) {
    return word(row, CHECKSUM);
  }

  void checksum(int row, long checksum) {
    word(row, CHECKSUM, checksum);
  }
}
