package io.moonpool.core.index;

/**
 * One object shard: finds the rows of its keys, and numbers its objects, writes and replicas.
 *
 * <p>The table is open addressing with linear probing over an array of ints. An entry is five bits
 * of the hash and the row; 0 is empty. The row holds more of the hash, so that keys are compared
 * only when they are most likely the same.
 *
 * <p>Where an entry was removed a mark stays, unless nothing comes behind it: to shift entries back
 * would take the hashes of all that follow, each in a row that is far away. A new entry takes the
 * first mark on its way. Entries and marks together fill at most 80 %. Then another array takes the
 * place of this one: larger by half, or as large when marks are many of them; so entries fill
 * between 43 and 80 %, and at least 53 % while none is removed. That goes in steps: the old array
 * stays in place and each insertion or removal moves a few of its entries, so that no single call
 * pays for all of them.
 */
final class Shard {
  /** The part of a hash that places a key in its shard's table. */
  static final int HASH_BITS = 24;

  static final int HASH_MASK = (1 << HASH_BITS) - 1;

  private static final int INITIAL_SLOTS = 16;

  /**
   * Tables of shards begin with so many different lengths, from {@link #INITIAL_SLOTS} on. Shards
   * have about as many keys as one another: they would all grow at once, and need both arrays at
   * that time, while the pages of one that has grown serve the next one.
   */
  private static final int INITIAL_LENGTHS = 8;

  private static final int ROW_MASK = Rows.MAX_ROW;
  private static final int TAG_SHIFT = Rows.ROW_BITS - 1;
  private static final int TAG_MASK = ~ROW_MASK;

  /** Was an entry: it has no row. */
  private static final int REMOVED = 1 << TAG_SHIFT;

  /** Slots of the old array that one change looks at: enough to be done before the next growth. */
  private static final int SLOTS_PER_STEP = 8;

  /** 0 to {@link ObjectIndex#SHARDS} - 1. */
  final int number;

  private final TableMemory memory;
  private final ObjectRows rows;
  private final KeySlab keys;

  /** Has no slots before the first key comes. */
  private Entries slots = Entries.NONE;

  private Entries old = Entries.NONE;

  /** The first slot of the old array that may still hold an entry. */
  private int oldCursor;

  private int size;

  /** Marks in the current array. */
  private int removed;

  private long nextVersion;
  private long nextReplica = 1;

  Shard(int number, TableMemory memory, ObjectRows rows, KeySlab keys, long firstSequence) {
    this.number = number;
    this.memory = memory;
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
    if (size == 0) {
      return 0;
    }
    int row = find(slots, key);
    return row == 0 && old.length != 0 ? find(old, key) : row;
  }

  private int find(Entries slots, ObjectKey key) {
    int tag = key.tag() << TAG_SHIFT;
    int hash = key.place();
    int at = home(hash, slots.length);
    for (int entry = slots.get(at); entry != 0; entry = slots.get(at)) {
      if ((entry & TAG_MASK) == tag) {
        int row = entry & ROW_MASK;
        if (row != 0 && rows.hash(row) == hash && keys.matches(rows.keyAddress(row), key)) {
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

  private int findAt(Entries slots, int address, long hash) {
    int at = home(ObjectKey.place(hash), slots.length);
    for (int entry = slots.get(at); entry != 0; entry = slots.get(at)) {
      int row = entry & ROW_MASK;
      if (entry >>> TAG_SHIFT == ObjectKey.tag(hash) && rows.keyAddress(row) == address) {
        return row;
      }
      at = next(at, slots.length);
    }
    return 0;
  }

  /** The entry where the search for a key with that hash begins. */
  int peek(int hash) {
    return size == 0 ? 0 : slots.get(home(hash, slots.length));
  }

  /** The row of a key with that hash, most likely; 0 when there is none in the current array. */
  int guess(int hash, int tag) {
    if (size == 0) {
      return 0;
    }
    Entries slots = this.slots;
    int at = home(hash, slots.length);
    for (int entry = slots.get(at); entry != 0; entry = slots.get(at)) {
      if (entry >>> TAG_SHIFT == tag) {
        return entry & ROW_MASK;
      }
      at = next(at, slots.length);
    }
    return 0;
  }

  /** Adds a row whose key is not in the table. The row's hash must be set. */
  void insert(int row, ObjectKey key) {
    migrate();
    if ((size + removed + 1) * 5L > slots.length * 4L) {
      grow();
    }
    put((key.tag() << TAG_SHIFT) | row, key.place());
    size++;
  }

  /** Removes a row that is in the table. Its hash must still be set. */
  void remove(int row) {
    int hash = rows.hash(row);
    int at = indexOf(slots, row, hash);
    if (at >= 0) {
      removed += clear(slots, at);
    } else {
      at = old.length == 0 ? -1 : indexOf(old, row, hash);
      if (at < 0) {
        throw new IllegalStateException("row " + row + " is not in the table");
      }
      clear(old, at);
    }
    size--;
    migrate();
  }

  private static int indexOf(Entries slots, int row, int hash) {
    int at = home(hash, slots.length);
    for (int entry = slots.get(at); entry != 0; entry = slots.get(at)) {
      if ((entry & ROW_MASK) == row) {
        return at;
      }
      at = next(at, slots.length);
    }
    return -1;
  }

  /** Removes an entry; answers how many marks there are more, or (negative) less. */
  private static int clear(Entries slots, int index) {
    if (slots.get(next(index, slots.length)) != 0) {
      slots.set(index, REMOVED);
      return 1;
    }
    // No search has to go on behind it, nor behind marks right before it.
    slots.set(index, 0);
    int cleared = 0;
    for (int at = previous(index, slots.length);
        slots.get(at) == REMOVED;
        at = previous(at, slots.length)) {
      slots.set(at, 0);
      cleared++;
    }
    return -cleared;
  }

  private void grow() {
    // Steps are sized so that this never finds an unfinished migration; finish it if it does.
    while (old.length != 0) {
      migrate();
    }
    old = slots;
    oldCursor = 0;
    // As large as before when it is at most 64 % full without the marks.
    int length = size * 25L <= old.length * 16L ? old.length : old.length + old.length / 2;
    slots = new Entries(memory, length == 0 ? INITIAL_SLOTS + number % INITIAL_LENGTHS : length);
    removed = 0;
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
    for (; at < end || (at < old.length && old.get(at) != 0); at++) {
      int entry = old.get(at);
      old.set(at, 0);
      if ((entry & ROW_MASK) != 0) {
        put(entry, rows.hash(entry & ROW_MASK));
      }
    }
    oldCursor = at;
    old.clearTo(memory, at);
    if (at == old.length) {
      old = Entries.NONE;
    }
  }

  /** Puts an entry whose key is not there at the first free place. */
  private void put(int entry, int hash) {
    Entries slots = this.slots;
    int at = home(hash, slots.length);
    while ((slots.get(at) & ROW_MASK) != 0) {
      at = next(at, slots.length);
    }
    if (slots.get(at) == REMOVED) {
      removed--;
    }
    slots.set(at, entry);
  }

  private static int home(int hash, int length) {
    return (int) (((long) hash * length) >>> HASH_BITS);
  }

  private static int next(int at, int length) {
    return at + 1 == length ? 0 : at + 1;
  }

  private static int previous(int at, int length) {
    return at == 0 ? length - 1 : at - 1;
  }

  /** How many keys the shard has. */
  int size() {
    return size;
  }

  /** What the table takes, in bytes. */
  long bytes() {
    return slots.bytes() + old.bytes();
  }
}
