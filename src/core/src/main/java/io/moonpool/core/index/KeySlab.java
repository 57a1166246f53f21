package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The keys of a loop, as records in pages outside of the heap.
 *
 * <p>A record is the length of the key in two bytes, the tenant as a varint, and the key; its size
 * is a multiple of 4. An address counts units of 4 bytes and names page and place. Long records
 * have a page of their own.
 *
 * <p>A freed record becomes a hole, linked with other holes of exactly its size, which a new key of
 * that size takes first: keys of an application have few different sizes, so this alone keeps the
 * slab dense. When sizes shift and holes make up more than a quarter of the slab, each further free
 * also moves some records out of a sparse page, until it is empty and starts anew; which row has a
 * record is looked up by its key. So no call moves more than {@value #MOVES_PER_STEP} records, nor
 * looks at more than {@value #VISITS_PER_STEP} of the page.
 */
final class KeySlab {
  private static final int UNIT_BITS = 2;
  private static final int PAGE_BYTES = 1 << 16;
  private static final int PAGE_BITS = 16 - UNIT_BITS;
  private static final int PLACE_MASK = (1 << PAGE_BITS) - 1;
  private static final int MAX_PAGE = (1 << (Integer.SIZE - PAGE_BITS)) - 1;

  /** Records longer than this have a page of their own. */
  private static final int MAX_SHARED_BYTES = PAGE_BYTES / 4;

  private static final int HEADER_BYTES = 2;

  /** A hole has no length, and its size in units behind that; then come its links. */
  private static final int HOLE_SIZE = 2;

  /** In a hole's size: the hole is in no list. */
  private static final int UNLINKED = 1 << 15;

  private static final int NEXT_HOLE = 4;
  private static final int PREVIOUS_HOLE = 8;
  private static final int MIN_RECORD_BYTES = 12;

  /** Holes are tolerated up to one in so many bytes. */
  private static final int TOLERATED_FRACTION = 4;

  /** How many pages are compared when one is to be emptied. */
  private static final int PAGES_COMPARED = 8;

  private static final int MOVES_PER_STEP = 16;
  private static final int VISITS_PER_STEP = 64;

  /** New records take only holes that are among the first few of their size. */
  private static final int HOLES_TRIED = 4;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** Knows which row has which key. */
  @FunctionalInterface
  interface Owners {
    /**
     * The row of a key.
     *
     * @param key holds it from its start on
     * @param address of its record, which the row has
     */
    int rowOf(int tenant, byte[] key, int length, int address);
  }

  private final TableMemory memory;
  private final ObjectRows rows;
  private final Owners owners;

  /**
   * The addresses of the pages; 0 for one that was given back. Page 0 holds no records: address 0
   * means "none", and may be peeked at.
   */
  private long[] pages;

  /** Where the records of each page end. */
  private int[] ends = new int[1];

  /** How many bytes of each page are holes. */
  private int[] holes = new int[1];

  private int pageCount = 1;

  /** The numbers of pages without memory, in a stack. */
  private int[] freePages = {};

  private int freePageCount;

  /** New records go there when no hole fits. */
  private int currentPage;

  /** Records are being moved out of that page; 0 when none is. */
  private int emptyingPage;

  /** Up to where in that page records have been moved out. */
  private int emptiedTo;

  private int compareCursor;

  /** The first hole of each size. */
  private final Int2IntOpenHashMap firstHoles = new Int2IntOpenHashMap();

  private long recordBytes;
  private long holeBytes;

  /** Holds the key that was last asked for. */
  private byte[] copied = new byte[128];

  /** Holds the key of a record that is moved. */
  private byte[] moving = new byte[128];

  KeySlab(TableMemory memory, ObjectRows rows, Owners owners) {
    this.memory = memory;
    this.rows = rows;
    this.owners = owners;
    pages = new long[] {memory.allocate(2 * IndexMemory.ALIGNMENT)};
  }

  /** Copies a key in; answers its address. */
  int add(ObjectKey key) {
    int size = sizeOf(HEADER_BYTES + tenantBytes(key.tenant()) + key.length());
    int address = reserve(size);
    long at = at(address);
    TableMemory.putShort(at, (short) key.length());
    long keyAt = putTenant(at + HEADER_BYTES, key.tenant());
    TableMemory.copy(key.bytes(), key.offset(), keyAt, key.length());
    recordBytes += size;
    return address;
  }

  private int reserve(int size) {
    if (size > MAX_SHARED_BYTES) {
      int page = newPage();
      ends[page] = size;
      return page << PAGE_BITS;
    }
    int hole = firstHoles.get(size);
    for (int i = 0; i < HOLES_TRIED && hole != 0; i++) {
      if (pageOf(hole) != emptyingPage) {
        unlinkHole(hole, size);
        return hole;
      }
      hole = TableMemory.getInt(at(hole) + NEXT_HOLE);
    }
    if (currentPage == 0 || ends[currentPage] + size > PAGE_BYTES) {
      currentPage = newPage();
    }
    int address = address(currentPage, ends[currentPage]);
    ends[currentPage] += size;
    return address;
  }

  private int newPage() {
    int page;
    if (freePageCount > 0) {
      page = freePages[--freePageCount];
    } else {
      if (pageCount > MAX_PAGE) {
        throw new IllegalStateException("the keys of a loop cannot take more than 16 GiB");
      }
      if (pageCount == pages.length) {
        int length = pageCount + Math.max(16, pageCount / 4);
        pages = Arrays.copyOf(pages, length);
        ends = Arrays.copyOf(ends, length);
        holes = Arrays.copyOf(holes, length);
      }
      page = pageCount++;
    }
    pages[page] = memory.allocate(TableMemory.SMALL_PAGE_BYTES);
    return page;
  }

  private void dropPage(int page) {
    memory.releaseSmallPage(pages[page]);
    pages[page] = 0;
    ends[page] = 0;
    holes[page] = 0;
    if (freePageCount == freePages.length) {
      freePages = Arrays.copyOf(freePages, freePageCount + Math.max(16, freePageCount / 2));
    }
    freePages[freePageCount++] = page;
  }

  /** Gives back the space of a key. */
  void remove(int address) {
    int pageNumber = pageOf(address);
    long at = at(address);
    int size = sizeAt(at);
    recordBytes -= size;
    if (size > MAX_SHARED_BYTES) {
      dropPage(pageNumber);
      return;
    }
    if (pageNumber == emptyingPage) {
      // No hole for others: the page is on its way out.
      markUnlinked(at, size);
      holes[pageNumber] += size;
      holeBytes += size;
    } else {
      linkHole(address, size);
    }
    if (emptyingPage != 0) {
      moveRecords();
    } else if (holeBytes * TOLERATED_FRACTION > recordBytes + holeBytes
        && holeBytes > (long) PAGES_COMPARED * PAGE_BYTES / TOLERATED_FRACTION) {
      chooseEmptyingPage();
    }
  }

  private void linkHole(int address, int size) {
    long at = at(address);
    int next = firstHoles.put(size, address);
    markHole(at, size);
    TableMemory.putInt(at + NEXT_HOLE, next);
    TableMemory.putInt(at + PREVIOUS_HOLE, 0);
    if (next != 0) {
      TableMemory.putInt(at(next) + PREVIOUS_HOLE, address);
    }
    holes[pageOf(address)] += size;
    holeBytes += size;
  }

  private void unlinkHole(int address, int size) {
    long at = at(address);
    int next = TableMemory.getInt(at + NEXT_HOLE);
    int previous = TableMemory.getInt(at + PREVIOUS_HOLE);
    if (next != 0) {
      TableMemory.putInt(at(next) + PREVIOUS_HOLE, previous);
    }
    if (previous != 0) {
      TableMemory.putInt(at(previous) + NEXT_HOLE, next);
    } else if (next != 0) {
      firstHoles.put(size, next);
    } else {
      firstHoles.remove(size);
    }
    holes[pageOf(address)] -= size;
    holeBytes -= size;
  }

  /** Takes the page with most holes among the next few, if it has enough of them. */
  private void chooseEmptyingPage() {
    int best = 0;
    for (int i = 0; i < PAGES_COMPARED; i++) {
      compareCursor = compareCursor + 1 >= pageCount ? 1 : compareCursor + 1;
      if (compareCursor != currentPage && holes[compareCursor] > holes[best]) {
        best = compareCursor;
      }
    }
    if (best == 0 || holes[best] * TOLERATED_FRACTION < ends[best]) {
      return;
    }
    // From now on nothing new comes into the page.
    emptyingPage = best;
    emptiedTo = 0;
  }

  private void moveRecords() {
    int end = ends[emptyingPage];
    int moves = 0;
    for (int i = 0; i < VISITS_PER_STEP && moves < MOVES_PER_STEP && emptiedTo < end; i++) {
      long at = pages[emptyingPage] + emptiedTo;
      int size = sizeAt(at);
      if (lengthAt(at) != 0) {
        int row = ownerOf(address(emptyingPage, emptiedTo));
        int moved = reserve(size);
        TableMemory.copy(at, at(moved), size);
        rows.keyAddress(row, moved);
        markUnlinked(at, size);
        holes[emptyingPage] += size;
        holeBytes += size;
        moves++;
      } else if (isLinked(at)) {
        unlinkHole(address(emptyingPage, emptiedTo), size);
        holes[emptyingPage] += size;
        holeBytes += size;
      }
      emptiedTo += size;
    }
    if (emptiedTo >= end) {
      holeBytes -= holes[emptyingPage];
      dropPage(emptyingPage);
      emptyingPage = 0;
    }
  }

  private int ownerOf(int address) {
    int length = keyLength(address);
    moving = withRoom(moving, length);
    copyKey(address, moving);
    return owners.rowOf(tenant(address), moving, length, address);
  }

  /** True when the record there is that key of that tenant. */
  boolean matches(int address, ObjectKey key) {
    long at = at(address);
    if (lengthAt(at) != key.length()) {
      return false;
    }
    long from = at + HEADER_BYTES;
    for (int rest = key.tenant(); ; rest >>>= 7, from++) {
      if (rest < 0x80) {
        if (TableMemory.getByte(from++) != rest) {
          return false;
        }
        break;
      }
      if (TableMemory.getByte(from) != (byte) (rest | 0x80)) {
        return false;
      }
    }
    return equal(from, key.bytes(), key.offset(), key.length());
  }

  private static boolean equal(long at, byte[] bytes, int offset, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if (TableMemory.getLong(at + i) != (long) LONG.get(bytes, offset + i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (TableMemory.getByte(at + i) != bytes[offset + i]) {
        return false;
      }
    }
    return true;
  }

  /** Reads the first bytes of the record there and some that are a cache line further on. */
  int peek(int address) {
    long at = at(address);
    return TableMemory.getInt(at) + TableMemory.getInt(at + IndexMemory.ALIGNMENT);
  }

  /** The tenant of the key there. */
  int tenant(int address) {
    long at = at(address) + HEADER_BYTES;
    int tenant = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = TableMemory.getByte(at++);
      tenant |= (b & 0x7f) << shift;
      if (b >= 0) {
        return tenant;
      }
    }
  }

  /**
   * The key there, from the start of an array that the next call fills again; it is {@link
   * #keyLength} long.
   */
  byte[] key(int address) {
    copied = withRoom(copied, keyLength(address));
    copyKey(address, copied);
    return copied;
  }

  private static byte[] withRoom(byte[] array, int length) {
    return length > array.length ? new byte[Math.max(length, 2 * array.length)] : array;
  }

  private void copyKey(int address, byte[] to) {
    long at = at(address);
    int length = lengthAt(at);
    at += HEADER_BYTES;
    while (TableMemory.getByte(at++) < 0) {
      // skips the tenant
    }
    TableMemory.copy(at, to, 0, length);
  }

  /** The length of the key there, in bytes. */
  int keyLength(int address) {
    return lengthAt(at(address));
  }

  /** What the pages take, in bytes. */
  long bytes() {
    int pagesInUse = pageCount - 1 - freePageCount;
    return (long) pagesInUse * TableMemory.SMALL_PAGE_BYTES
        + (long) pages.length * (Long.BYTES + 2 * Integer.BYTES);
  }

  /** Bytes that holes take in the pages. */
  long holeBytes() {
    return holeBytes;
  }

  /** Bytes that records take in the pages. */
  long recordBytes() {
    return recordBytes;
  }

  private static int address(int page, int place) {
    return (page << PAGE_BITS) | (place >>> UNIT_BITS);
  }

  private static int pageOf(int address) {
    return address >>> PAGE_BITS;
  }

  /**
   * Where the record is in memory.
   *
   * @throws IndexOutOfBoundsException when there is no such page, which is a bug
   */
  private long at(int address) {
    long page = pages[pageOf(address)];
    if (page == 0) {
      throw new IndexOutOfBoundsException("key address " + Integer.toHexString(address));
    }
    return page + ((address & PLACE_MASK) << UNIT_BITS);
  }

  private static void markHole(long at, int size) {
    TableMemory.putShort(at, (short) 0);
    TableMemory.putShort(at + HOLE_SIZE, (short) (size >>> UNIT_BITS));
  }

  private static void markUnlinked(long at, int size) {
    TableMemory.putShort(at, (short) 0);
    TableMemory.putShort(at + HOLE_SIZE, (short) (UNLINKED | (size >>> UNIT_BITS)));
  }

  private static boolean isLinked(long hole) {
    return (TableMemory.getShort(hole + HOLE_SIZE) & UNLINKED) == 0;
  }

  /** The length of a key; 0 for a hole. */
  private static int lengthAt(long at) {
    return TableMemory.getShort(at) & 0xffff;
  }

  private static int sizeAt(long at) {
    int length = lengthAt(at);
    if (length == 0) {
      return (TableMemory.getShort(at + HOLE_SIZE) & ~UNLINKED & 0xffff) << UNIT_BITS;
    }
    int tenantBytes = 1;
    while (TableMemory.getByte(at + HEADER_BYTES + tenantBytes - 1) < 0) {
      tenantBytes++;
    }
    return sizeOf(HEADER_BYTES + tenantBytes + length);
  }

  private static int sizeOf(int bytes) {
    int unit = 1 << UNIT_BITS;
    return Math.max(MIN_RECORD_BYTES, (bytes + unit - 1) & -unit);
  }

  private static int tenantBytes(int tenant) {
    int bytes = 1;
    for (int rest = tenant >>> 7; rest != 0; rest >>>= 7) {
      bytes++;
    }
    return bytes;
  }

  private static long putTenant(long from, int tenant) {
    long at = from;
    int rest = tenant;
    while (rest >= 0x80) {
      TableMemory.putByte(at++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    TableMemory.putByte(at++, (byte) rest);
    return at;
  }
}
