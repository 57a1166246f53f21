package io.moonpool.master.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.floor.FloorMap;
import io.moonpool.master.journal.Floors;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SurvivorCopyTest {
  @Test
  void copiesEverythingInManySteps() {
    FloorMap from = new FloorMap();
    Map<Long, Long> expected = new HashMap<>();
    SplittableRandom random = new SplittableRandom(3);
    int survivors = 100_000;
    for (int i = 1; i <= survivors; i++) {
      long hash = random.nextLong();
      from.raise(hash, i);
      expected.put(hash, (long) i);
    }
    SurvivorCopy copy = new SurvivorCopy(from);
    int before = 0;
    int[] left = new int[1];
    for (boolean done = false; !done; ) {
      left[0] = 2;
      done = copy.step(() -> left[0]-- > 0);
      assertThat(copy.copied().size() - before).as("a step").isLessThan(survivors / 50);
      before = copy.copied().size();
    }
    Floors copied = copy.copied();
    Map<Long, Long> actual = new HashMap<>();
    for (int i = 0; i < copied.size(); i++) {
      actual.put(copied.hash(i), copied.version(i));
    }
    assertThat(actual).isEqualTo(expected);
  }
}
