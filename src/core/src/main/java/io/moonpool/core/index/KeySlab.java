package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The keys of a loop, as records in pages of bytes.
 *
 * <p>A record is the row that owns it and the length of the key (28 and 16 bits in 6 bytes), the
 * tenant as a varint, and the key; its size is a multiple of 8. An address counts units of 8 bytes
 * and names page and place. Long records have a page of their own.
 *
 * <p>A freed record becomes a hole, linked with other holes of exactly its size, which a new key of
 * that size takes first: keys of an application have few different sizes, so this alone keeps the
 * slab dense. When sizes shift and holes make up more than a quarter of the slab, each further free
 * also moves some records out of a sparse page, until it is empty and starts anew: they know their
 * rows. So no call moves more than {@value #MOVES_PER_STEP} records.
 */
final class KeySlab {
  private static final int UNIT_BITS = 3;
  private static final int PAGE_BYTES = 1 << 16;
  private static final int PAGE_BITS = 16 - UNIT_BITS;
  private static final int PLACE_MASK = (1 << PAGE_BITS) - 1;
  private static final int MAX_PAGE = (1 << (Integer.SIZE - PAGE_BITS)) - 1;

  /** Records longer than this have a page of their own. */
  private static final int MAX_SHARED_BYTES = PAGE_BYTES / 16;

  private static final int HEADER_BYTES = 6;

  /** A hole must hold its own links: header, two bytes to spare, next, previous. */
  private static final int MIN_RECORD_BYTES = 16;

  private static final int NEXT_HOLE = 8;
  private static final int PREVIOUS_HOLE = 12;

  /** Holes are tolerated up to one in so many bytes. */
  private static final int TOLERATED_FRACTION = 4;

  /** How many pages are compared when one is to be emptied. */
  private static final int PAGES_COMPARED = 8;

  private static final int MOVES_PER_STEP = 16;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NONE = {};

  private final ObjectRows rows;

  /** Page 0 holds no records: address 0 means "none", and may be peeked at. */
  private byte[][] pages = {new byte[1]};

  /** Where the records of each page end. */
  private int[] ends = new int[1];

  /** How many bytes of each page are holes. */
  private int[] holes = new int[1];

  private int pageCount = 1;

  /** The numbers of pages without an array, in a stack. */
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
  private long pageBytes;

  KeySlab(ObjectRows rows) {
    this.rows = rows;
  }

  /** Copies a key in; answers its address. */
  int add(ObjectKey key, int row) {
    int size = sizeOf(HEADER_BYTES + tenantBytes(key.tenant()) + key.length());
    int address = reserve(size);
    byte[] page = page(address);
    int at = place(address);
    header(page, at, row, key.length());
    int keyAt = putTenant(page, at + HEADER_BYTES, key.tenant());
    System.arraycopy(key.bytes(), key.offset(), page, keyAt, key.length());
    recordBytes += size;
    return address;
  }

  private int reserve(int size) {
    if (size > MAX_SHARED_BYTES) {
      int page = newPage(size);
      ends[page] = size;
      return page << PAGE_BITS;
    }
    int hole = firstHoles.get(size);
    if (hole != 0) {
      unlinkHole(hole, size);
      return hole;
    }
    if (currentPage == 0 || ends[currentPage] + size > PAGE_BYTES) {
      currentPage = newPage(PAGE_BYTES);
    }
    int address = address(currentPage, ends[currentPage]);
    ends[currentPage] += size;
    return address;
  }

  private int newPage(int bytes) {
    int page;
    if (freePageCount > 0) {
      page = freePages[--freePageCount];
    } else {
      if (pageCount > MAX_PAGE) {
        throw new IllegalStateException("the keys of a loop cannot take more than 32 GiB");
      }
      if (pageCount == pages.length) {
        int length = pageCount + Math.max(16, pageCount / 4);
        pages = Arrays.copyOf(pages, length);
        ends = Arrays.copyOf(ends, length);
        holes = Arrays.copyOf(holes, length);
      }
      page = pageCount++;
    }
    pages[page] = new byte[bytes];
    pageBytes += bytes;
    return page;
  }

  private void dropPage(int page) {
    pageBytes -= pages[page].length;
    pages[page] = NONE;
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
    byte[] page = pages[pageNumber];
    int size = sizeAt(page, place(address));
    recordBytes -= size;
    if (size > MAX_SHARED_BYTES) {
      dropPage(pageNumber);
      return;
    }
    if (pageNumber == emptyingPage) {
      // No hole for others: the page is on its way out.
      header(page, place(address), 0, size);
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
    byte[] page = page(address);
    int at = place(address);
    int next = firstHoles.put(size, address);
    header(page, at, 0, size);
    INT.set(page, at + NEXT_HOLE, next);
    INT.set(page, at + PREVIOUS_HOLE, 0);
    if (next != 0) {
      INT.set(page(next), place(next) + PREVIOUS_HOLE, address);
    }
    holes[pageOf(address)] += size;
    holeBytes += size;
  }

  private void unlinkHole(int address, int size) {
    byte[] page = page(address);
    int at = place(address);
    int next = (int) INT.get(page, at + NEXT_HOLE);
    int previous = (int) INT.get(page, at + PREVIOUS_HOLE);
    if (next != 0) {
      INT.set(page(next), place(next) + PREVIOUS_HOLE, previous);
    }
    if (previous != 0) {
      INT.set(page(previous), place(previous) + NEXT_HOLE, next);
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
    // From now on nothing new comes into the page: its holes are nobody's.
    byte[] page = pages[best];
    for (int at = 0; at < ends[best]; at += sizeAt(page, at)) {
      if (rowAt(page, at) == 0) {
        int size = lengthAt(page, at);
        unlinkHole(address(best, at), size);
        holes[best] += size;
        holeBytes += size;
      }
    }
    emptyingPage = best;
    emptiedTo = 0;
  }

  private void moveRecords() {
    byte[] page = pages[emptyingPage];
    int end = ends[emptyingPage];
    for (int moves = 0; moves < MOVES_PER_STEP && emptiedTo < end; ) {
      int at = emptiedTo;
      int size = sizeAt(page, at);
      int row = rowAt(page, at);
      if (row != 0) {
        int moved = reserve(size);
        System.arraycopy(page, at, page(moved), place(moved), size);
        rows.keyAddress(row, moved);
        header(page, at, 0, size);
        holes[emptyingPage] += size;
        holeBytes += size;
        moves++;
      }
      emptiedTo += size;
    }
    if (emptiedTo >= end) {
      holeBytes -= holes[emptyingPage];
      dropPage(emptyingPage);
      emptyingPage = 0;
    }
  }

  /** True when the record there is that key of that tenant. */
  boolean matches(int address, ObjectKey key) {
    byte[] page = page(address);
    int at = place(address);
    if (lengthAt(page, at) != key.length()) {
      return false;
    }
    int from = at + HEADER_BYTES;
    for (int rest = key.tenant(); ; rest >>>= 7, from++) {
      if (rest < 0x80) {
        if (page[from++] != rest) {
          return false;
        }
        break;
      }
      if (page[from] != (byte) (rest | 0x80)) {
        return false;
      }
    }
    return Arrays.equals(
        page, from, from + key.length(), key.bytes(), key.offset(), key.offset() + key.length());
  }

  /** Reads the first bytes of the record there and some that are a cache line further on. */
  int peek(int address) {
    byte[] page = page(address);
    int at = place(address);
    return page[at] + page[Math.min(at + 64, page.length - 1)];
  }

  /** The tenant of the key there. */
  int tenant(int address) {
    byte[] page = page(address);
    int at = place(address) + HEADER_BYTES;
    int tenant = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = page[at++];
      tenant |= (b & 0x7f) << shift;
      if (b >= 0) {
        return tenant;
      }
    }
  }

  /** The array that holds the key there. */
  byte[] page(int address) {
    return pages[pageOf(address)];
  }

  /** Where in {@link #page} the bytes of the key start. */
  int keyOffset(int address) {
    byte[] page = page(address);
    int at = place(address) + HEADER_BYTES;
    while (page[at++] < 0) {
      // skips the tenant
    }
    return at;
  }

  /** The length of the key there, in bytes. */
  int keyLength(int address) {
    return lengthAt(page(address), place(address));
  }

  /** The heap that the pages take, in bytes; array headers not counted. */
  long bytes() {
    return pageBytes + (long) pages.length * (Long.BYTES + 2 * Integer.BYTES);
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

  private static int place(int address) {
    return (address & PLACE_MASK) << UNIT_BITS;
  }

  private static void header(byte[] page, int at, int row, int length) {
    INT.set(page, at, row | (length << Rows.ROW_BITS));
    SHORT.set(page, at + 4, (short) (length >>> 4));
  }

  private static int rowAt(byte[] page, int at) {
    return (int) INT.get(page, at) & Rows.ROW_MASK;
  }

  /** The length of a key, or the size of a hole. */
  private static int lengthAt(byte[] page, int at) {
    return ((int) INT.get(page, at) >>> Rows.ROW_BITS)
        | (((short) SHORT.get(page, at + 4) & 0xffff) << 4);
  }

  private static int sizeAt(byte[] page, int at) {
    int length = lengthAt(page, at);
    if (rowAt(page, at) == 0) {
      return length;
    }
    int tenantBytes = 1;
    while (page[at + HEADER_BYTES + tenantBytes - 1] < 0) {
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

  private static int putTenant(byte[] page, int from, int tenant) {
    int at = from;
    int rest = tenant;
    while (rest >= 0x80) {
      page[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    page[at++] = (byte) rest;
    return at;
  }
}
