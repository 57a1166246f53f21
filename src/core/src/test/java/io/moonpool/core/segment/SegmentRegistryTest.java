package io.moonpool.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.allocation.Extent;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentRegistryTest {
  private static final long EPOCH = 7;
  private static final long MIB = 1L << 20;

  private final SegmentRegistry registry = new SegmentRegistry(EPOCH, AllocationStrategy.RANDOM);
  private final SegmentTable table = new SegmentTable();
  private final UUID node = UUID.randomUUID();
  private final UUID otherNode = UUID.randomUUID();

  private static SegmentSpec spec(String name, long size) {
    return SegmentSpec.memory(
        UUID.randomUUID(),
        name,
        size,
        "host",
        List.of(new SegmentEndpoint("tcp", new byte[] {1, 2})));
  }

  /** Sends the changes to the table, as the segment owner does, and gives the result. */
  private <T> T sent(SegmentUpdate<T> update) {
    update.changes().forEach(table::apply);
    return update.result();
  }

  private List<SegmentChange> sent(List<SegmentChange> changes) {
    changes.forEach(table::apply);
    return changes;
  }

  private long mount(SegmentSpec spec) {
    return mount(node, spec);
  }

  private long mount(UUID owner, SegmentSpec spec) {
    List<MountResult> results = sent(registry.mount(owner, ClientState.ACTIVE, List.of(spec)));
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().message()).isEmpty();
    return results.getFirst().toOutcome().get();
  }

  private MountResult tryMount(UUID owner, SegmentSpec spec) {
    return sent(registry.mount(owner, ClientState.ACTIVE, List.of(spec))).getFirst();
  }

  private SegmentStatus status(SegmentSpec spec) {
    return registry.findById(spec.id()).map(SegmentInfo::status).orElse(SegmentStatus.UNDEFINED);
  }

  private AllocationResult allocate(ExtentList out) {
    return registry.placement().current().allocate(ReplicateConfig.DEFAULT, 4096, 0, 0, table, out);
  }

  @Test
  void mountIsVisibleEverywhere() {
    SegmentSpec spec = spec("a", MIB);
    long generation = mount(spec);
    assertThat(generation >>> 32).isEqualTo(EPOCH);
    assertThat(table.isServed(0, generation)).isTrue();
    assertThat(registry.usage().capacityBytes()).isEqualTo(MIB);
    assertThat(registry.list()).hasSize(1);
    SegmentInfo info = registry.find(generation).orElseThrow();
    assertThat(info.spec()).isEqualTo(spec);
    assertThat(info.nodeId()).isEqualTo(node);
    assertThat(info.status()).isEqualTo(SegmentStatus.OK);
    assertThat(info.ownerState()).isEqualTo(ClientState.ACTIVE);
    assertThat(info.usedBytes()).isZero();

    ExtentList extents = new ExtentList();
    assertThat(allocate(extents)).isEqualTo(AllocationResult.ALLOCATED);
    Extent extent = extents.get(0);
    assertThat(extent.generation()).isEqualTo(generation);
    assertThat(registry.find(generation).orElseThrow().usedBytes()).isEqualTo(4096);
    assertThat(registry.usage().usedBytes()).isEqualTo(4096);
  }

  @Test
  void mountIsIdempotent() {
    SegmentSpec spec = spec("a", MIB);
    long generation = mount(spec);
    SegmentUpdate<List<MountResult>> again =
        registry.mount(node, ClientState.ACTIVE, List.of(spec, spec("b", MIB)));
    assertThat(again.result().getFirst().generation()).isEqualTo(generation);
    assertThat(again.result().get(1).generation()).isNotEqualTo(generation);
    assertThat(again.changes()).hasSize(1);
    assertThat(registry.countOf(node)).isEqualTo(2);
  }

  @Test
  void theSameNameTwiceIsTwoSegments() {
    mount(spec("a", MIB));
    mount(spec("a", MIB));
    assertThat(registry.list()).hasSize(2);
  }

  @Test
  void mountRefusesWhatItCannotUse() {
    SegmentSpec known = spec("a", MIB);
    mount(known);
    assertThat(tryMount(node, spec("", MIB)).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(tryMount(node, SegmentSpec.memory(new UUID(0, 0), "a", MIB, "", List.of())).code())
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(tryMount(node, spec("b", 1023)).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(tryMount(node, spec("b", (1L << 40) + 1)).code())
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(tryMount(node, spec("b", 1L << 40)).code()).isEqualTo(ErrorCode.OK);
    assertThat(tryMount(node, spec("b", 1024)).code()).isEqualTo(ErrorCode.OK);

    MountResult other = tryMount(otherNode, known);
    assertThat(other.code()).isEqualTo(ErrorCode.SEGMENT_ALREADY_EXISTS);
    assertThat(other.message()).contains(node.toString());
    SegmentSpec grown = SegmentSpec.memory(known.id(), "a", 2 * MIB, "host", known.endpoints());
    assertThat(tryMount(node, grown).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(tryMount(node, grown).message()).contains("other properties");
    assertThat(
            registry
                .mount(otherNode, ClientState.OFFLINE, List.of(spec("c", MIB)))
                .result()
                .getFirst()
                .code())
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(registry.countOf(otherNode)).isZero();
  }

  @Test
  void unmountHidesFirstAndForgetsWhenSwept() {
    SegmentSpec spec = spec("a", MIB);
    long generation = mount(spec);
    ExtentList extents = new ExtentList();
    assertThat(allocate(extents)).isEqualTo(AllocationResult.ALLOCATED);

    assertThat(sent(registry.unmount(node, spec.id()))).isEqualTo(ErrorCode.OK);
    assertThat(status(spec)).isEqualTo(SegmentStatus.UNMOUNTING);
    assertThat(table.isServed(0, generation)).isFalse();
    assertThat(registry.usage().capacityBytes()).isZero();
    assertThat(registry.usage().usedBytes()).isZero();
    assertThat(allocate(extents)).isEqualTo(AllocationResult.NO_SEGMENT);
    assertThat(sent(registry.unmount(node, spec.id())))
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    MountResult remount = tryMount(node, spec);
    assertThat(remount.code()).isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);

    sent(registry.swept(generation));
    assertThat(registry.list()).isEmpty();
    assertThat(registry.find(generation)).isEmpty();
    assertThat(registry.countOf(node)).isZero();
    assertThat(table.mounted()).isZero();
    assertThat(sent(registry.unmount(node, spec.id()))).isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
    assertThatIllegalStateException().isThrownBy(() -> registry.swept(generation));

    long again = mount(spec);
    assertThat(again).isGreaterThan(generation);
    assertThat(table.generation(0)).isEqualTo(again);
    // The extent of the first mount may come back late: it must not touch the second one.
    registry.placement().current().freeFrom(extents, 0);
    assertThat(registry.find(again).orElseThrow().usedBytes()).isZero();
  }

  @Test
  void sweptNeedsAnUnmount() {
    long generation = mount(spec("a", MIB));
    assertThatIllegalStateException().isThrownBy(() -> registry.swept(generation));
  }

  @Test
  void onlyTheOwnerUnmounts() {
    SegmentSpec spec = spec("a", MIB);
    mount(spec);
    assertThat(sent(registry.unmount(otherNode, spec.id()))).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(sent(registry.unmountLater(otherNode, spec.id(), 10, 0)))
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(status(spec)).isEqualTo(SegmentStatus.OK);
  }

  @Test
  void gracePeriodKeepsReplicasReadableThenUnmounts() {
    SegmentSpec spec = spec("a", MIB);
    long generation = mount(spec);
    assertThat(registry.nextGraceEndMillis()).isEmpty();
    assertThat(sent(registry.unmountLater(node, spec.id(), 500, 1000))).isEqualTo(ErrorCode.OK);
    assertThat(status(spec)).isEqualTo(SegmentStatus.GRACEFULLY_UNMOUNTING);
    assertThat(table.isServed(0, generation)).isTrue();
    assertThat(table.isAllocatable(0, generation)).isFalse();
    assertThat(allocate(new ExtentList())).isEqualTo(AllocationResult.NO_SEGMENT);
    assertThat(registry.nextGraceEndMillis()).hasValue(1500);

    assertThat(sent(registry.endGrace(1499))).isEmpty();
    assertThat(sent(registry.endGrace(1500)))
        .containsExactly(new SegmentChange.StatusChanged(0, generation, SegmentStatus.UNMOUNTING));
    assertThat(registry.nextGraceEndMillis()).isEmpty();
    assertThat(status(spec)).isEqualTo(SegmentStatus.UNMOUNTING);
  }

  @Test
  void aRepeatedGracePeriodKeepsTheEarlierEnd() {
    SegmentSpec spec = spec("a", MIB);
    mount(spec);
    sent(registry.unmountLater(node, spec.id(), 500, 1000));
    assertThat(sent(registry.unmountLater(node, spec.id(), 5000, 1000))).isEqualTo(ErrorCode.OK);
    assertThat(registry.nextGraceEndMillis()).hasValue(1500);
    sent(registry.unmountLater(node, spec.id(), 100, 1000));
    assertThat(registry.nextGraceEndMillis()).hasValue(1100);
    assertThat(sent(registry.unmountLater(node, spec.id(), -1, 1000)))
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(sent(registry.unmountLater(node, spec.id(), Long.MAX_VALUE, 1000)))
        .isEqualTo(ErrorCode.OK);
    assertThat(registry.nextGraceEndMillis()).hasValue(1100);
  }

  @Test
  void theShorterGracePeriodEndsFirst() {
    SegmentSpec first = spec("a", MIB);
    SegmentSpec second = spec("b", MIB);
    mount(first);
    mount(second);
    sent(registry.unmountLater(node, first.id(), 1000, 0));
    sent(registry.unmountLater(node, second.id(), 10, 0));
    sent(registry.endGrace(10));
    assertThat(status(first)).isEqualTo(SegmentStatus.GRACEFULLY_UNMOUNTING);
    assertThat(status(second)).isEqualTo(SegmentStatus.UNMOUNTING);
    // An unmount in the grace period does not wait for its end, and leaves no deadline behind.
    assertThat(sent(registry.unmount(node, first.id()))).isEqualTo(ErrorCode.OK);
    assertThat(registry.nextGraceEndMillis()).isEmpty();
  }

  @Test
  void drainWithdrawsFromAllocationAndResumeBringsBack() {
    SegmentSpec spec = spec("a", MIB);
    long generation = mount(spec);
    ExtentList extents = new ExtentList();
    allocate(extents);
    assertThat(sent(registry.drain(spec.id(), SegmentEvent.DRAIN))).isEqualTo(ErrorCode.OK);
    assertThat(table.isServed(0, generation)).isTrue();
    assertThat(allocate(extents)).isEqualTo(AllocationResult.NO_SEGMENT);
    assertThat(registry.usage().capacityBytes()).isZero();
    assertThat(sent(registry.drain(spec.id(), SegmentEvent.DRAIN)))
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    // Space comes back also while no new objects are taken.
    registry.placement().current().freeFrom(extents, 0);
    assertThat(registry.find(generation).orElseThrow().usedBytes()).isZero();

    assertThat(sent(registry.drain(spec.id(), SegmentEvent.EMPTIED))).isEqualTo(ErrorCode.OK);
    assertThat(status(spec)).isEqualTo(SegmentStatus.DRAINED);
    assertThat(sent(registry.unmountLater(node, spec.id(), 10, 0)))
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(registry.nextGraceEndMillis()).isEmpty();
    assertThat(sent(registry.drain(spec.id(), SegmentEvent.RESUME))).isEqualTo(ErrorCode.OK);
    assertThat(registry.usage().capacityBytes()).isEqualTo(MIB);
    extents.clear();
    assertThat(allocate(extents)).isEqualTo(AllocationResult.ALLOCATED);

    assertThat(sent(registry.drain(UUID.randomUUID(), SegmentEvent.DRAIN)))
        .isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.drain(spec.id(), SegmentEvent.SWEPT));
  }

  @Test
  void aDrainedSegmentCanBeUnmounted() {
    SegmentSpec spec = spec("a", MIB);
    mount(spec);
    sent(registry.drain(spec.id(), SegmentEvent.DRAIN));
    sent(registry.drain(spec.id(), SegmentEvent.EMPTIED));
    assertThat(sent(registry.unmount(node, spec.id()))).isEqualTo(ErrorCode.OK);
  }

  @Test
  void segmentsFollowTheLivenessOfTheirNode() {
    SegmentSpec spec = spec("a", MIB);
    long generation = mount(spec);
    long others = mount(otherNode, spec("b", MIB));

    sent(registry.ownerChanged(node, ClientState.SUSPECTED));
    assertThat(table.isServed(0, generation)).isFalse();
    assertThat(table.isLive(0, generation)).isTrue();
    assertThat(table.isServed(1, others)).isTrue();
    assertThat(registry.find(generation).orElseThrow().ownerState())
        .isEqualTo(ClientState.SUSPECTED);
    assertThat(registry.usage().capacityBytes()).isEqualTo(MIB);

    assertThat(sent(registry.ownerChanged(node, ClientState.ACTIVE)))
        .containsExactly(new SegmentChange.ServingChanged(0, generation, true));
    assertThat(sent(registry.ownerChanged(node, ClientState.ACTIVE))).isEmpty();
    assertThat(registry.usage().capacityBytes()).isEqualTo(2 * MIB);

    sent(registry.unmountLater(node, spec.id(), 1000, 0));
    sent(registry.ownerChanged(node, ClientState.SUSPECTED));
    sent(registry.ownerChanged(node, ClientState.OFFLINE));
    assertThat(status(spec)).isEqualTo(SegmentStatus.UNMOUNTING);
    assertThat(registry.nextGraceEndMillis()).isEmpty();
    assertThat(table.isServed(1, others)).isTrue();
    assertThat(sent(registry.ownerChanged(UUID.randomUUID(), ClientState.OFFLINE))).isEmpty();

    // The node comes back before its old segment is swept: only new mounts serve.
    long fresh = mount(spec("c", MIB));
    assertThat(sent(registry.ownerChanged(node, ClientState.ACTIVE))).isEmpty();
    assertThat(table.isServed(0, generation)).isFalse();
    assertThat(table.isServed(2, fresh)).isTrue();
  }

  @Test
  void aPutThatRacesAnUnmountGetsNoSpaceThere() {
    SegmentSpec spec = spec("a", MIB);
    long generation = mount(spec);
    var stale = registry.placement().current();
    sent(registry.unmount(node, spec.id()));
    ExtentList extents = new ExtentList();
    assertThat(stale.allocate(ReplicateConfig.DEFAULT, 4096, 0, 0, table, extents))
        .isEqualTo(AllocationResult.NO_SEGMENT);
    sent(registry.swept(generation));
    assertThat(extents.size()).isZero();
  }

  @Test
  void aLoopDoesNotAllocateWhereItHasNotHeardOfTheMount() {
    registry.mount(node, ClientState.ACTIVE, List.of(spec("a", MIB)));
    assertThat(allocate(new ExtentList())).isEqualTo(AllocationResult.NO_SEGMENT);
  }

  @Test
  void epochOutOfRangeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SegmentRegistry(0, AllocationStrategy.RANDOM));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SegmentRegistry(1L << 31, AllocationStrategy.RANDOM));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomLivesKeepTableAndRegistryInStep(long seed) {
    Random random = new Random(seed);
    List<SegmentSpec> specs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      specs.add(spec("name" + i % 5, MIB * (1 + random.nextInt(4))));
    }
    List<UUID> nodes = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
    Set<Long> generations = new HashSet<>();
    for (long now = 0; now < 4000; now++) {
      int pick = random.nextInt(specs.size());
      UUID owner = nodes.get(pick % nodes.size());
      UUID id = specs.get(pick).id();
      long nowMillis = now;
      List<Supplier<Object>> actions =
          List.of(
              () -> sent(registry.mount(owner, ClientState.ACTIVE, List.of(specs.get(pick)))),
              () -> sent(registry.mount(owner, ClientState.SUSPECTED, List.of(specs.get(pick)))),
              () -> sent(registry.unmount(owner, id)),
              () -> sent(registry.unmountLater(owner, id, random.nextInt(50), nowMillis)),
              () -> sent(registry.drain(id, SegmentEvent.DRAIN)),
              () -> sent(registry.drain(id, SegmentEvent.EMPTIED)),
              () -> sent(registry.drain(id, SegmentEvent.RESUME)),
              () -> sent(registry.ownerChanged(owner, ClientState.SUSPECTED)),
              () -> sent(registry.ownerChanged(owner, ClientState.ACTIVE)),
              () -> sent(registry.ownerChanged(owner, ClientState.OFFLINE)),
              () -> sent(registry.endGrace(nowMillis)),
              () -> {
                registry.list().stream()
                    .filter(info -> info.status() == SegmentStatus.UNMOUNTING)
                    .forEach(info -> sent(registry.swept(info.generation())));
                return "";
              });
      actions.get(random.nextInt(actions.size())).get();

      long allocatable = 0;
      for (SegmentInfo info : registry.list()) {
        int slot = -1;
        for (int s = 0; s < table.slots(); s++) {
          slot = table.generation(s) == info.generation() ? s : slot;
        }
        generations.add(info.generation());
        boolean live = info.status() != SegmentStatus.UNMOUNTING;
        boolean active = info.ownerState() == ClientState.ACTIVE;
        assertThat(table.isLive(slot, info.generation())).isEqualTo(live);
        assertThat(table.isServed(slot, info.generation())).isEqualTo(live && active);
        boolean open = info.status() == SegmentStatus.OK && active;
        assertThat(table.isAllocatable(slot, info.generation())).isEqualTo(open);
        allocatable += open ? info.spec().size() : 0;
      }
      assertThat(table.mounted()).isEqualTo(registry.list().size());
      assertThat(table.slots()).isLessThanOrEqualTo(specs.size());
      assertThat(registry.usage().capacityBytes()).isEqualTo(allocatable);
    }
    assertThat(generations).hasSizeGreaterThan(100);
  }

  @Test
  void aSegmentThatJoinsTakesItsShareGradually() {
    SegmentRegistry ramped = new SegmentRegistry(EPOCH, AllocationStrategy.RANDOM, 10_000);
    List<SegmentSpec> specs = List.of(spec("a", MIB), spec("b", MIB), spec("c", MIB));
    ramped.mount(node, ClientState.ACTIVE, specs.subList(0, 2)).changes().forEach(table::apply);
    ramped.rampUp(1_000);
    ramped.rampUp(11_000);
    assertThat(ramped.ramping()).isZero();
    ramped
        .mount(otherNode, ClientState.ACTIVE, specs.subList(2, 3))
        .changes()
        .forEach(table::apply);
    assertThat(ramped.ramping()).isEqualTo(1);
    List<Integer> taken = new ArrayList<>();
    Random random = new Random(1);
    ExtentList out = new ExtentList();
    for (long now = 20_000; now <= 30_000; now += 2_500) {
      ramped.rampUp(now);
      int before = used(ramped, specs.get(2));
      for (int i = 0; i < 1_200; i++) {
        out.clear();
        assertThat(
                ramped
                    .placement()
                    .current()
                    .allocate(ReplicateConfig.DEFAULT, 64, 0, random.nextLong(), table, out))
            .isEqualTo(AllocationResult.ALLOCATED);
      }
      taken.add(used(ramped, specs.get(2)) - before);
    }
    assertThat(taken.getFirst()).isBetween(1, 60);
    for (int i = 1; i < taken.size(); i++) {
      assertThat(taken.get(i)).as("of %s", taken).isGreaterThan(taken.get(i - 1));
    }
    assertThat(taken.getLast()).as("a third").isBetween(330, 470);
    assertThat(ramped.ramping()).isZero();
  }

  private static int used(SegmentRegistry registry, SegmentSpec spec) {
    return (int) (registry.findById(spec.id()).orElseThrow().usedBytes() / 64);
  }

  @Test
  void nothingRampsUpThatWasThereOrGoesOrWhenItIsOff() {
    mount(spec("a", MIB));
    assertThat(registry.ramping()).isZero();
    SegmentRegistry ramped = new SegmentRegistry(EPOCH, AllocationStrategy.RANDOM, 10_000);
    SegmentSpec restored = spec("restored", MIB);
    ramped.restore(node, restored, 5_000);
    ramped.mount(node, ClientState.ACTIVE, List.of(restored));
    assertThat(ramped.ramping()).isZero();
    SegmentSpec joined = spec("joined", MIB);
    long generation =
        ramped
            .mount(otherNode, ClientState.ACTIVE, List.of(joined))
            .result()
            .getFirst()
            .toOutcome()
            .get();
    assertThat(ramped.ramping()).isEqualTo(1);
    ramped.unmount(otherNode, joined.id());
    ramped.swept(generation);
    assertThat(ramped.ramping()).isZero();
    ramped.rampUp(50_000);
  }
}
