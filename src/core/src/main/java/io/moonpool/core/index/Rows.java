package io.moonpool.core.index;

import java.util.Arrays;
import java.util.Objects;

/**
 * A table of numbered rows of a fixed number of longs, kept in pages outside of the heap, so that
 * growth costs one page and never a copy of the rows. Rows that were released are used again, last
 * one first; pages are not given back.
 *
 * <p>Row 0 does not exist: 0 means "none" wherever a row is named. Row numbers fit in {@link
 * #ROW_BITS} bits and never change while the row is in use.
 */
abstract class Rows {
  /** Rows are named in that many bits of packed words. */
  static final int ROW_BITS = 28;

  /** The bits of a row number. */
  static final int ROW_MASK = (1 << ROW_BITS) - 1;

  /** The highest row number: {@link ReplicaRows} has a use for the bit above. */
  static final int MAX_ROW = (1 << (ROW_BITS - 1)) - 1;

  /** Rows a page: cheap to make, and few enough pages that their addresses stay in the cache. */
  private static final int PAGE_BITS = 12;

  private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;

  private final TableMemory memory;
  private final int rowBytes;

  /** Addresses of pages in order of their rows. The first is there from the start, for row 0. */
  private long[] pages;

  private int pageCount;
  private int limit = 1;
  private int free;
  private int used;

  Rows(TableMemory memory, int words) {
    this.memory = memory;
    rowBytes = words * Long.BYTES;
    pages = new long[16];
    addPage();
  }

  /**
   * The address of the first word of a row.
   *
   * @throws IndexOutOfBoundsException when there never was such a row, which is a bug
   */
  final long address(int row) {
    Objects.checkIndex(row, limit);
    return pages[row >>> PAGE_BITS] + (long) (row & PAGE_MASK) * rowBytes;
  }

  private long address(int row, int word) {
    return address(row) + (long) word * Long.BYTES;
  }

  /** A word of a row. */
  final long word(int row, int word) {
    return TableMemory.getLong(address(row, word));
  }

  /** Sets a word of a row. */
  final void word(int row, int word, long value) {
    TableMemory.putLong(address(row, word), value);
  }

  /** Sets some bits of a word: those of the mask, from {@code shift} on. */
  final void bits(int row, int word, int shift, long mask, long value) {
    bits(address(row, word), shift, mask, value);
  }

  /** The same for the word at an address. */
  static void bits(long at, int shift, long mask, long value) {
    TableMemory.putLong(
        at, (TableMemory.getLong(at) & ~(mask << shift)) | ((value & mask) << shift));
  }

  /**
   * A row whose words are all 0.
   *
   * @throws IllegalStateException when all row numbers are in use
   */
  final int allocate() {
    int row = free;
    if (row != 0) {
      long at = address(row);
      free = (int) TableMemory.getLong(at);
      TableMemory.putLong(at, 0);
    } else {
      row = limit;
      if (row > MAX_ROW) {
        throw new IllegalStateException("a loop cannot hold more than " + MAX_ROW + " rows");
      }
      if (row >>> PAGE_BITS >= pageCount) {
        addPage();
      }
      limit++;
    }
    used++;
    return row;
  }

  private void addPage() {
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, pageCount + pageCount / 2);
    }
    pages[pageCount++] = memory.allocate(rowBytes << PAGE_BITS);
  }

  /** Clears a row and keeps it for reuse. */
  final void release(int row) {
    long at = address(row);
    for (int word = Long.BYTES; word < rowBytes; word += Long.BYTES) {
      TableMemory.putLong(at + word, 0);
    }
    TableMemory.putLong(at, free);
    free = row;
    used--;
  }

  /** One more than the highest row that was ever in use. */
  final int limit() {
    return limit;
  }

  /** How many rows are in use. */
  final int used() {
    return used;
  }

  /** What the rows in use take, in bytes. */
  final long usedBytes() {
    return (long) used * rowBytes;
  }

  /** What the pages take, in bytes. */
  final long bytes() {
    return ((long) pageCount << PAGE_BITS) * rowBytes + (long) pages.length * Long.BYTES;
  }
}
