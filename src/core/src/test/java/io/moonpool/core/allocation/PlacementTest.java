package io.moonpool.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SoftPinAction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlacementTest {
  private static final long MIB = 1L << 20;
  private static final AllocatableSegments ALL = (slot, generation) -> true;

  private final PoolUsage usage = new PoolUsage();
  private final List<PlacementSegment> mounted = new ArrayList<>();
  private final ExtentList out = new ExtentList();
  private final Random random = new Random(4711);

  private SegmentAllocator mount(String name, String host, long size, boolean allocatable) {
    int slot = mounted.size();
    SegmentAllocator allocator = new SegmentAllocator(slot, 100 + slot, size, usage);
    allocator.setCounted(allocatable);
    mounted.add(new PlacementSegment(allocator, name, host, allocatable));
    return allocator;
  }

  private SegmentAllocator reluctant(String name, String host, long size, double weight) {
    SegmentAllocator allocator = mount(name, host, size, true);
    PlacementSegment willing = mounted.removeLast();
    mounted.add(
        new PlacementSegment(
            willing.allocator(), willing.name(), willing.hostId(), willing.allocatable(), weight));
    return allocator;
  }

  private SegmentAllocator mount(String name, long size) {
    return mount(name, "", size, true);
  }

  private Placement placement(AllocationStrategy strategy) {
    return Placement.of(strategy, mounted);
  }

  private static ReplicateConfig config(int replicas, String host, String... preferred) {
    return new ReplicateConfig(
        replicas,
        SoftPinAction.PRESERVE,
        OptionalLong.empty(),
        false,
        List.of(preferred),
        false,
        ObjectDataType.UNKNOWN,
        host,
        List.of());
  }

  private AllocationResult allocate(Placement placement, ReplicateConfig config, long size) {
    return placement.allocate(config, size, random.nextLong(), random.nextLong(), ALL, out);
  }

  /** The names that the extents in {@link #out} are on, in order. */
  private List<String> names() {
    return IntStream.range(0, out.size()).mapToObj(i -> mounted.get(out.slot(i)).name()).toList();
  }

  private static void fill(SegmentAllocator allocator) {
    assertThat(allocator.tryAllocate(allocator.capacityBytes(), new ExtentList()))
        .isEqualTo(SegmentAllocator.Attempt.ALLOCATED);
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void withoutSegmentsThereIsNoHandle(AllocationStrategy strategy) {
    for (ReplicateConfig config : List.of(config(1, ""), config(1, "h", "a"))) {
      AllocationResult result = allocate(placement(strategy), config, 100);
      assertThat(result).isEqualTo(AllocationResult.NO_SEGMENT);
      assertThat(result.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
      assertThat(result.evictionHelps()).isFalse();
    }
    assertThat(out.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void sizeAndReplicasMustBePositive(AllocationStrategy strategy) {
    mount("a", MIB);
    assertThat(allocate(placement(strategy), config(1, ""), 0).code())
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(allocate(placement(strategy), config(1, ""), -5).code())
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(allocate(placement(strategy), config(0, ""), 100).code())
        .isEqualTo(ErrorCode.INVALID_PARAMS);
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void preferredSegmentsComeFirstInTheirOrder(AllocationStrategy strategy) {
    for (String name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
      mount(name, MIB);
    }
    for (int i = 0; i < 50; i++) {
      out.clear();
      allocate(placement(strategy), config(2, "", "unknown", "f", "c"), 100);
      assertThat(names()).containsExactly("f", "c");
    }
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void aFullPreferredSegmentIsReplacedByAnother(AllocationStrategy strategy) {
    fill(mount("a", MIB));
    mount("b", MIB);
    assertThat(allocate(placement(strategy), config(1, "", "a"), 100))
        .isEqualTo(AllocationResult.ALLOCATED);
    assertThat(names()).containsExactly("b");
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void replicasGoToDifferentNames(AllocationStrategy strategy) {
    for (int i = 0; i < 20; i++) {
      mount("name" + i, MIB);
      mount("name" + i, MIB);
    }
    for (int i = 0; i < 50; i++) {
      out.clear();
      assertThat(allocate(placement(strategy), config(10, "", "name3", "name3"), 100))
          .isEqualTo(AllocationResult.ALLOCATED);
      assertThat(names()).hasSize(10).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void fewerReplicasAreBetterThanNone(AllocationStrategy strategy) {
    mount("a", MIB);
    mount("b", MIB);
    fill(mount("c", MIB));
    assertThat(allocate(placement(strategy), config(Integer.MAX_VALUE, ""), 100))
        .isEqualTo(AllocationResult.ALLOCATED);
    assertThat(names()).containsExactlyInAnyOrder("a", "b");
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void whenAllAreFullEvictionHelps(AllocationStrategy strategy) {
    fill(mount("a", MIB));
    fill(mount("b", MIB));
    AllocationResult result = allocate(placement(strategy), config(3, "h", "a"), 100);
    assertThat(result).isEqualTo(AllocationResult.FULL);
    assertThat(result.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(result.evictionHelps()).isTrue();
    assertThat(out.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void whenTheObjectIsLargerThanEverySegmentEvictionIsUseless(AllocationStrategy strategy) {
    fill(mount("a", MIB));
    AllocationResult result = allocate(placement(strategy), config(1, ""), MIB + 1);
    assertThat(result).isEqualTo(AllocationResult.NO_SEGMENT);
    assertThat(allocate(placement(strategy), config(1, ""), Long.MAX_VALUE))
        .isEqualTo(AllocationResult.NO_SEGMENT);
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void onlyWhatTheLoopKnowsIsUsed(AllocationStrategy strategy) {
    mount("a", MIB);
    mount("a", MIB);
    mount("b", MIB);
    for (int i = 0; i < 50; i++) {
      out.clear();
      placement(strategy)
          .allocate(
              config(2, "", "a"),
              100,
              random.nextLong(),
              random.nextLong(),
              (slot, generation) -> slot == 1 && generation == 101,
              out);
      assertThat(out.size()).isEqualTo(1);
      assertThat(out.slot(0)).isEqualTo(1);
    }
    AllocationResult none =
        placement(strategy).allocate(config(1, ""), 100, 0, 0, (slot, generation) -> false, out);
    assertThat(none).isEqualTo(AllocationResult.NO_SEGMENT);
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void segmentsThatTakeNoObjectsStillTakeExtentsBack(AllocationStrategy strategy) {
    SegmentAllocator draining = mount("a", "", MIB, false);
    draining.tryAllocate(100, out);
    Placement placement = placement(strategy);
    assertThat(allocate(placement, config(1, "", "a"), 100)).isEqualTo(AllocationResult.NO_SEGMENT);
    placement.freeFrom(out, 0);
    assertThat(draining.usedBytes()).isZero();
  }

  @Test
  void extentsOfEarlierMountsAreIgnored() {
    SegmentAllocator allocator = mount("a", MIB);
    allocate(placement(AllocationStrategy.RANDOM), config(1, ""), 100);
    Placement placement = placement(AllocationStrategy.RANDOM);
    placement.free(0, 99, out.offsetUnits(0), out.node(0));
    placement.free(7, 100, out.offsetUnits(0), out.node(0));
    placement.free(-1, 100, out.offsetUnits(0), out.node(0));
    assertThat(allocator.usedBytes()).isEqualTo(128);
    placement.free(0, 100, out.offsetUnits(0), out.node(0));
    assertThat(allocator.usedBytes()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> placement.free(0, 100, out.offsetUnits(0), out.node(0)));
  }

  @Test
  void randomUsesAllSegmentsEvenly() {
    for (int i = 0; i < 10; i++) {
      mount("name" + i, MIB);
    }
    Placement placement = placement(AllocationStrategy.RANDOM);
    for (int i = 0; i < 10_000; i++) {
      allocate(placement, config(1, ""), 64);
    }
    for (PlacementSegment segment : mounted) {
      assertThat(segment.allocator().usedBytes() / 64).isBetween(800L, 1200L);
    }
  }

  @Test
  void aReluctantSegmentTakesItsPartOfItsShareAndItsNeighboursTheSame() {
    for (int i = 0; i < 9; i++) {
      mount("name" + i, "host" + i, MIB, true);
    }
    SegmentAllocator joined = reluctant("name5-joined", "host", MIB, 0.25);
    Placement placement = placement(AllocationStrategy.RANDOM);
    int objects = 20_000;
    for (int i = 0; i < objects; i++) {
      assertThat(allocate(placement, config(1, ""), 64)).isEqualTo(AllocationResult.ALLOCATED);
    }
    // A quarter of a share where the others have a whole one.
    double share = objects / 9.25;
    assertThat(joined.usedBytes() / 64.0).isBetween(share * 0.25 * 0.85, share * 0.25 * 1.15);
    for (PlacementSegment segment : mounted.subList(0, 9)) {
      assertThat(segment.allocator().usedBytes() / 64.0).isBetween(share * 0.9, share * 1.1);
    }
  }

  @Test
  void theEmptiestIsNotSwampedWhileItIsReluctant() {
    for (int i = 0; i < 5; i++) {
      SegmentAllocator full = mount("name" + i, MIB);
      assertThat(full.tryAllocate(MIB / 2, new ExtentList()))
          .isEqualTo(SegmentAllocator.Attempt.ALLOCATED);
    }
    SegmentAllocator joined = reluctant("joined", "", MIB, 0.1);
    Placement placement = placement(AllocationStrategy.FREE_RATIO_FIRST);
    for (int i = 0; i < 2_000; i++) {
      allocate(placement, config(1, ""), 64);
    }
    assertThat(joined.usedBytes() / 64).isBetween(140L, 260L);
  }

  @Test
  void aLocalSegmentThatIsReluctantLeavesToOtherHostsWhatItPassesOn() {
    SegmentAllocator joined = reluctant("joined", "here", MIB, 0.25);
    SegmentAllocator other = mount("other", "there", MIB, true);
    Placement placement = placement(AllocationStrategy.LOCAL_FIRST);
    for (int i = 0; i < 4_000; i++) {
      allocate(placement, config(1, "here"), 64);
    }
    assertThat(joined.usedBytes() / 64).isBetween(800L, 1_200L);
    assertThat(other.usedBytes() / 64).isBetween(2_800L, 3_200L);
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void whoeverIsReluctantTakesWhatNobodyElseHasRoomFor(AllocationStrategy strategy) {
    fill(mount("full", "h", MIB, true));
    SegmentAllocator joined = reluctant("joined", "h", MIB, 0.01);
    for (int i = 0; i < 16; i++) {
      assertThat(allocate(placement(strategy), config(1, "h"), MIB / 16))
          .isEqualTo(AllocationResult.ALLOCATED);
    }
    assertThat(joined.usedBytes()).isEqualTo(MIB);
    assertThat(allocate(placement(strategy), config(1, "h"), 64)).isEqualTo(AllocationResult.FULL);
  }

  @ParameterizedTest
  @EnumSource(AllocationStrategy.class)
  void aSecondReplicaAndAPreferenceGoToReluctantSegmentsToo(AllocationStrategy strategy) {
    mount("a", MIB);
    reluctant("joined", "", MIB, 0.01);
    for (int i = 0; i < 20; i++) {
      out.clear();
      allocate(placement(strategy), config(2, ""), 64);
      assertThat(names()).containsExactlyInAnyOrder("a", "joined");
      out.clear();
      allocate(placement(strategy), config(1, "", "joined"), 64);
      assertThat(names()).containsExactly("joined");
    }
  }

  @Test
  void whenAllAreReluctantNoneIs() {
    SegmentAllocator first = reluctant("a", "", MIB, 0.05);
    SegmentAllocator second = reluctant("b", "", MIB, 0.05);
    Placement placement = placement(AllocationStrategy.RANDOM);
    for (int i = 0; i < 4_000; i++) {
      allocate(placement, config(1, ""), 64);
    }
    assertThat(first.usedBytes() / 64).isBetween(1_800L, 2_200L);
    assertThat(second.usedBytes() / 64).isBetween(1_800L, 2_200L);
  }

  @Test
  void aWeightIsAboveZeroAndAtMostOne() {
    for (double weight : new double[] {0, -1, 1.01, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reluctant("a", "", MIB, weight))
          .withMessageContaining("weight");
      mounted.clear();
    }
  }

  @Test
  void segmentsOfOneNameShareTheLoad() {
    for (int i = 0; i < 4; i++) {
      mount("same", MIB);
    }
    Placement placement = placement(AllocationStrategy.RANDOM);
    for (int i = 0; i < 4 * 16; i++) {
      assertThat(allocate(placement, config(1, ""), MIB / 16))
          .isEqualTo(AllocationResult.ALLOCATED);
    }
    assertThat(usage.usedRatio()).isEqualTo(1.0);
    assertThat(allocate(placement, config(1, ""), 1)).isEqualTo(AllocationResult.FULL);
  }

  @Test
  void theLastSegmentWithRoomIsFoundAmongManyFullOnes() {
    for (int i = 0; i < 800; i++) {
      SegmentAllocator allocator = mount("name" + i, 4096);
      if (i != 137) {
        fill(allocator);
      }
    }
    for (AllocationStrategy strategy : AllocationStrategy.values()) {
      out.clear();
      assertThat(allocate(placement(strategy), config(1, "h"), 64))
          .isEqualTo(AllocationResult.ALLOCATED);
      assertThat(names()).containsExactly("name137");
    }
  }

  @Test
  void freeRatioFirstEvensOutSegmentsOfDifferentSizes() {
    for (int i = 0; i < 8; i++) {
      mount("name" + i, MIB * (1L << (i % 4)));
    }
    Placement placement = placement(AllocationStrategy.FREE_RATIO_FIRST);
    while (usage.usedRatio() < 0.6) {
      allocate(placement, config(1, ""), 4096);
    }
    for (PlacementSegment segment : mounted) {
      double ratio = (double) segment.allocator().usedBytes() / segment.allocator().capacityBytes();
      assertThat(ratio).isBetween(0.5, 0.7);
    }
  }

  @Test
  void localFirstStartsAtTheWritersHost() {
    mount("a1", "host-a", MIB, true);
    mount("b1", "host-b", MIB, true);
    SegmentAllocator c1 = mount("c1", "host-c", MIB, true);
    SegmentAllocator c2 = mount("c2", "host-c", MIB, true);
    Placement placement = placement(AllocationStrategy.LOCAL_FIRST);
    for (int i = 0; i < 20; i++) {
      out.clear();
      allocate(placement, config(1, "host-c"), 100);
      assertThat(names().getFirst()).startsWith("c");
    }
    // A preference of the request goes before the host.
    out.clear();
    allocate(placement, config(1, "host-c", "b1"), 100);
    assertThat(names()).containsExactly("b1");
    // The local host is full: the next one in order, after the last the first.
    fillRest(c1);
    fillRest(c2);
    out.clear();
    allocate(placement, config(1, "host-c"), 100);
    assertThat(names()).containsExactly("a1");
    // A host without segments: the next greater one.
    out.clear();
    allocate(placement, config(1, "host-aa"), 100);
    assertThat(names()).containsExactly("b1");
  }

  private static void fillRest(SegmentAllocator allocator) {
    ExtentList rest = new ExtentList();
    while (allocator.tryAllocate(64, rest) == SegmentAllocator.Attempt.ALLOCATED) {
      assertThat(rest.size()).isLessThan(1 << 20);
    }
  }

  @Test
  void localFirstRotatesWithinAHostByKey() {
    for (int i = 0; i < 4; i++) {
      mount("s" + i, "h", MIB, true);
    }
    Placement placement = placement(AllocationStrategy.LOCAL_FIRST);
    for (long hash : new long[] {0, 1, 2, 3, 4, -1, Long.MIN_VALUE}) {
      out.clear();
      placement.allocate(config(1, "h"), 100, hash, random.nextLong(), ALL, out);
      assertThat(names()).containsExactly("s" + Math.floorMod(hash, 4L));
    }
  }

  @Test
  void localFirstIsForSingleReplicasOfKnownHosts() {
    mount("a", "host-a", MIB, true);
    mount("b", "host-b", MIB, true);
    Placement placement = placement(AllocationStrategy.LOCAL_FIRST);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      out.clear();
      allocate(placement, config(1, ""), 100);
      seen.addAll(names());
    }
    assertThat(seen).containsExactlyInAnyOrder("a", "b");
    out.clear();
    allocate(placement, config(2, "host-b"), 100);
    assertThat(names()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void preferAllocInSameNodeAsksForTheWritersHostUnderEveryStrategy() {
    for (int i = 0; i < 8; i++) {
      mount("s" + i, "host-" + i, MIB, true);
    }
    ReplicateConfig config =
        new ReplicateConfig(
            1,
            SoftPinAction.PRESERVE,
            OptionalLong.empty(),
            false,
            List.of(),
            true,
            ObjectDataType.UNKNOWN,
            "host-5",
            List.of());
    for (int i = 0; i < 20; i++) {
      out.clear();
      allocate(placement(AllocationStrategy.RANDOM), config, 100);
      assertThat(names()).containsExactly("s5");
    }
  }

  @Test
  void aTakenLockSendsThePutElsewhere() {
    SegmentAllocator held = mount("a", MIB);
    mount("b", MIB);
    assertThat(held.lock().tryLock()).isTrue();
    Placement placement = placement(AllocationStrategy.RANDOM);
    for (int i = 0; i < 50; i++) {
      out.clear();
      assertThat(allocate(placement, config(1, "", "a"), 100))
          .isEqualTo(AllocationResult.ALLOCATED);
      assertThat(names()).containsExactly("b");
    }
  }

  @Test
  void whenOnlyTakenLocksAreLeftThePutIsBusyNotFull() {
    fill(mount("a", MIB));
    SegmentAllocator held = mount("b", MIB);
    assertThat(held.lock().tryLock()).isTrue();
    Placement placement = placement(AllocationStrategy.RANDOM);
    assertThat(allocate(placement, config(1, ""), 100)).isEqualTo(AllocationResult.BUSY);
    assertThat(out.size()).isZero();
    held.lock().unlock();
    assertThat(allocate(placement, config(1, ""), 100)).isEqualTo(AllocationResult.ALLOCATED);
  }

  @Test
  void manyTakenLocksAreTriedABoundedNumberOfTimes() {
    int[] asked = new int[1];
    for (int i = 0; i < 500; i++) {
      assertThat(mount("name" + i, MIB).lock().tryLock()).isTrue();
    }
    AllocatableSegments counting =
        (slot, generation) -> {
          asked[0]++;
          return true;
        };
    for (AllocationStrategy strategy : AllocationStrategy.values()) {
      asked[0] = 0;
      assertThat(placement(strategy).allocate(config(1, "h"), 100, 0, 0, counting, out))
          .isEqualTo(AllocationResult.BUSY);
      assertThat(asked[0])
          .isLessThanOrEqualTo(
              2 * PlacementWalk.MAX_ATTEMPTS + PlacementWalk.MAX_BUSY * PlacementWalk.BUSY_ROUNDS);
    }
  }

  @Test
  void settleAppliesWhatWasLeftBehind() {
    SegmentAllocator held = mount("a", MIB);
    Placement placement = placement(AllocationStrategy.RANDOM);
    allocate(placement, config(1, ""), 100);
    assertThat(held.lock().tryLock()).isTrue();
    placement.freeFrom(out, 0);
    assertThat(placement.settle()).isTrue();
    held.lock().unlock();
    assertThat(held.usedBytes()).isEqualTo(128);
    assertThat(placement.settle()).isFalse();
    assertThat(held.usedBytes()).isZero();
  }

  @Test
  void theSameInputsGiveTheSameAnswer() {
    for (int i = 0; i < 30; i++) {
      mount("name" + i, "host" + i % 3, MIB, true);
    }
    for (AllocationStrategy strategy : AllocationStrategy.values()) {
      Placement placement = placement(strategy);
      ExtentList again = new ExtentList();
      for (long chance = 0; chance < 20; chance++) {
        out.clear();
        again.clear();
        placement.allocate(config(3, "host1"), 100, chance, chance, ALL, out);
        placement.freeFrom(out, 0);
        placement.allocate(config(3, "host1"), 100, chance, chance, ALL, again);
        placement.freeFrom(again, 0);
        for (int i = 0; i < out.size(); i++) {
          assertThat(again.get(i).slot()).isEqualTo(out.get(i).slot());
        }
      }
    }
  }

  @Test
  void randomLivesLoseNothing() {
    for (int i = 0; i < 9; i++) {
      mount("name" + i % 6, "host" + i % 4, MIB / (1 + i % 3), true);
    }
    for (AllocationStrategy strategy : AllocationStrategy.values()) {
      Placement placement = placement(strategy);
      Map<Integer, ExtentList> objects = new TreeMap<>();
      for (int i = 0; i < 20_000; i++) {
        ExtentList extents = new ExtentList();
        AllocationResult result =
            placement.allocate(
                config(1 + random.nextInt(3), "host" + random.nextInt(5)),
                1 + random.nextInt(20_000),
                random.nextLong(),
                random.nextLong(),
                ALL,
                extents);
        if (result == AllocationResult.ALLOCATED) {
          objects.put(i, extents);
        } else {
          assertThat(result).isEqualTo(AllocationResult.FULL);
        }
        if (objects.size() > 200 + random.nextInt(200)) {
          Integer oldest = objects.keySet().iterator().next();
          placement.freeFrom(objects.remove(oldest), 0);
        }
      }
      objects.values().forEach(extents -> placement.freeFrom(extents, 0));
      assertThat(usage.usedBytes()).isZero();
      for (PlacementSegment segment : mounted) {
        assertThat(segment.allocator().largestFreeBytes())
            .isEqualTo(segment.allocator().capacityBytes());
      }
    }
  }

  @Test
  void strategiesHaveConfigNames() {
    for (AllocationStrategy strategy : AllocationStrategy.values()) {
      assertThat(AllocationStrategy.ofConfigName(strategy.configName())).isEqualTo(strategy);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AllocationStrategy.ofConfigName("best"))
        .withMessageContaining("free_ratio_first");
  }
}
