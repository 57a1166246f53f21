package io.moonpool.core.index;

/**
 * One object shard: finds the rows of its keys, and numbers its objects, writes and replicas.
 *
 * <p>The table is open addressing with linear probing over an int array. An entry is four bits of
 * the hash and the row; 0 is empty. The row holds more of the hash, so that keys are compared only
 * when they are most likely the same.
 *
 * <p>Removal shifts later entries back, so there are no tombstones. The array grows by half, which
 * keeps it between 53 and 80 % full, and it grows in steps: the old array stays in place and each
 * insertion or removal moves a few of its entries, so that no single call pays for all of them.
 */
final class Shard {
  /** The part of a hash that places a key in its shard's table. */
  static final int HASH_BITS = 24;

  static final int HASH_MASK = (1 << HASH_BITS) - 1;

  private static final int INITIAL_SLOTS = 16;
  private static final int TAG_SHIFT = Rows.ROW_BITS;
  private static final int TAG_MASK = -1 << TAG_SHIFT;

  /** Slots of the old array that one change looks at: enough to be done before the next growth. */
  private static final int SLOTS_PER_STEP = 8;

  /** About as long as a run of entries is. */
  private static final int PEEKED_ROWS = 8;

  private static final int[] NONE = {};

  /** 0 to {@link ObjectIndex#SHARDS} - 1. */
  final int number;

  private final ObjectRows rows;
  private final KeySlab keys;

  private int[] slots = new int[INITIAL_SLOTS];
  private int[] old = NONE;

  /** The first slot of the old array that may still hold an entry. */
  private int oldCursor;

  private int size;
  private long nextVersion;
  private long nextReplica = 1;

  Shard(int number, ObjectRows rows, KeySlab keys, long firstSequence) {
    this.number = number;
    this.rows = rows;
    this.keys = keys;
    nextVersion = firstSequence;
  }

  /** The shard that a version or a replica id was made in. */
  static int of(long versionOrId) {
    return (int) versionOrId & (ObjectIndex.SHARDS - 1);
  }

  /** A version that no write has had, nor any member of a group. */
  long nextVersion() {
    return nextVersion++ * ObjectIndex.SHARDS + number;
  }

  /** Numbers go on behind that version, which another life of the master gave. */
  void skip(long version) {
    nextVersion = Math.max(nextVersion, version / ObjectIndex.SHARDS + 1);
  }

  /** Numbers go on with that one, unless they are as far already. */
  void skipTo(long sequence) {
    nextVersion = Math.max(nextVersion, sequence);
  }

  /** The sequence number that the next version gets. */
  long nextSequence() {
    return nextVersion;
  }

  /** A number that no replica of this shard has had. */
  long nextReplicaNumber() {
    return nextReplica++;
  }

  /** The id of a replica of this shard. */
  long replicaId(long replicaNumber) {
    return replicaNumber * ObjectIndex.SHARDS + number;
  }

  /** The row of a key, or 0. */
  int find(ObjectKey key) {
    int row = find(slots, key);
    return row == 0 && old.length != 0 ? find(old, key) : row;
  }

  private int find(int[] slots, ObjectKey key) {
    int tag = key.tag() << TAG_SHIFT;
    int hash = key.place();
    int at = home(hash, slots.length);
    for (int entry = slots[at]; entry != 0; entry = slots[at]) {
      if ((entry & TAG_MASK) == tag) {
        int row = entry & Rows.ROW_MASK;
        if (rows.hash(row) == hash && keys.matches(rows.keyAddress(row), key)) {
          return row;
        }
      }
      at = next(at, slots.length);
    }
    return 0;
  }

  /**
   * The row whose key is at that address.
   *
   * @param hash of the key
   */
  int findAt(int address, long hash) {
    int row = findAt(slots, address, hash);
    if (row == 0 && old.length != 0) {
      row = findAt(old, address, hash);
    }
    if (row == 0) {
      throw new IllegalStateException("a key is in no table");
    }
    return row;
  }

  private int findAt(int[] slots, int address, long hash) {
    int at = home(ObjectKey.place(hash), slots.length);
    for (int entry = slots[at]; entry != 0; entry = slots[at]) {
      int row = entry & Rows.ROW_MASK;
      if (entry >>> TAG_SHIFT == ObjectKey.tag(hash) && rows.keyAddress(row) == address) {
        return row;
      }
      at = next(at, slots.length);
    }
    return 0;
  }

