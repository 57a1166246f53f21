package io.moonpool.libc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Memory that nobody closes. */
class CollectedMappingTest {
  private static final long BYTES = 8L << 20;

  @Test
  void isZeroAndAlignedToHugePages() {
    MemorySegment memory = Mapping.collected(BYTES);
    Mapping.populate(memory);
    assertThat(memory.byteSize()).isEqualTo(BYTES);
    assertThat(memory.address() % PageSizes.hugeBytes()).isZero();
    for (long at = 0; at < BYTES; at += Long.BYTES) {
      assertThat(memory.get(ValueLayout.JAVA_LONG, at)).isZero();
    }
    memory.set(ValueLayout.JAVA_LONG, BYTES - Long.BYTES, 5);
    assertThat(memory.get(ValueLayout.JAVA_LONG, BYTES - Long.BYTES)).isEqualTo(5);
  }

  @Test
  void isUnmappedWhenNobodyHoldsIt() {
    MemorySegment memory = Mapping.collected(BYTES);
    long address = memory.address();
    assertThat(isMapped(address)).isTrue();
    WeakReference<MemorySegment> gone = new WeakReference<>(memory);
    memory = null;
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              System.gc();
              return gone.get() == null && !isMapped(address);
            });
  }

  /** Whether a mapping contains that address. */
  private static boolean isMapped(long address) {
    try {
      return Files.readAllLines(Path.of("/proc/self/maps")).stream()
          .map(line -> line.substring(0, line.indexOf(' ')).split("-"))
          .anyMatch(
              range ->
                  Long.parseUnsignedLong(range[0], 16) <= address
                      && address < Long.parseUnsignedLong(range[1], 16));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
