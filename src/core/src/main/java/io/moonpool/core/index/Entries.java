package io.moonpool.core.index;

/**
 * The array of ints of a shard's table, in pages of 1 KiB outside of the heap. All ints are 0 at
 * first, and it ends with {@link #clearTo}, which zeroes it and gives page after page back: while a
 * table moves to another array, both together take little more than one.
 */
final class Entries {
  /** An array without ints. */
  static final Entries NONE = new Entries();

  private static final int PAGE_BITS = 8;
  private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;

  /** The bytes of a page. */
  static final int PAGE_BYTES = Integer.BYTES << PAGE_BITS;

  /** How many ints there are. */
  final int length;

  private final long[] pages;

  /** How many pages were given back. */
  private int released;

  private Entries() {
    length = 0;
    pages = new long[0];
  }

  Entries(TableMemory memory, int length) {
    this.length = length;
    pages = new long[(length + PAGE_MASK) >>> PAGE_BITS];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = memory.allocateEntries();
    }
  }

  private long at(int index) {
    return pages[index >>> PAGE_BITS] + ((index & PAGE_MASK) << 2);
  }

  int get(int index) {
    return TableMemory.getInt(at(index));
  }

  /** Sets an int that {@link #clearTo} has not come to. */
  void set(int index, int value) {
    TableMemory.putInt(at(index), value);
  }

  /**
   * All ints before the end are 0 and stay so; gives back the pages that have no others.
   *
   * @param end not less than it was in the call before
   */
  void clearTo(TableMemory memory, int end) {
    int done = end == length ? pages.length : end >>> PAGE_BITS;
    for (; released < done; released++) {
      memory.releaseEntries(pages[released]);
      pages[released] = memory.noEntries();
    }
  }

  /** What the pages take, in bytes. */
  long bytes() {
    return (long) (pages.length - released) * PAGE_BYTES + (long) pages.length * Long.BYTES;
  }
}
