package io.moonpool.transfer;

import io.moonpool.libc.Mapping;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A region made of one mapping. Counts the registrations, since sockets and peers use its address
 * directly: to unmap what is still registered would be a fault, not an error.
 */
abstract sealed class MappedRegion implements Region permits AnonymousRegion, SharedRegion {
  private static final int CLOSED = -1;

  private final Mapping mapping;
  private final long pageBytes;
  private final AtomicInteger registrations = new AtomicInteger();

  MappedRegion(Mapping mapping) {
    this.mapping = mapping;
    this.pageBytes = mapping.effectivePageBytes();
  }

  @Override
  public final MemorySegment memory() {
    return mapping.memory();
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
    mapping.close();
  }

  /** Gives back what the subclass holds besides the mapping. */
  abstract void release();
}
