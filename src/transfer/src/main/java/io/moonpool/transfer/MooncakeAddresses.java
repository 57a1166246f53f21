package io.moonpool.transfer;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The virtual addresses under which clients of Mooncake see the segments that this process lends.
 * These addresses carry no generation, so none is given out twice: each mount is announced at one
 * behind all earlier ones, with a gap between. The first is chosen at random among some 2^60, so
 * that an address of an earlier process at the same port leads nowhere. Any thread.
 */
final class MooncakeAddresses {
  /** What addresses are multiples of, and what lies between two mounts at least. */
  private static final long PAGE_BYTES = 2L << 20;

  private static final long FIRST_BELOW = 1L << 60;

  /** Keeps the sum of any address and any length positive. */
  private static final long LAST_BELOW = 1L << 62;

  private final long first = drawFirst();
  private final AtomicLong next = new AtomicLong(first);
  private final ConcurrentSkipListMap<Long, Mounted> mounts = new ConcurrentSkipListMap<>();

  /**
   * A segment at an address.
   *
   * @param base the address of its first byte
   * @param generation under which it is lent there
   */
  record Mounted(long base, long generation, Lent lent) {
    long size() {
      return lent.memory().byteSize();
    }
  }

  private static long drawFirst() {
    long page = new SecureRandom().nextLong(PAGE_BYTES, FIRST_BELOW / PAGE_BYTES);
    return page * PAGE_BYTES;
  }

  /** An address for so many bytes that was never given out and never will be again. */
  long reserve(long bytes) {
    long taken = Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES + PAGE_BYTES;
    long base = next.getAndAdd(taken);
    if (base > LAST_BELOW - taken) {
      throw new IllegalStateException("all addresses have been used: restart this process");
    }
    return base;
  }

  /** True for addresses that this has given out. */
  boolean reserved(long base) {
    return base >= first && base < next.get();
  }

  /** From now on the segment is found there. */
  void add(Mounted mounted) {
    mounts.put(mounted.base, mounted);
  }

  /** The segment is not found any more, wherever it was. */
  void remove(UUID segmentId) {
    mounts.values().removeIf(mounted -> mounted.lent.id().equals(segmentId));
  }

  /** The mount at or before an address; null when there is none. */
  @Nullable Mounted find(long address) {
    Map.Entry<Long, Mounted> entry = mounts.floorEntry(address);
    return entry == null ? null : entry.getValue();
  }

  /** All that can be found now. */
  List<MooncakeWire.Memory> buffers() {
    return mounts.values().stream()
        .map(mounted -> new MooncakeWire.Memory(mounted.base, mounted.size()))
        .toList();
  }
}
