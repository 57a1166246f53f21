package io.moonpool.transfer;

import io.moonpool.libc.AvailableMemory;
import io.moonpool.libc.Mapping;

/**
 * Memory of this process alone, on huge pages where the kernel has them, with all its pages there
 * and, as far as the process may, locked. For staging buffers and for segments that only {@code
 * tcp} serves.
 */
public final class AnonymousRegion extends MappedRegion {
  private final Mapping mapping;

  private AnonymousRegion(Mapping mapping) {
    super(mapping.memory());
    this.mapping = mapping;
  }

  /**
   * Allocates zeroed memory. Blocks for about a second per few GiB: never on an event loop.
   *
   * @param bytes at least 1
   * @throws io.moonpool.libc.OutOfSpaceException when the memory is not there
   */
  public static AnonymousRegion allocate(long bytes) {
    AvailableMemory.require(bytes);
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
  void release() {
    mapping.close();
  }
}
