package io.moonpool.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class ExtentListTest {
  private static Extent extent(int i) {
    return new Extent(i, 1L << 33 | i, ((1L << 34) - 1 - i) * Extent.UNIT, 1000L * i, i * 7);
  }

  @Test
  void keepsWhatWasAdded() {
    ExtentList list = new ExtentList();
    for (int i = 0; i < 100; i++) {
      list.add(extent(i));
    }
    assertThat(list.size()).isEqualTo(100);
    for (int i = 0; i < 100; i++) {
      assertThat(list.get(i)).isEqualTo(extent(i));
      assertThat(list.slot(i)).isEqualTo(extent(i).slot());
      assertThat(list.generation(i)).isEqualTo(extent(i).generation());
      assertThat(list.offsetUnits(i)).isEqualTo(extent(i).offsetUnits());
      assertThat(list.length(i)).isEqualTo(extent(i).length());
      assertThat(list.node(i)).isEqualTo(extent(i).node());
    }
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.slot(100));
    list.clear();
    assertThat(list.size()).isZero();
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.get(0));
  }
}