  /** The entry where the search for a key with that hash begins. */
  int peek(int hash) {
    return slots[home(hash, slots.length)];
  }

  /**
   * Reads the rows of the entries from where the search begins, as far as most searches go: those
   * that are shifted when one of them is removed.
   */
  long peekBehind(int hash) {
    int[] slots = this.slots;
    long read = 0;
    int at = home(hash, slots.length);
    for (int i = 0; i < PEEKED_ROWS && slots[at] != 0; i++) {
      read += rows.hash(slots[at] & Rows.ROW_MASK);
      at = next(at, slots.length);
    }
    return read;
  }

  /** The row of a key with that hash, most likely; 0 when there is none in the current array. */
  int guess(int hash, int tag) {
    int[] slots = this.slots;
    int at = home(hash, slots.length);
    for (int entry = slots[at]; entry != 0; entry = slots[at]) {
      if (entry >>> TAG_SHIFT == tag) {
        return entry & Rows.ROW_MASK;
      }
      at = next(at, slots.length);
    }
    return 0;
  }

  /** Adds a row whose key is not in the table. The row's hash must be set. */
  void insert(int row, ObjectKey key) {
    migrate();
    if ((size + 1) * 5L > slots.length * 4L) {
      grow();
    }
    put(slots, (key.tag() << TAG_SHIFT) | row, key.place());
    size++;
  }

  /** Removes a row that is in the table. Its hash must still be set. */
  void remove(int row) {
    int hash = rows.hash(row);
    if (!remove(slots, row, hash) && !remove(old, row, hash)) {
      throw new IllegalStateException("row " + row + " is not in the table");
    }
    size--;
    migrate();
  }

  private boolean remove(int[] slots, int row, int hash) {
    if (slots.length == 0) {
      return false;
    }
    int at = home(hash, slots.length);
    for (int entry = slots[at]; entry != 0; entry = slots[at]) {
      if ((entry & Rows.ROW_MASK) == row) {
        close(slots, at);
        return true;
      }
      at = next(at, slots.length);
    }
    return false;
  }

  /** Empties a slot and shifts back the entries behind it that may move. */
  private void close(int[] slots, int slot) {
    int hole = slot;
    int at = slot;
    while (true) {
      at = next(at, slots.length);
      int entry = slots[at];
      if (entry == 0) {
        slots[hole] = 0;
        return;
      }
      int home = home(rows.hash(entry & Rows.ROW_MASK), slots.length);
      // It may move unless its home lies behind the hole, on the way to where it is.
      boolean stays = hole <= at ? home > hole && home <= at : home > hole || home <= at;
      if (!stays) {
        slots[hole] = entry;
        hole = at;
      }
    }
  }

  private void grow() {
    // Steps are sized so that this never finds an unfinished migration; finish it if it does.
    while (old.length != 0) {
      migrate();
    }
    old = slots;
    oldCursor = 0;
    slots = new int[old.length + old.length / 2];
    migrate();
  }

  /**
   * Moves whole runs of entries, up to an empty slot: nothing has to be shifted back behind what is
   * moved, and the rows of a run are read without waiting for one another.
   */
  private void migrate() {
    if (old.length == 0) {
      return;
    }
    int end = Math.min(old.length, oldCursor + SLOTS_PER_STEP);
    int at = oldCursor;
    for (; at < end || (at < old.length && old[at] != 0); at++) {
      int entry = old[at];
      if (entry != 0) {
        old[at] = 0;
        put(slots, entry, rows.hash(entry & Rows.ROW_MASK));
      }
    }
    oldCursor = at;
    if (at == old.length) {
      old = NONE;
    }
  }

  private static void put(int[] slots, int entry, int hash) {
    int at = home(hash, slots.length);
    while (slots[at] != 0) {
      at = next(at, slots.length);
    }
    slots[at] = entry;
  }

  private static int home(int hash, int length) {
    return (int) (((long) hash * length) >>> HASH_BITS);
  }

  private static int next(int at, int length) {
    return at + 1 == length ? 0 : at + 1;
  }

  /** How many keys the shard has. */
  int size() {
    return size;
  }

  /** The heap that the table takes, in bytes. */
  long bytes() {
    return ((long) slots.length + old.length) * Integer.BYTES;
  }
}
