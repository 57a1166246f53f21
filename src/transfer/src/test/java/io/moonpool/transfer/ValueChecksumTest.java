package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.vertx.core.Vertx;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ValueChecksumTest {
  private static final int BLOCK = Checksum.BLOCK_BYTES;

  private static MemorySegment heap(int bytes) {
    byte[] value = new byte[bytes];
    new Random(bytes).nextBytes(value);
    return MemorySegment.ofArray(value);
  }

  @Test
  void knowsTheStandardsTestVector() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(ValueChecksum.crc(MemorySegment.ofArray(digits))).isEqualTo(0xe3069283);
    assertThat(ValueChecksum.of(MemorySegment.ofArray(digits)))
        .isEqualTo(Checksum.crc32c(0xe3069283));
  }

  @Test
  void isTheSameForEveryKindOfMemory() {
    MemorySegment value = heap(300_000);
    int expected = ValueChecksum.crc(value);
    MemorySegment longs = MemorySegment.ofArray(new long[300_000 / 8]);
    longs.copyFrom(value);
    assertThat(ValueChecksum.crc(longs)).isEqualTo(expected);
    assertThat(ValueChecksum.crc(value.asReadOnly())).isEqualTo(expected);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment direct = arena.allocate(300_001).asSlice(1);
      direct.copyFrom(value);
      assertThat(ValueChecksum.crc(direct)).isEqualTo(expected);
    }
  }

  @Test
  void hasOneSumUpToABlockAndOneForEachAbove() {
    assertThat(ValueChecksum.of(heap(0))).isEqualTo(Checksum.crc32c(0));
    assertThat(ValueChecksum.of(heap(BLOCK)).blocks()).isEmpty();
    MemorySegment value = heap(2 * BLOCK + 1);
    Checksum checksum = ValueChecksum.of(value);
    assertThat(checksum.kind()).isEqualTo(ChecksumKind.CRC32C);
    assertThat(checksum.blocks())
        .containsExactly(
            ValueChecksum.crc(value.asSlice(0, BLOCK)),
            ValueChecksum.crc(value.asSlice(BLOCK, BLOCK)),
            ValueChecksum.crc(value.asSlice(2L * BLOCK, 1)));
    MemorySegment sums = MemorySegment.ofArray(new byte[12]);
    for (int i = 0; i < 3; i++) {
      sums.set(
          ValueLayout.JAVA_INT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN),
          i * 4L,
          checksum.blocks()[i]);
    }
    assertThat((int) checksum.value()).isEqualTo(ValueChecksum.crc(sums));
  }

  @Test
  void advancesInSlices() {
    MemorySegment value = heap(3 * BLOCK + 5);
    ValueChecksum work = new ValueChecksum(value);
    assertThatThrownBy(work::result).isInstanceOf(IllegalStateException.class);
    assertThat(work.advance(1)).isFalse();
    assertThat(work.advance(2L * BLOCK)).isFalse();
    assertThat(work.advance(1)).isTrue();
    assertThat(work.result()).isEqualTo(ValueChecksum.of(value));
  }

  @Test
  void computesLargeValuesOnAContext() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      MemorySegment value = heap(11 * BLOCK + 77);
      Checksum computed =
          ValueChecksum.of(vertx.getOrCreateContext(), value).await(10, TimeUnit.SECONDS);
      assertThat(computed).isEqualTo(ValueChecksum.of(value));
    } finally {
      vertx.close().await(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void noticesEveryChangedByte() {
    for (int bytes : new int[] {1, BLOCK, 3 * BLOCK + 9}) {
      MemorySegment value = heap(bytes);
      Checksum checksum = ValueChecksum.of(value);
      assertThat(ValueChecksum.matches(checksum, value)).isTrue();
      for (long at : new long[] {0, bytes / 2, bytes - 1}) {
        byte before = value.get(ValueLayout.JAVA_BYTE, at);
        value.set(ValueLayout.JAVA_BYTE, at, (byte) (before ^ 1));
        assertThat(ValueChecksum.matches(checksum, value)).isFalse();
        value.set(ValueLayout.JAVA_BYTE, at, before);
      }
    }
  }

  @Test
  void passesWhatItCannotCheck() {
    assertThat(ValueChecksum.matches(Checksum.NONE, heap(10))).isTrue();
    Checksum foreign = new Checksum(ChecksumKind.OPAQUE, 5, new int[0]);
    assertThat(ValueChecksum.matches(foreign, heap(10))).isTrue();
  }

  @Test
  void checksTheWholeBlocksOfAPart() {
    int bytes = 4 * BLOCK + 100;
    MemorySegment value = heap(bytes);
    Checksum checksum = ValueChecksum.of(value);
    long offset = BLOCK - 10;
    MemorySegment part = value.asSlice(offset, 2L * BLOCK + 20);
    assertThat(ValueChecksum.matchesPart(checksum, bytes, part, offset)).isTrue();
    // The last block, which is short.
    MemorySegment tail = value.asSlice(4L * BLOCK, 100);
    assertThat(ValueChecksum.matchesPart(checksum, bytes, tail, 4L * BLOCK)).isTrue();
    flip(value, 2L * BLOCK);
    assertThat(ValueChecksum.matchesPart(checksum, bytes, part, offset)).isFalse();
    assertThat(ValueChecksum.matchesPart(checksum, bytes, value, 0)).isFalse();
    flip(value, 2L * BLOCK);
    flip(value, bytes - 1);
    assertThat(ValueChecksum.matchesPart(checksum, bytes, tail, 4L * BLOCK)).isFalse();
    assertThat(ValueChecksum.matchesPart(checksum, bytes, part, offset)).isTrue();
    assertThatThrownBy(() -> ValueChecksum.matchesPart(checksum, bytes, part, bytes))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void flip(MemorySegment value, long at) {
    value.set(ValueLayout.JAVA_BYTE, at, (byte) ~value.get(ValueLayout.JAVA_BYTE, at));
  }
}
