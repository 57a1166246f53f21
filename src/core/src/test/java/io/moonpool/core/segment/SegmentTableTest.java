package io.moonpool.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.moonpool.core.allocation.AllocatableSegments;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.Reach;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SegmentTableTest {
  private static final long FIRST = (1L << 32) | 1;
  private static final long SECOND = (1L << 32) | 2;

  private final SegmentTable table = new SegmentTable();

  private void mount(int slot, long generation, boolean serving) {
    table.apply(
        new SegmentChange.Mounted(slot, generation, SegmentKind.MEMORY, SegmentStatus.OK, serving));
  }

  @Test
  void anEmptyTableKnowsNothing() {
    assertThat(table.isLive(0, FIRST)).isFalse();
    assertThat(table.isServed(0, SegmentTable.NO_GENERATION)).isFalse();
    assertThat(table.isLive(-1, FIRST)).isFalse();
    assertThat(table.generation(1000)).isEqualTo(SegmentTable.NO_GENERATION);
    assertThat(table.status(3)).isEqualTo(SegmentStatus.UNDEFINED);
    assertThatIllegalArgumentException().isThrownBy(() -> table.kind(0));
  }

  @ParameterizedTest
  @EnumSource(value = SegmentStatus.class, names = "UNDEFINED", mode = EnumSource.Mode.EXCLUDE)
  void answersFollowStatusAndOwner(SegmentStatus status) {
    mount(2, FIRST, true);
    table.apply(new SegmentChange.StatusChanged(2, FIRST, status));
    boolean live = status != SegmentStatus.UNMOUNTING;
    assertThat(table.status(2)).isEqualTo(status);
    assertThat(table.isLive(2, FIRST)).isEqualTo(live);
    assertThat(table.isServed(2, FIRST)).isEqualTo(live);
    assertThat(table.isAllocatable(2, FIRST)).isEqualTo(status == SegmentStatus.OK);

    table.apply(new SegmentChange.ServingChanged(2, FIRST, false));
    assertThat(table.isLive(2, FIRST)).isEqualTo(live);
    assertThat(table.isServed(2, FIRST)).isFalse();
    assertThat(table.isAllocatable(2, FIRST)).isFalse();

    table.apply(new SegmentChange.ServingChanged(2, FIRST, true));
    assertThat(table.isServed(2, FIRST)).isEqualTo(live);
  }

  @Test
  void aStatusChangeKeepsTheOwnersState() {
    mount(0, FIRST, false);
    table.apply(new SegmentChange.StatusChanged(0, FIRST, SegmentStatus.DRAINING));
    table.apply(new SegmentChange.StatusChanged(0, FIRST, SegmentStatus.OK));
    assertThat(table.isServed(0, FIRST)).isFalse();
    assertThat(table.isAllocatable(0, FIRST)).isFalse();
  }

  @Test
  void aSlotIsUsedAgainUnderAnotherGeneration() {
    mount(0, FIRST, true);
    table.apply(new SegmentChange.StatusChanged(0, FIRST, SegmentStatus.UNMOUNTING));
    table.apply(new SegmentChange.Unmounted(0, FIRST));
    assertThat(table.mounted()).isZero();
    assertThat(table.isLive(0, FIRST)).isFalse();

    mount(0, SECOND, true);
    assertThat(table.isServed(0, FIRST)).isFalse();
    assertThat(table.isServed(0, SECOND)).isTrue();
    assertThat(table.generation(0)).isEqualTo(SECOND);
  }

  @Test
  void aDiskSegmentServesButIsNotAllocatedIn() {
    table.apply(
        new SegmentChange.Mounted(1, FIRST, SegmentKind.LOCAL_DISK, SegmentStatus.OK, true));
    assertThat(table.kind(1)).isEqualTo(SegmentKind.LOCAL_DISK);
    assertThat(table.isServed(1, FIRST)).isTrue();
    assertThat(table.isAllocatable(1, FIRST)).isFalse();
  }

  @Test
  void changesOutOfOrderAreRefused() {
    mount(0, FIRST, true);
    assertThatIllegalStateException().isThrownBy(() -> mount(0, SECOND, true));
    assertThatIllegalStateException()
        .isThrownBy(() -> table.apply(new SegmentChange.Unmounted(0, SECOND)));
    assertThatIllegalStateException()
        .isThrownBy(() -> table.apply(new SegmentChange.ServingChanged(7, FIRST, false)));
    assertThatIllegalStateException()
        .isThrownBy(() -> table.apply(new SegmentChange.Unmounted(1, SegmentTable.NO_GENERATION)));
  }

  @Test
  void growsToDistantSlots() {
    mount(0, FIRST, true);
    mount(1000, SECOND, true);
    assertThat(table.slots()).isEqualTo(1001);
    assertThat(table.mounted()).isEqualTo(2);
    assertThat(table.isServed(0, FIRST)).isTrue();
    assertThat(table.isServed(1000, SECOND)).isTrue();
    assertThat(table.isLive(999, SECOND)).isFalse();
  }

  private void mount(int slot, long generation, Reach reach) {
    table.apply(
        new SegmentChange.Mounted(
            slot, generation, SegmentKind.MEMORY, SegmentStatus.OK, true, slot, 0, reach));
  }

  @Test
  void writersGetWhatTheyCanReach() {
    mount(0, FIRST, Reach.MOONPOOL);
    assertThat(table.reachableBy(ClientProtocol.MOONPOOL)).isSameAs(table);
    mount(1, SECOND, Reach.MOONCAKE);
    mount(2, SECOND + 1, Reach.BOTH);
    AllocatableSegments moonpool = table.reachableBy(ClientProtocol.MOONPOOL);
    assertThat(moonpool.isAllocatable(0, FIRST)).isTrue();
    assertThat(moonpool.isAllocatable(1, SECOND)).isFalse();
    assertThat(moonpool.isAllocatable(2, SECOND + 1)).isTrue();
    AllocatableSegments mooncake = table.reachableBy(ClientProtocol.MOONCAKE);
    assertThat(mooncake.isAllocatable(0, FIRST)).isFalse();
    assertThat(mooncake.isAllocatable(1, SECOND)).isTrue();
    assertThat(mooncake.isAllocatable(2, SECOND + 1)).isTrue();
    table.apply(new SegmentChange.StatusChanged(1, SECOND, SegmentStatus.UNMOUNTING));
    assertThat(mooncake.isAllocatable(1, SECOND)).isFalse();
    table.apply(new SegmentChange.Unmounted(1, SECOND));
    assertThat(table.reachableBy(ClientProtocol.MOONPOOL)).isSameAs(table);
  }

  @Test
  void memoryOfMooncakesClientsThatIsReachedByTcpIsForAll() {
    mount(0, FIRST, Reach.MOONCAKE_TCP);
    for (ClientProtocol protocol : ClientProtocol.values()) {
      assertThat(table.reachableBy(protocol)).isSameAs(table);
    }
    mount(1, SECOND, Reach.MOONCAKE);
    assertThat(table.reachableBy(ClientProtocol.MOONPOOL).isAllocatable(0, FIRST)).isTrue();
    assertThat(new AvoidedNodes(table).of(new long[] {SECOND}).isAllocatable(0, FIRST)).isTrue();
    assertThat(new AvoidedNodes(table).of(new long[] {FIRST}).isAllocatable(0, FIRST)).isFalse();
  }
}
