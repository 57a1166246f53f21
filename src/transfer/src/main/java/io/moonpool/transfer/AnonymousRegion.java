package io.moonpool.transfer;

import io.moonpool.libc.Mapping;
import java.lang.foreign.MemorySegment;

/** Memory of this process alone, on huge pages where the kernel has them, with all pages there. */
public final class AnonymousRegion implements Region {
  private final Mapping mapping;
  private final long pageBytes;

  private AnonymousRegion(Mapping mapping) {
    this.mapping = mapping;
    this.pageBytes = mapping.effectivePageBytes();
  }

  /**
   * Allocates zeroed memory. Blocks for about a second per few GiB.
   *
   * @param bytes at least 1
   * @throws io.moonpool.libc.OutOfSpaceException when the memory is not there
   */
  public static AnonymousRegion allocate(long bytes) {
    Mapping mapping = Mapping.anonymous(bytes);
    try {
      mapping.adviseHugePages();
      mapping.populate(0, bytes);
      mapping.lock();
      return new AnonymousRegion(mapping);
    } catch (RuntimeException e) {
      mapping.close();
      throw e;
    }
  }

  @Override
  public MemorySegment memory() {
    return mapping.memory();
  }

  @Override
  public long pageBytes() {
    return pageBytes;
  }

  @Override
  public void close() {
    mapping.close();
  }
}
