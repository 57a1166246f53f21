package io.moonpool.libc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Pages of memory that the kernel mapped into this process, aligned to huge pages.
 *
 * <p>The memory belongs to a shared arena: any thread may use it, and access after {@link #close()}
 * throws instead of touching what is mapped there next. Code that hands the raw address to the
 * kernel (socket buffers do) must itself make sure that it has finished before the mapping closes.
 *
 * <p>Populating and unmapping go in pieces, since each holds a lock of the process's address space
 * that every page fault of other threads waits for. They block: never call them on an event loop.
 */
public final class Mapping implements AutoCloseable {
  /** Bytes populated or unmapped in one call. */
  private static final long PIECE_BYTES = 64L << 20;

  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private final Arena arena;
  private final MemorySegment memory;

  private Mapping(Arena arena, MemorySegment memory) {
    this.arena = arena;
    this.memory = memory;
  }

  /**
   * Maps memory of this process alone, zeroed, without pages yet.
   *
   * @param bytes at least 1; the mapping itself is rounded up to whole pages
   * @throws OutOfSpaceException when the address space or the kernel's commit limit is used up
   */
  public static Mapping anonymous(long bytes) {
    return map(bytes, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1, 0);
  }

  /**
   * Maps memory like {@link #anonymous}, on huge pages where the kernel has some, that nobody
   * closes: it is unmapped when the collector finds that the segment, and all slices of it, are
   * unreachable.
   *
   * @throws OutOfSpaceException when the address space or the kernel's commit limit is used up
   */
  public static MemorySegment collected(long bytes) {
    long length = wholePages(bytes);
    long start = mapAligned(length, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1, 0);
    // Without huge pages it is ordinary memory.
    int ignored = Libc.madvise(start, length, Libc.MADV_HUGEPAGE);
    return MemorySegment.ofAddress(start)
        .reinterpret(bytes, Arena.ofAuto(), m -> unmap(m.address(), length));
  }

  /**
   * Gives all of a {@link #collected} segment its pages now, so that later writes do not fault; as
   * far as there is memory for them.
   */
  public static void populate(MemorySegment collected) {
    long length = wholePages(collected.byteSize());
    for (long at = 0; at < length; at += PIECE_BYTES) {
      int error =
          Libc.madvise(
              collected.address() + at,
              Math.min(PIECE_BYTES, length - at),
              Libc.MADV_POPULATE_WRITE);
      if (error != 0) {
        return; // An old kernel, or no memory: whoever writes there will find out.
      }
    }
  }

  /** That many bytes rounded up to whole pages. */
  public static long wholePages(long bytes) {
    return PageSizes.roundUp(bytes, Libc.PAGE_BYTES);
  }

  /** Maps a part of a file that other processes may map too. */
  static Mapping shared(int fd, long offset, long bytes) {
    if (offset < 0 || offset % Libc.PAGE_BYTES != 0) {
      throw new IllegalArgumentException(
          "offset " + offset + " is not a multiple of the page size");
    }
    return map(bytes, Libc.MAP_SHARED, fd, offset);
  }

  @SuppressWarnings("MustBeClosedChecker") // The mapping owns the arena and closes it.
  private static Mapping map(long bytes, int flags, int fd, long offset) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a mapping has at least 1 byte, not " + bytes);
    }
    long length = PageSizes.roundUp(bytes, Libc.PAGE_BYTES);
    long start = mapAligned(length, flags, fd, offset);
    Arena arena = Arena.ofShared();
    MemorySegment memory =
        MemorySegment.ofAddress(start).reinterpret(bytes, arena, m -> unmap(m.address(), length));
    return new Mapping(arena, memory);
  }

  /** Maps whole pages, aligned to huge pages if they are as large as one. */
  private static long mapAligned(long length, int flags, int fd, long offset) {
    // Huge pages exist only at aligned addresses: reserve more, cut off both ends, map over it.
    long align = length >= PageSizes.hugeBytes() ? PageSizes.hugeBytes() : Libc.PAGE_BYTES;
    long reserved = Math.addExact(length, align - Libc.PAGE_BYTES);
    long base =
        Libc.mmap(
            0,
            reserved,
            Libc.PROT_NONE,
            Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS | Libc.MAP_NORESERVE,
            -1,
            0);
    long start = PageSizes.roundUp(base, align);
    try {
      if (start > base) {
        Libc.munmap(base, start - base);
      }
      long tail = base + reserved - (start + length);
      if (tail > 0) {
        Libc.munmap(start + length, tail);
      }
      Libc.mmap(
          start, length, Libc.PROT_READ | Libc.PROT_WRITE, flags | Libc.MAP_FIXED, fd, offset);
    } catch (RuntimeException e) {
      Libc.munmap(start, length);
      throw e;
    }
    return start;
  }

  private static void unmap(long address, long length) {
    for (long at = 0; at < length; at += PIECE_BYTES) {
      Libc.munmap(address + at, Math.min(PIECE_BYTES, length - at));
    }
  }

  /** The mapped bytes, exactly as many as asked for. */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Asks for transparent huge pages.
   *
   * @return false when the kernel has none for this kind of memory; it then stays on base pages
   */
  public synchronized boolean adviseHugePages() {
    requireOpen();
    return Libc.madvise(memory.address(), pages(), Libc.MADV_HUGEPAGE) == 0;
  }

  /**
   * Gives a part its pages now, so that later writes do not fault.
   *
   * @param offset where to start, in bytes
   * @param length bytes; the range is widened to whole pages
   * @throws OutOfSpaceException when the kernel has no more memory for them
   * @throws IllegalStateException when the mapping is closed, meanwhile too
   */
  public void populate(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, memory.byteSize());
    long end = offset + length;
    for (long at = PageSizes.roundDown(offset, Libc.PAGE_BYTES); at < end; at += PIECE_BYTES) {
      populatePiece(at, Math.min(PIECE_BYTES, end - at));
    }
  }

  /** One piece, during which the mapping cannot be closed. */
  private synchronized void populatePiece(long offset, long length) {
    requireOpen();
    int error =
        Libc.madvise(
            memory.address() + offset,
            PageSizes.roundUp(length, Libc.PAGE_BYTES),
            Libc.MADV_POPULATE_WRITE);
    if (error == 0) {
      return;
    }
    if (error == Errno.EINVAL.number()) {
      touch(offset, length); // A kernel before 5.14: fault the pages in one by one.
      return;
    }
    String detail =
        "no memory for bytes "
            + offset
            + " to "
            + (offset + length)
            + " of "
            + memory.byteSize()
            + ": make the segments smaller, or raise the memory limit of the machine or container";
    throw error == Errno.ENOMEM.number() || error == Errno.EFAULT.number()
        ? new OutOfSpaceException("madvise", error, detail)
        : new LibcException("madvise", error, detail);
  }

  private void touch(long offset, long length) {
    long lastInt = PageSizes.roundDown(memory.byteSize(), Integer.BYTES) - Integer.BYTES;
    if (lastInt < 0) {
      return; // Fewer than four bytes: the first write will fault.
    }
    for (long at = offset; at < offset + length; at += Libc.PAGE_BYTES) {
      // Adding zero keeps what another process may be writing there.
      int ignored = (int) INT.getAndAdd(memory, Math.min(at, lastInt), 0);
    }
  }

  /**
   * Keeps the pages from being swapped out, as far as the process may.
   *
   * @return false when a limit (RLIMIT_MEMLOCK) or the kernel refuses; then nothing more is locked
   */
  public boolean lock() {
    long length = pages();
    for (long at = 0; at < length; at += PIECE_BYTES) {
      if (!lockPiece(at, Math.min(PIECE_BYTES, length - at))) {
        return false;
      }
    }
    return true;
  }

  private synchronized boolean lockPiece(long offset, long length) {
    requireOpen();
    return Libc.mlock(memory.address() + offset, length) == 0;
  }

  /**
   * The page size that the kernel mostly uses for this mapping, in bytes. Reads {@code
   * /proc/self/smaps}, which takes time in a large process; the base page size when it cannot be
   * read.
   */
  public long effectivePageBytes() {
    return effectivePageBytes(memory);
  }

  /** The same for memory that something else has mapped. */
  public static long effectivePageBytes(MemorySegment memory) {
    return PageSizes.effective(memory.address());
  }

  private long pages() {
    return PageSizes.roundUp(memory.byteSize(), Libc.PAGE_BYTES);
  }

  private void requireOpen() {
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException("the mapping is closed");
    }
  }

  /** Unmaps, in pieces. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
