package io.moonpool.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Disks among the segments: which node's memory they belong to, and what they take. */
class DiskSegmentsTest {
  private static final UUID NODE = new UUID(1, 1);
  private static final UUID OTHER = new UUID(1, 2);

  private final SegmentRegistry registry = new SegmentRegistry(3, AllocationStrategy.RANDOM);
  private final SegmentTable table = new SegmentTable();

  private static SegmentSpec disk(long id) {
    return new SegmentSpec(
        new UUID(0xD, id), "disk", 1L << 42, "", List.of(), SegmentKind.LOCAL_DISK);
  }

  private long memory(UUID node, long id) {
    SegmentSpec spec = SegmentSpec.memory(new UUID(0xA, id), "m", 1 << 20, "", List.of());
    SegmentUpdate<List<MountResult>> update =
        registry.mount(node, ClientState.ACTIVE, List.of(spec));
    update.changes().forEach(table::apply);
    return update.result().getFirst().generation();
  }

  private MountResult mount(UUID node, SegmentSpec spec, int number) {
    SegmentUpdate<MountResult> update = registry.mountDisk(node, ClientState.ACTIVE, spec, number);
    update.changes().forEach(table::apply);
    return update.result();
  }

  private void unmount(UUID node, SegmentSpec spec, long generation) {
    registry.unmount(node, spec.id()).changes().forEach(table::apply);
    registry.swept(generation).forEach(table::apply);
  }

  @Test
  void memoryFindsTheDiskOfItsNode() {
    memory(NODE, 1);
    memory(OTHER, 2);
    assertThat(table.diskSlotOf(0)).isEqualTo(SegmentTable.NO_SLOT);
    long generation = mount(NODE, disk(1), 11).generation();
    memory(NODE, 3);
    assertThat(table.diskSlotOf(0)).isEqualTo(2);
    assertThat(table.diskSlotOf(1)).as("another node").isEqualTo(SegmentTable.NO_SLOT);
    assertThat(table.diskSlotOf(3)).as("mounted later").isEqualTo(2);
    assertThat(table.slotOfDisk(11)).isEqualTo(2);
    assertThat(table.disk(2)).isEqualTo(11);
    assertThat(table.disk(0)).isZero();
    assertThat(registry.disk(generation)).isEqualTo(11);
    assertThat(registry.kind(generation)).contains(SegmentKind.LOCAL_DISK);
    assertThat(table.isAllocatable(2, generation)).as("nothing is allocated on it").isFalse();
    unmount(NODE, disk(1), generation);
    assertThat(table.diskSlotOf(0)).isEqualTo(SegmentTable.NO_SLOT);
    assertThat(table.slotOfDisk(11)).isEqualTo(SegmentTable.NO_SLOT);
  }

  @Test
  void aDiskThatIsOnItsWayOutIsNotThere() {
    long generation = mount(NODE, disk(1), 11).generation();
    long revision = table.revision();
    registry.unmount(NODE, disk(1).id()).changes().forEach(table::apply);
    assertThat(table.revision()).isGreaterThan(revision);
    assertThat(table.slotOfDisk(11)).isEqualTo(SegmentTable.NO_SLOT);
    assertThat(table.takesReplicas(0, generation)).isFalse();
  }

  @Test
  void offloadsAreTakenWhenTheDiskAndItsNodeAreWell() {
    long generation = mount(NODE, disk(1), 11).generation();
    assertThat(table.takesOffloads(0, generation)).isTrue();
    registry.diskChanged(generation, 5, false).forEach(table::apply);
    assertThat(table.takesOffloads(0, generation)).isFalse();
    assertThat(table.takesReplicas(0, generation)).as("those under way").isTrue();
    assertThat(registry.diskChanged(generation, 5, false)).isEmpty();
    registry.diskChanged(generation, 5, true).forEach(table::apply);
    registry.ownerChanged(NODE, ClientState.SUSPECTED).forEach(table::apply);
    assertThat(table.takesOffloads(0, generation)).isFalse();
    registry.ownerChanged(NODE, ClientState.ACTIVE).forEach(table::apply);
    registry.drain(disk(1).id(), SegmentEvent.DRAIN).changes().forEach(table::apply);
    assertThat(table.takesOffloads(0, generation)).isFalse();
    assertThat(table.takesReplicas(0, generation)).isFalse();
    assertThat(table.status(0)).isEqualTo(SegmentStatus.DRAINING);
  }

  @Test
  void aNodeLendsOneDisk() {
    long generation = mount(NODE, disk(1), 11).generation();
    assertThat(mount(NODE, disk(1), 11).generation()).as("again").isEqualTo(generation);
    assertThat(mount(NODE, disk(2), 12).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(mount(OTHER, disk(1), 11).code()).isEqualTo(ErrorCode.SEGMENT_ALREADY_EXISTS);
    assertThat(mount(OTHER, disk(2), 12).code()).isEqualTo(ErrorCode.OK);
    assertThatIllegalArgumentException().isThrownBy(() -> mount(OTHER, disk(3), 0));
  }
}
