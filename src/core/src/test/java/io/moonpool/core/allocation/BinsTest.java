package io.moonpool.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinsTest {
  private static final long LARGEST = 1L << 32;

  @Test
  void classesAreOrderedAndNarrow() {
    int last = Bins.of(1);
    for (long size = 1; size <= LARGEST; size += 1 + size / 97) {
      int bin = Bins.of(size);
      assertThat(bin).isBetween(last, last + 2);
      assertThat(Bins.floor(bin)).isLessThanOrEqualTo(size);
      assertThat(Bins.floor(bin + 1)).isGreaterThan(size);
      // A class spans at most 1/32 of its sizes.
      assertThat((Bins.floor(bin + 1) - Bins.floor(bin) - 1) * 32).isLessThanOrEqualTo(size);
      assertThat(Bins.of(Bins.floor(bin))).isEqualTo(bin);
      last = bin;
    }
    assertThat(Bins.floor(Bins.of(LARGEST))).isEqualTo(LARGEST);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsWhatASortedSetFinds(long seed) {
    Random random = new Random(seed);
    Bins bins = new Bins();
    TreeSet<Integer> model = new TreeSet<>();
    assertThat(bins.highest()).isEqualTo(Bins.NONE);
    for (int i = 0; i < 20_000; i++) {
      int bin = random.nextInt(Bins.of(LARGEST) + 1);
      if (random.nextInt(10) < (i / 1000 % 2 == 0 ? 7 : 3)) {
        bins.setHead(bin, i);
        model.add(bin);
        assertThat(bins.head(bin)).isEqualTo(i);
      } else {
        bins.setHead(bin, NodeTable.NONE);
        model.remove(bin);
      }
      int from = random.nextInt(Bins.of(LARGEST) + 1);
      Integer higher = model.higher(from);
      assertThat(bins.above(from)).isEqualTo(higher == null ? Bins.NONE : higher);
      assertThat(bins.highest()).isEqualTo(model.isEmpty() ? Bins.NONE : model.last());
    }
  }

  @Test
  void nothingIsAboveTheLastClass() {
    Bins bins = new Bins();
    bins.setHead(Bins.of(LARGEST), 5);
    assertThat(bins.above(Bins.of(LARGEST))).isEqualTo(Bins.NONE);
    assertThat(bins.above(Bins.of(LARGEST) + 31)).isEqualTo(Bins.NONE);
    assertThat(bins.above(0)).isEqualTo(Bins.of(LARGEST));
  }
}
