package io.moonpool.model.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "1KiB, 1024",
    "64k, 64000",
    "1.5 GiB, 1610612736",
    "2GB, 2000000000",
    "4gib, 4294967296",
    "1TiB, 1099511627776",
    "12b, 12"
  })
  void readsWhatPeopleWrite(String text, long bytes) {
    assertThat(ByteSizes.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GiB", "-1", "1 PiB", "1.5", "1iB", "four", "9999999999999999TiB"})
  void refusesTheRest(String text) {
    assertThatThrownBy(() -> ByteSizes.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void formatsExactly() {
    assertThat(ByteSizes.format(64L << 20)).isEqualTo("64MiB");
    assertThat(ByteSizes.format(1_000)).isEqualTo("1000");
    assertThat(ByteSizes.format(0)).isEqualTo("0");
  }
}
