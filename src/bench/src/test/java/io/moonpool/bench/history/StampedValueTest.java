package io.moonpool.bench.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

class StampedValueTest {
  @Test
  void valuesNameTheirWrite() {
    for (long stamp = 1; stamp < 100; stamp++) {
      assertThat(StampedValue.stampOf(Buffer.buffer(StampedValue.of(stamp)))).isEqualTo(stamp);
    }
  }

  @Test
  void mixedValuesAreNoValues() {
    byte[] mixed = StampedValue.of(10);
    System.arraycopy(StampedValue.of(15), 100 % mixed.length, mixed, mixed.length / 2, 8);
    assertThatThrownBy(() -> StampedValue.stampOf(Buffer.buffer(mixed)))
        .hasMessageContaining("wrong at byte");
    assertThatThrownBy(() -> StampedValue.stampOf(Buffer.buffer(new byte[64])))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> StampedValue.stampOf(Buffer.buffer(new byte[3])))
        .isInstanceOf(IllegalStateException.class);
  }
}
