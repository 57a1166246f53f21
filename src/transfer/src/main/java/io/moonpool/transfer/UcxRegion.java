package io.moonpool.transfer;

import io.moonpool.libc.AvailableMemory;
import io.moonpool.libc.OutOfSpaceException;
import io.moonpool.ucx.UcxContext;
import io.moonpool.ucx.UcxException;
import io.moonpool.ucx.UcxMemory;
import java.lang.foreign.MemorySegment;

/**
 * Memory that UCX allocated: what its own shared-memory transports need to reach it one-sided, and
 * {@code tcp} serves as well.
 */
final class UcxRegion extends MappedRegion {
  /** Zeroed in pieces, so that the thread reaches its safepoints. */
  private static final long PIECE_BYTES = 4L << 20;

  private final UcxMemory registered;

  private UcxRegion(UcxMemory registered) {
    super(registered.memory());
    this.registered = registered;
  }

  /**
   * Allocates zeroed memory, with its pages. Blocks for about a second per few GiB.
   *
   * @throws OutOfSpaceException when the machine has not that much
   * @throws UcxException when UCX cannot allocate it
   */
  static UcxRegion allocate(UcxContext context, long bytes) {
    AvailableMemory.require(bytes);
    UcxMemory registered = context.allocate(bytes);
    MemorySegment memory = registered.memory();
    for (long at = 0; at < bytes; at += PIECE_BYTES) {
      memory.asSlice(at, Math.min(PIECE_BYTES, bytes - at)).fill((byte) 0);
    }
    return new UcxRegion(registered);
  }

  /** The registration, which lives as long as the region. */
  UcxMemory registered() {
    return registered;
  }

  @Override
  void release() {
    registered.close();
  }
}
