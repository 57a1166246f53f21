package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The keys of a shard, as records in small pages of bytes.
 *
 * <p>A record is the row that owns it (3 bytes), the length of the key (2), the tenant as a varint,
 * and the key. An address names the page and the offset in it; long records have a page of their
 * own.
 *
 * <p>A freed record becomes a hole, linked with other holes of exactly its size, which a new key of
 * that size takes first: keys of an application have few different sizes, so this alone keeps the
 * slab dense. When sizes shift and holes make up more than a quarter of the slab, each further free
 * also empties one sparse page: its records move, since they know their rows, and the page starts
 * anew. Both cost at most one page.
 */
final class KeySlab {
  private static final int PAGE_BITS = 12;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int OFFSET_MASK = PAGE_BYTES - 1;
  private static final int MAX_PAGE = (1 << (Integer.SIZE - PAGE_BITS)) - 1;

  /** Records longer than this have a page of their own. */
  private static final int MAX_SHARED_BYTES = PAGE_BYTES / 4;

  private static final int HEADER_BYTES = 5;

  /** A hole must hold its own links: header, next, previous. */
  private static final int MIN_RECORD_BYTES = HEADER_BYTES + 2 * Integer.BYTES;

  private static final int NEXT_HOLE = HEADER_BYTES;
  private static final int PREVIOUS_HOLE = HEADER_BYTES + Integer.BYTES;

  /** Holes are tolerated up to one in so many bytes. */
  private static final int TOLERATED_FRACTION = 4;

  /** How many pages are compared when one is to be emptied. */
  private static final int PAGES_COMPARED = 8;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NONE = {};

  private final ObjectRows rows;

  /** Page 0 does not exist, so that address 0 means "none". */
  private byte[][] pages = {NONE};

  /** Where the records of each page end. */
  private int[] ends = new int[1];

  /** How many bytes of each page are holes. */
  private int[] holes = new int[1];

  private int pageCount = 1;

  /** The numbers of pages without an array, in a stack. */
  private int[] freePages = {};

  private int freePageCount;

  private int currentPage;
  private int emptyingCursor;

  /** The first hole of each size. */
  private final Int2IntOpenHashMap firstHoles = new Int2IntOpenHashMap(4);

  private long recordBytes;
  private long holeBytes;
  private long pageBytes;

  KeySlab(ObjectRows rows) {
    this.rows = rows;
  }

  /** Copies a key in; answers its address. */
  int add(ObjectKey key, int row) {
    int size = recordBytes(key.tenant(), key.length());
    int address = reserve(size);
    byte[] page = page(address);
    int at = address & OFFSET_MASK;
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
    int address = (currentPage << PAGE_BITS) | ends[currentPage];
    ends[currentPage] += size;
    return address;
  }

