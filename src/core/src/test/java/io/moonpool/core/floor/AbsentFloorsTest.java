package io.moonpool.core.floor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AbsentFloorsTest {
  private final AbsentFloors floors = new AbsentFloors();

  @Test
  void floorsOnlyRise() {
    assertThat(floors.get(1)).isEqualTo(FloorMap.NONE);
    assertThat(floors.raise(1, 10)).isTrue();
    assertThat(floors.raise(1, 9)).isFalse();
    assertThat(floors.raise(1, 12)).isTrue();
    assertThat(floors.get(1)).isEqualTo(12);
    assertThat(floors.size()).isEqualTo(1);
  }

  @Test
  void whatIsInFrontOfAPositionGoesInSteps() {
    floors.raise(1, 10);
    floors.raise(2, 11);
    long position = floors.end();
    floors.raise(1, 12);
    floors.raise(3, 13);
    int[] steps = {1};
    assertThat(floors.isBefore(position)).isTrue();
    assertThat(floors.trim(position, () -> steps[0]-- > 0)).isFalse();
    assertThat(floors.trim(position, () -> true)).isTrue();
    assertThat(floors.isBefore(position)).isFalse();
    assertThat(floors.get(1)).as("came again later").isEqualTo(12);
    assertThat(floors.get(2)).isEqualTo(FloorMap.NONE);
    assertThat(floors.trim(Long.MAX_VALUE, () -> true)).isTrue();
    assertThat(floors.size()).isZero();
  }

  /** Who went at a position needs the floors from there on, whatever else is forgotten. */
  @Test
  void whatWasNeededFromAPositionOnIsThere() {
    SplittableRandom random = new SplittableRandom(5);
    Map<Long, Long> needed = new HashMap<>();
    long from = floors.end();
    for (int version = 1; version < 200_000; version++) {
      long hash = random.nextInt(random.nextInt(20) == 0 ? 50_000 : 100);
      floors.raise(hash, version);
      needed.put(hash, (long) version);
      if (version % 50_000 == 0) {
        from = floors.end();
        needed.clear();
      }
      if (version % 1000 == 0) {
        floors.trim(from, () -> true);
      }
    }
    needed.forEach((hash, version) -> assertThat(floors.get(hash)).isEqualTo(version));
    List<Long> order = new ArrayList<>();
    floors.forEach(
        (hash, version) -> {
          assertThat(floors.get(hash)).isEqualTo(version);
          order.add(hash);
        });
    assertThat(order).hasSize((int) floors.size()).doesNotHaveDuplicates();
  }

  @Test
  void aQueueGivesBackWhatItWasGiven() {
    LongFifo fifo = new LongFifo();
    SplittableRandom random = new SplittableRandom(6);
    long put = 0;
    long taken = 0;
    for (int i = 0; i < 50_000; i++) {
      if (random.nextInt(100) < (i < 25_000 ? 60 : 40)) {
        fifo.add(put++);
      } else if (!fifo.isEmpty()) {
        if (fifo.size() > 3) {
          assertThat(fifo.peek(3)).isEqualTo(taken + 3);
        }
        assertThat(fifo.poll()).isEqualTo(taken++);
      }
      assertThat(fifo.size()).isEqualTo(put - taken);
      assertThat(fifo.first()).isEqualTo(taken);
      assertThat(fifo.end()).isEqualTo(put);
    }
  }
}
