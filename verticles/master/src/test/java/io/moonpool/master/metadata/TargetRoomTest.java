package io.moonpool.master.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.index.LaneTarget;
import io.moonpool.core.segment.SegmentMount;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a plan spreads what is to be moved. */
class TargetRoomTest {
  private static LaneTarget target(int slot, long free, long room, boolean makesRoom) {
    return new LaneTarget(new SegmentMount(slot, 100 + slot), free, room, makesRoom);
  }

  private static List<Long> expected(long bytes, LaneTarget... targets) {
    return TargetRoom.spread(bytes, List.of(targets)).stream()
        .map(TargetRoom::expectedBytes)
        .toList();
  }

  @Test
  void byTheRoomThatADrainMayUseAndNotByWhatIsFree() {
    assertThat(expected(90, target(1, 1_000, 100, false), target(2, 200, 200, false)))
        .containsExactly(30L, 60L);
  }

  @Test
  void noMoreThanThereIsRoomWhereNothingIsEvicted() {
    assertThat(expected(900, target(1, 1_000, 100, false), target(2, 200, 200, false)))
        .containsExactly(100L, 200L);
    assertThat(expected(900, target(1, 50, 0, false))).containsExactly(0L);
    assertThat(expected(900)).isEmpty();
  }

  @Test
  void theRestGoesWhereEvictionMakesRoom() {
    assertThat(
            expected(
                1_001,
                target(1, 1_000, 100, false),
                target(2, 100, 100, true),
                target(3, 0, 0, true)))
        .containsExactly(100L, 500L, 401L);
  }
}
