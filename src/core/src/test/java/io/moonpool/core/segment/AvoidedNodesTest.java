package io.moonpool.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ClientProtocol;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.Reach;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import org.junit.jupiter.api.Test;

/** A writer that could not reach a segment gets none of its node. */
class AvoidedNodesTest {
  private final SegmentTable table = new SegmentTable();
  private final AvoidedNodes avoided = new AvoidedNodes(table);

  private void mount(int slot, long generation, int node) {
    table.apply(
        new SegmentChange.Mounted(
            slot, generation, SegmentKind.MEMORY, SegmentStatus.OK, true, node, 0));
  }

  private void unmount(int slot, long generation) {
    table.apply(new SegmentChange.StatusChanged(slot, generation, SegmentStatus.UNMOUNTING));
    table.apply(new SegmentChange.Unmounted(slot, generation));
  }

  @Test
  void allSegmentsOfTheNodeAreAvoidedAndNoOthers() {
    mount(0, 100, 7);
    mount(1, 101, 8);
    mount(2, 102, 7);
    avoided.of(new long[] {102});
    assertThat(avoided.isAllocatable(0, 100)).isFalse();
    assertThat(avoided.isAllocatable(2, 102)).isFalse();
    assertThat(avoided.isAllocatable(1, 101)).isTrue();
    assertThat(avoided.isAllocatable(1, 99)).as("another mount").isFalse();
    assertThat(table.isAllocatable(0, 100)).as("for others nothing changed").isTrue();

    avoided.of(new long[] {101, 55});
    assertThat(avoided.isAllocatable(0, 100)).isTrue();
    assertThat(avoided.isAllocatable(1, 101)).isFalse();
  }

  @Test
  void aNodeThatMountedAnewIsNotAvoided() {
    mount(0, 100, 7);
    long[] generations = {100};
    assertThat(avoided.of(generations).isAllocatable(0, 100)).isFalse();
    unmount(0, 100);
    mount(0, 103, 7);
    assertThat(avoided.of(generations).isAllocatable(0, 103)).isTrue();
  }

  @Test
  void segmentsOfNobodyKnownStandForThemselves() {
    mount(0, 100, SegmentTable.NO_NODE);
    mount(1, 101, SegmentTable.NO_NODE);
    avoided.of(new long[] {100, SegmentTable.NO_GENERATION});
    assertThat(avoided.isAllocatable(0, 100)).isFalse();
    assertThat(avoided.isAllocatable(1, 101)).isTrue();
  }

  @Test
  void theMemoryOfAllClientsOfMooncakeIsAvoidedAtOnce() {
    Reach[] reaches = Reach.values();
    for (int slot = 0; slot < reaches.length; slot++) {
      table.apply(
          new SegmentChange.Mounted(
              slot,
              100 + slot,
              SegmentKind.MEMORY,
              SegmentStatus.OK,
              true,
              SegmentTable.NO_NODE,
              0,
              reaches[slot]));
    }
    mount(reaches.length, 200, 7);
    avoided.of(new long[] {MooncakeEndpoint.ALL_LENT});
    for (int slot = 0; slot < reaches.length; slot++) {
      assertThat(avoided.isAllocatable(slot, 100 + slot))
          .as(reaches[slot].name())
          .isEqualTo(reaches[slot].owner() == ClientProtocol.MOONPOOL);
    }
    assertThat(avoided.isAllocatable(reaches.length, 200)).isTrue();
    avoided.of(new long[] {MooncakeEndpoint.ALL_LENT, 200});
    assertThat(avoided.isAllocatable(reaches.length, 200)).as("and what is named").isFalse();
    assertThat(avoided.isAllocatable(Reach.BOTH.ordinal(), 100 + Reach.BOTH.ordinal())).isTrue();
  }
}