  private int newPage(int bytes) {
    int page;
    if (freePageCount > 0) {
      page = freePages[--freePageCount];
    } else {
      if (pageCount > MAX_PAGE) {
        throw new IllegalStateException("the keys of a shard cannot take more than 4 GiB");
      }
      if (pageCount == pages.length) {
        int length = pageCount + Math.max(4, pageCount / 4);
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
      freePages = Arrays.copyOf(freePages, freePageCount + Math.max(4, freePageCount / 2));
    }
    freePages[freePageCount++] = page;
  }

  /** Gives back the space of a key. */
  void remove(int address) {
    int pageNumber = address >>> PAGE_BITS;
    byte[] page = pages[pageNumber];
    int size = sizeOf(page, address & OFFSET_MASK);
    recordBytes -= size;
    if (size > MAX_SHARED_BYTES) {
      dropPage(pageNumber);
      return;
    }
    linkHole(address, size);
    if (holeBytes * TOLERATED_FRACTION > recordBytes + holeBytes
        && holeBytes > (long) PAGES_COMPARED * PAGE_BYTES / TOLERATED_FRACTION) {
      emptyOnePage();
    }
  }

  private void linkHole(int address, int size) {
    byte[] page = page(address);
    int at = address & OFFSET_MASK;
    int next = firstHoles.put(size, address);
    header(page, at, 0, size);
    INT.set(page, at + NEXT_HOLE, next);
    INT.set(page, at + PREVIOUS_HOLE, 0);
    if (next != 0) {
      INT.set(page(next), (next & OFFSET_MASK) + PREVIOUS_HOLE, address);
    }
    holes[address >>> PAGE_BITS] += size;
    holeBytes += size;
  }

  private void unlinkHole(int address, int size) {
    byte[] page = page(address);
    int at = address & OFFSET_MASK;
    int next = (int) INT.get(page, at + NEXT_HOLE);
    int previous = (int) INT.get(page, at + PREVIOUS_HOLE);
    if (next != 0) {
      INT.set(page(next), (next & OFFSET_MASK) + PREVIOUS_HOLE, previous);
    }
    if (previous != 0) {
      INT.set(page(previous), (previous & OFFSET_MASK) + NEXT_HOLE, next);
    } else if (next != 0) {
      firstHoles.put(size, next);
    } else {
      firstHoles.remove(size);
    }
    holes[address >>> PAGE_BITS] -= size;
    holeBytes -= size;
  }

  /** Moves the records out of the page with most holes among the next few, and drops it. */
  private void emptyOnePage() {
    int best = 0;
    for (int i = 0; i < PAGES_COMPARED; i++) {
      emptyingCursor = emptyingCursor + 1 >= pageCount ? 1 : emptyingCursor + 1;
      if (emptyingCursor != currentPage && holes[emptyingCursor] > holes[best]) {
        best = emptyingCursor;
      }
    }
    if (holes[best] * TOLERATED_FRACTION < ends[best] || best == 0) {
      return;
    }
    byte[] page = pages[best];
    int end = ends[best];
    // Its holes first, so that none of its records moves into one of them.
    for (int at = 0; at < end; at += sizeOf(page, at)) {
      if (rowOf(page, at) == 0) {
        unlinkHole((best << PAGE_BITS) | at, lengthOf(page, at));
      }
    }
    for (int at = 0; at < end; ) {
      int size = sizeOf(page, at);
      int row = rowOf(page, at);
      if (row != 0) {
        int moved = reserve(size);
        System.arraycopy(page, at, page(moved), moved & OFFSET_MASK, size);
        rows.keyAddress(row, moved);
      }
      at += size;
    }
    dropPage(best);
  }

  /** True when the record there is that key of that tenant. */
  boolean matches(int address, ObjectKey key) {
    byte[] page = page(address);
    int at = address & OFFSET_MASK;
    if (lengthOf(page, at) != key.length()) {
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
    int at = address & OFFSET_MASK;
    return page.length == 0 ? 0 : page[at] + page[Math.min(at + 64, page.length - 1)];
  }

  /** The tenant of the key there. */
  int tenant(int address) {
    byte[] page = page(address);
    int at = (address & OFFSET_MASK) + HEADER_BYTES;
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
    return pages[address >>> PAGE_BITS];
  }

  /** Where in {@link #page} the bytes of the key start. */
  int keyOffset(int address) {
    byte[] page = page(address);
    int at = (address & OFFSET_MASK) + HEADER_BYTES;
    while (page[at++] < 0) {
      // skips the tenant
    }
    return at;
  }

  /** The length of the key there, in bytes. */
  int keyLength(int address) {
    return lengthOf(page(address), address & OFFSET_MASK);
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

  private static void header(byte[] page, int at, int row, int length) {
    INT.set(page, at, row | (length << Rows.ROW_BITS));
    page[at + 4] = (byte) (length >>> 8);
  }

  private static int rowOf(byte[] page, int at) {
    return (int) INT.get(page, at) & Rows.ROW_MASK;
  }

  private static int lengthOf(byte[] page, int at) {
    return ((int) INT.get(page, at) >>> Rows.ROW_BITS) | ((page[at + 4] & 0xff) << 8);
  }

  private static int sizeOf(byte[] page, int at) {
    int length = lengthOf(page, at);
    if (rowOf(page, at) == 0) {
      return length;
    }
    int tenantBytes = 1;
    while (page[at + HEADER_BYTES + tenantBytes - 1] < 0) {
      tenantBytes++;
    }
    return Math.max(MIN_RECORD_BYTES, HEADER_BYTES + tenantBytes + length);
  }

  private static int recordBytes(int tenant, int length) {
    int tenantBytes = 1;
    for (int rest = tenant >>> 7; rest != 0; rest >>>= 7) {
      tenantBytes++;
    }
    return Math.max(MIN_RECORD_BYTES, HEADER_BYTES + tenantBytes + length);
  }

  private static int putTenant(byte[] page, int at, int tenant) {
    int rest = tenant;
    while (rest >= 0x80) {
      page[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    page[at++] = (byte) rest;
    return at;
  }
}
