package io.moonpool.model.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

/** The peak is no less than what was once on the heap, and stays when that is gone. */
class HeapPeakTest {
  private static final int BYTES = 64 << 20;

  @Test
  void remembersWhatWasOnTheHeap() {
    byte[] large = new byte[BYTES];
    Reference.reachabilityFence(large);
    large = null;
    System.gc();
    assertThat(HeapPeak.bytes())
        .isGreaterThanOrEqualTo(BYTES)
        .isLessThanOrEqualTo(2 * Runtime.getRuntime().maxMemory());
  }
}
