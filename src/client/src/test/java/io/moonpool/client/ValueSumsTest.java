package io.moonpool.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.Checksum;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ValueSumsTest {
  @Test
  void isTheKnownCrc32c() {
    byte[] text = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(ValueSums.of(MemorySegment.ofArray(text)).value()).isEqualTo(0xE3069283L);
  }

  @Test
  void hasABlockPerMebibyteAboveOne() {
    MemorySegment value = MemorySegment.ofArray(new byte[(2 << 20) + 5]);
    Checksum sum = ValueSums.of(value);
    assertThat(sum.blocks()).hasSize(3);
    assertThat(sum.blocks()[0]).isEqualTo(sum.blocks()[1]).isNotEqualTo(sum.blocks()[2]);
    assertThat(ValueSums.wellFormed(sum, value.byteSize())).isTrue();
    assertThat(ValueSums.wellFormed(sum, value.byteSize() + (1 << 20))).isFalse();
    assertThat(ValueSums.wellFormed(Checksum.crc32c(3), value.byteSize())).isFalse();
    assertThat(ValueSums.matches(sum, 1 << 20, value.asSlice(1 << 20))).isTrue();
    assertThat(ValueSums.matches(sum, 0, value.asSlice(0, 1 << 20))).isTrue();
    value.asSlice((2 << 20) + 4).fill((byte) 1);
    assertThat(ValueSums.matches(sum, 1 << 20, value.asSlice(1 << 20))).isFalse();
  }
}
