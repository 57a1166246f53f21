package io.moonpool.core.index;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the blocks of an {@link IndexMemory} into pages for the tables of an index, and reads and
 * writes them by address.
 *
 * <p>Access goes through one segment that spans all addresses, which the compiler reduces to a
 * plain load or store: a wrong address would end the process. So addresses are made in three places
 * alone, {@link Rows#address}, {@link KeySlab} and {@link Entries}, which throw when what they are
 * asked for is not there.
 */
final class TableMemory {
  /**
   * What is left of a block is cut into pages of this size, since keys need many of them: 64 KiB,
   * and a little more for the header of the longest key.
   */
  static final int SMALL_PAGE_BYTES = (1 << 16) + IndexMemory.ALIGNMENT;

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final IndexMemory source;

  /** Keeps the blocks reachable, and so mapped. */
  private final List<MemorySegment> blocks = new ArrayList<>();

  /** Small pages that nobody uses; they are zeros. */
  private final LongArrayList smallPages = new LongArrayList();

  /** Pages of {@link Entries} that nobody uses; they are zeros. */
  private final LongArrayList entryPages = new LongArrayList();

  private final long noEntries;
  private int usedEntryPages;
  private long next;
  private long left;
  private long mapped;

  TableMemory(IndexMemory source) {
    this.source = source;
    noEntries = allocate(Entries.PAGE_BYTES);
  }

  /**
   * A page of zeros, aligned to a cache line.
   *
   * @param bytes a multiple of the {@link IndexMemory#ALIGNMENT}
   */
  long allocate(int bytes) {
    if (bytes == SMALL_PAGE_BYTES && !smallPages.isEmpty()) {
      return smallPages.removeLong(smallPages.size() - 1);
    }
    if (bytes > left) {
      while (left >= SMALL_PAGE_BYTES) {
        smallPages.add(take(SMALL_PAGE_BYTES));
      }
      MemorySegment block = source.block(bytes);
      blocks.add(block);
      mapped += block.byteSize();
      next = block.address();
      left = block.byteSize();
    }
    return take(bytes);
  }

  private long take(int bytes) {
    long page = next;
    next += bytes;
    left -= bytes;
    return page;
  }

  /** A page of zeros for {@link Entries}. */
  long allocateEntries() {
    usedEntryPages++;
    return entryPages.isEmpty()
        ? allocate(Entries.PAGE_BYTES)
        : entryPages.removeLong(entryPages.size() - 1);
  }

  /** Takes such a page back, which is zeros again. */
  void releaseEntries(long page) {
    usedEntryPages--;
    entryPages.add(page);
  }

  /** A page that stands for those that were given back: it is zeros and never written to. */
  long noEntries() {
    return noEntries;
  }

  /** What the pages of {@link Entries} in use take, in bytes. */
  long entryBytes() {
    return (long) usedEntryPages * Entries.PAGE_BYTES;
  }

  /** What all blocks have, in bytes. Other threads may see a value that is a little old. */
  long bytes() {
    return mapped;
  }

  /** Takes a small page back. */
  void releaseSmallPage(long page) {
    clear(page, SMALL_PAGE_BYTES);
    smallPages.add(page);
  }

  static long getLong(long address) {
    return ALL.get(LONG, address);
  }

  static void putLong(long address, long value) {
    ALL.set(LONG, address, value);
  }

  static int getInt(long address) {
    return ALL.get(INT, address);
  }

  static void putInt(long address, int value) {
    ALL.set(INT, address, value);
  }

  static short getShort(long address) {
    return ALL.get(SHORT, address);
  }

  static void putShort(long address, short value) {
    ALL.set(SHORT, address, value);
  }

  static byte getByte(long address) {
    return ALL.get(BYTE, address);
  }

  static void putByte(long address, byte value) {
    ALL.set(BYTE, address, value);
  }

  static void copy(long from, long to, long bytes) {
    MemorySegment.copy(ALL, from, ALL, to, bytes);
  }

  static void copy(byte[] from, int offset, long to, int bytes) {
    MemorySegment.copy(from, offset, ALL, BYTE, to, bytes);
  }

  static void copy(long from, byte[] to, int offset, int bytes) {
    MemorySegment.copy(ALL, BYTE, from, to, offset, bytes);
  }

  static void clear(long address, long bytes) {
    ALL.asSlice(address, bytes).fill((byte) 0);
  }
}
