package io.moonpool.model.process;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/**
 * The most that this process's heap ever held, garbage included.
 *
 * <p>A collector may keep its heap in several pools, and the JVM keeps a peak for each. Their sum
 * is no less than the true peak, since pools need not have peaked together: what is claimed with it
 * holds.
 */
public final class HeapPeak {
  private static final List<MemoryPoolMXBean> POOLS =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();

  private HeapPeak() {}

  /** The peak since the process started, in bytes. */
  public static long bytes() {
    return POOLS.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }
}
