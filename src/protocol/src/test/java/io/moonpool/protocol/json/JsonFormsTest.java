package io.moonpool.protocol.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JsonFormsTest {
  /** Every kind: a new one has to be thought of here. */
  @ParameterizedTest
  @EnumSource(ChecksumKind.class)
  void aChecksumHasAsManyDigitsAsItsKindHasBits(ChecksumKind kind) {
    String value =
        JsonForms.checksum(new Checksum(kind, kind == ChecksumKind.NONE ? 0 : 0xABC, new int[0]))
            .getString("value");
    switch (kind) {
      case NONE -> assertThat(value).isNull();
      case CRC32C, MANIFEST -> assertThat(value).isEqualTo("00000abc");
      case OPAQUE -> assertThat(value).isEqualTo("0000000000000abc");
    }
  }

  @Test
  void aChecksumWithItsHighestBitSetHasNoSign() {
    Checksum checksum = new Checksum(ChecksumKind.MANIFEST, 0xFEDC_BA98L, new int[] {-1});
    assertThat(JsonForms.checksum(checksum).getString("value")).isEqualTo("fedcba98");
    assertThat(JsonForms.checksum(checksum).getJsonArray("blocks").getString(0))
        .isEqualTo("ffffffff");
  }
}
