package io.moonpool.master.admin.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

class HeapAllocationTest {
  private static final int BYTES = 16 << 20;

  @Test
  void countsWhatThreadsAllocatedAlsoAfterTheirEnd() throws InterruptedException {
    long before = HeapAllocation.bytes();
    Thread thread = new Thread(() -> Reference.reachabilityFence(new byte[BYTES]));
    thread.start();
    thread.join();
    assertThat(HeapAllocation.bytes() - before).isGreaterThanOrEqualTo(BYTES);
  }
}
