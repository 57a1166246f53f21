package io.moonpool.core.index;

import java.util.Arrays;

/**
 * A table of numbered rows of a fixed number of longs, kept in pages, so that growth costs one page
 * and never a copy of the rows. Rows that were released are used again, last one first; pages are
 * not given back.
 *
 * <p>Row 0 does not exist: 0 means "none" wherever a row is named. Row numbers fit in {@link
 * #ROW_BITS} bits and never change while the row is in use.
 */
abstract class Rows {
  /** Rows are named in that many bits of packed words. */
  static final int ROW_BITS = 28;

  /** The bits of a row number; also the highest one. */
  static final int ROW_MASK = (1 << ROW_BITS) - 1;

  /** Rows a page: cheap to make, and few enough pages that their headers stay in the cache. */
  static final int PAGE_BITS = 12;

  static final int PAGE_MASK = (1 << PAGE_BITS) - 1;

  private final int words;

  /** Pages in order of their rows. The first is there from the start, so that row 0 can be read. */
  private long[][] pages;

  private int pageCount;
  private int limit = 1;
  private int free;
  private int used;

  Rows(int words) {
    this.words = words;
    pages = new long[16][];
    addPage();
  }

  /** The page of a row; its words start at {@code (row & PAGE_MASK) * words}. */
  final long[] page(int row) {
    return pages[row >>> PAGE_BITS];
  }

  /**
   * A row whose words are all 0.
   *
   * @throws IllegalStateException when all row numbers are in use
   */
  final int allocate() {
    int row = free;
    if (row != 0) {
      long[] page = page(row);
      int at = (row & PAGE_MASK) * words;
      free = (int) page[at];
      page[at] = 0;
    } else {
      row = limit;
      if (row > ROW_MASK) {
        throw new IllegalStateException("a loop cannot hold more than " + ROW_MASK + " rows");
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
    pages[pageCount++] = new long[words << PAGE_BITS];
  }

  /** Clears a row and keeps it for reuse. */
  final void release(int row) {
    long[] page = page(row);
    int at = (row & PAGE_MASK) * words;
    Arrays.fill(page, at, at + words, 0);
    page[at] = free;
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

  /** The heap that the pages take, in bytes; array headers not counted. */
  final long bytes() {
    return ((long) pageCount << PAGE_BITS) * words * Long.BYTES + (long) pages.length * Long.BYTES;
  }
}
