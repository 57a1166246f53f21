package io.moonpool.storage.bucket;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The unit of reads and writes that go around the page cache. */
public final class Blocks {
  /** Bytes of a block: positions, lengths and addresses of direct I/O are multiples of it. */
  public static final int BYTES = 4096;

  private Blocks() {}

  /** The greatest multiple that is not above a position. */
  public static long down(long position) {
    return position & -BYTES;
  }

  /** The smallest multiple that is not below a position. */
  public static long up(long position) {
    return Math.addExact(position, BYTES - 1) & -BYTES;
  }

  /** True for native memory at an address that direct I/O takes. */
  public static boolean aligned(MemorySegment memory) {
    return memory.isNative() && memory.address() % BYTES == 0;
  }

  /** Memory for direct I/O. */
  public static MemorySegment allocate(Arena arena, long bytes) {
    return arena.allocate(up(bytes), BYTES);
  }
}
