package io.moonpool.transfer;

import io.moonpool.libc.Mapping;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A region that transports hold on to. Counts the registrations, since sockets and peers use its
 * address directly: to unmap what is still registered would be a fault, not an error.
 */
abstract sealed class MappedRegion implements Region
    permits AnonymousRegion, SharedRegion, UcxRegion {
  private static final int CLOSED = -1;

  private final MemorySegment memory;
  private final long pageBytes;
  private final AtomicInteger registrations = new AtomicInteger();

  MappedRegion(MemorySegment memory) {
    this.memory = memory;
    this.pageBytes = Mapping.effectivePageBytes(memory);
  }

  @Override
  public final MemorySegment memory() {
    return memory;
  }

  @Override
  public final long pageBytes() {
    return pageBytes;
  }

  /** A transport uses the memory until it calls {@link #giveBack}. */
  final void lend() {
    if (registrations.getAndUpdate(n -> n == CLOSED ? CLOSED : n + 1) == CLOSED) {
      throw new IllegalStateException("the region is closed");
    }
  }

  final void giveBack() {
    registrations.decrementAndGet();
  }

  @Override
  public final void close() {
    int before = registrations.getAndUpdate(n -> n == 0 ? CLOSED : n);
    if (before == CLOSED) {
      return;
    }
    if (before > 0) {
      throw new IllegalStateException(
          "the region is still registered: unregister its segment and wait until that completes");
    }
    release();
  }

  /** Gives back the memory and whatever else the subclass holds. */
  abstract void release();
}
