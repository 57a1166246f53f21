package io.moonpool.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MappingTest {
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  @Test
  void mapsZeroedMemoryOfExactlyThatSize() {
    try (Mapping mapping = Mapping.anonymous(100_001)) {
      MemorySegment memory = mapping.memory();
      assertThat(memory.byteSize()).isEqualTo(100_001);
      mapping.populate(0, 100_001);
      assertThat(memory.mismatch(MemorySegment.ofArray(new byte[100_001]))).isEqualTo(-1);
      memory.set(ValueLayout.JAVA_BYTE, 100_000, (byte) 5);
      mapping.populate(50_000, 10);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 100_000)).isEqualTo((byte) 5);
    }
  }

  @Test
  void mapsMoreThanABufferCanHold() {
    // Address space only: pages appear where they are touched.
    try (Mapping mapping = Mapping.anonymous(5 * GIB)) {
      MemorySegment memory = mapping.memory();
      memory.set(ValueLayout.JAVA_LONG, 5 * GIB - 8, 42);
      assertThat(memory.get(ValueLayout.JAVA_LONG, 5 * GIB - 8)).isEqualTo(42);
      assertThat(memory.address() % (2 * MIB)).isZero();
    }
  }

  @Test
  void refusesAccessAfterClosing() throws IOException {
    Mapping mapping = Mapping.anonymous(70 * MIB);
    MemorySegment memory = mapping.memory();
    String start = Long.toHexString(memory.address()) + "-";
    assertThat(Files.readString(Path.of("/proc/self/maps"))).contains(start);
    mapping.close();
    mapping.close();
    assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapping.populate(0, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mapping::adviseHugePages).isInstanceOf(IllegalStateException.class);
    assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(start);
  }

  @Test
  void checksSizesAndRanges() {
    assertThatThrownBy(() -> Mapping.anonymous(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Mapping.anonymous(-1)).isInstanceOf(IllegalArgumentException.class);
    try (Mapping mapping = Mapping.anonymous(10)) {
      assertThatThrownBy(() -> mapping.populate(5, 6))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> mapping.populate(Long.MAX_VALUE, Long.MAX_VALUE))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void namesTheErrorWhenTheAddressSpaceIsUsedUp() {
    assertThatThrownBy(() -> Mapping.anonymous(1L << 47))
        .isInstanceOfSatisfying(
            OutOfSpaceException.class,
            e -> {
              assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
              assertThat(e.call()).isEqualTo("mmap");
              assertThat(e).hasMessageContaining("ENOMEM");
            });
  }

  @Test
  void refusesMemoryThatTheMachineDoesNotHave() {
    assertThat(AvailableMemory.bytes()).isPositive();
    assertThatThrownBy(() -> AvailableMemory.require(1L << 50))
        .isInstanceOf(OutOfSpaceException.class)
        .hasMessageContaining("make the segments smaller");
    AvailableMemory.require(1);
  }

  @Test
  void tellsThePageSize() {
    try (Mapping mapping = Mapping.anonymous(8 * MIB)) {
      mapping.populate(0, MIB);
      assertThat(mapping.effectivePageBytes()).isEqualTo(Libc.PAGE_BYTES);
    }
  }
}
