package io.moonpool.master.admin.metrics;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What this process's threads allocated on the heap so far, those that have ended included. */
final class HeapAllocation {
  private HeapAllocation() {}

  /**
   * The bytes since the process started; 0 on a JVM that does not count them. Takes microseconds
   * for each live thread. Any thread.
   */
  static long bytes() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
            && threads.isThreadAllocatedMemorySupported()
        ? Math.max(0, threads.getTotalThreadAllocatedBytes())
        : 0;
  }
}
