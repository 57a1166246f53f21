package io.moonpool.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetAllocatorTest {
  /** Probes, one extent out of its bin, its rest into one. */
  private static final long MAX_ALLOCATE_STEPS = OffsetAllocator.PROBES + 2;

  /** Two neighbours out of their bins, the merged extent into one. */
  private static final long MAX_FREE_STEPS = 3;

  private static OffsetAllocator allocator(long capacity) {
    return new OffsetAllocator(
        capacity, new NodeTable(ExtentMemory.ofProcess(), NodeTable.MAX_NODES));
  }

  /** Every granule belongs to exactly one extent, and free extents never touch. */
  private static void checkWhole(OffsetAllocator allocator, NodeTable nodes, int anyNode) {
    int node = anyNode;
    while (nodes.previous(node) != NodeTable.NONE) {
      node = nodes.previous(node);
    }
    assertThat(nodes.offset(node)).isZero();
    long used = 0;
    long at = 0;
    boolean lastFree = false;
    int previous = NodeTable.NONE;
    while (node != NodeTable.NONE) {
      assertThat(nodes.offset(node)).isEqualTo(at);
      assertThat(nodes.previous(node)).isEqualTo(previous);
      boolean free = nodes.isFree(node);
      assertThat(free && lastFree).as("two free extents touch at " + at).isFalse();
      used += free ? 0 : allocator.length(node);
      at += allocator.length(node);
      lastFree = free;
      previous = node;
      node = nodes.next(node);
    }
    assertThat(at).isEqualTo(allocator.capacity());
    assertThat(used).isEqualTo(allocator.used());
  }

  @Test
  void takesExactlyWhatWasAskedFor() {
    OffsetAllocator allocator = allocator(1000);
    int first = allocator.allocate(333);
    int second = allocator.allocate(667);
    assertThat(allocator.length(first)).isEqualTo(333);
    assertThat(allocator.length(second)).isEqualTo(667);
    assertThat(allocator.used()).isEqualTo(1000);
    assertThat(allocator.largestHint()).isZero();
    assertThat(allocator.allocate(1)).isEqualTo(OffsetAllocator.NONE);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 31, 32, 33, 1023, 1 << 20, (1L << 32) - 1, 1L << 32})
  void takesAllAtOnceAndGivesAllBack(long capacity) {
    OffsetAllocator allocator = allocator(capacity);
    for (int i = 0; i < 3; i++) {
      assertThat(allocator.largestHint()).isEqualTo(capacity);
      int whole = allocator.allocate(capacity);
      assertThat(allocator.offset(whole)).isZero();
      assertThat(allocator.length(whole)).isEqualTo(capacity);
      assertThat(allocator.allocate(1)).isEqualTo(OffsetAllocator.NONE);
      assertThat(allocator.free(whole)).isEqualTo(capacity);
      assertThat(allocator.used()).isZero();
    }
    assertThat(allocator.allocate(capacity + 1)).isEqualTo(OffsetAllocator.NONE);
  }

  @Test
  void reachesTheEndOfTheLargestRange() {
    OffsetAllocator allocator = allocator(OffsetAllocator.MAX_CAPACITY);
    int low = allocator.allocate(3_000_000_000L);
    int high = allocator.allocate(OffsetAllocator.MAX_CAPACITY - 3_000_000_001L);
    int last = allocator.allocate(1);
    assertThat(allocator.offset(high)).isEqualTo(3_000_000_000L);
    assertThat(allocator.offset(last)).isEqualTo(OffsetAllocator.MAX_CAPACITY - 1);
    allocator.free(low);
    allocator.free(last);
    allocator.free(high);
    assertThat(allocator.allocate(OffsetAllocator.MAX_CAPACITY)).isNotEqualTo(OffsetAllocator.NONE);
  }

  @Test
  void capacityOutOfRangeIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> allocator(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator(OffsetAllocator.MAX_CAPACITY + 1));
  }

  @Test
  void mergesWithBothNeighbours() {
    for (int[] order :
        new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
      OffsetAllocator allocator = allocator(300);
      int[] nodes = {allocator.allocate(100), allocator.allocate(100), allocator.allocate(100)};
      for (int i : order) {
        allocator.free(nodes[i]);
      }
      assertThat(allocator.allocate(300)).isNotEqualTo(OffsetAllocator.NONE);
    }
  }

  @Test
  void prefersTheExactFitOfItsClass() {
    OffsetAllocator allocator = allocator(10_000);
    List<Integer> holes = new ArrayList<>();
    // 1000 to 1003 granules are one class.
    for (long size : new long[] {1003, 1001, 1000, 1002}) {
      holes.add(allocator.allocate(size));
      allocator.allocate(1);
    }
    long exact = allocator.offset(holes.get(1));
    holes.forEach(allocator::free);
    assertThat(allocator.offset(allocator.allocate(1001))).isEqualTo(exact);
  }

  @Test
  void usesExtentsOfTheRequestsOwnClass() {
    OffsetAllocator allocator = allocator(2001);
    int hole = allocator.allocate(1001);
    allocator.allocate(1000);
    allocator.free(hole);
    // A search that rounds the request up to the next class would fail here.
    assertThat(allocator.allocate(1001)).isNotEqualTo(OffsetAllocator.NONE);
  }

  @Test
  void stopsWhenTheNodesAreUsedUp() {
    OffsetAllocator allocator =
        new OffsetAllocator(1000, new NodeTable(ExtentMemory.ofProcess(), 4));
    List<Integer> taken = new ArrayList<>();
    for (int node = allocator.allocate(1);
        node != OffsetAllocator.NONE;
        node = allocator.allocate(1)) {
      taken.add(node);
    }
    assertThat(taken).hasSize(3);
    assertThat(allocator.used()).isEqualTo(3);
    // The rest can still be had as a whole, since that needs no node.
    int rest = allocator.allocate(997);
    assertThat(rest).isNotEqualTo(OffsetAllocator.NONE);
    taken.add(rest);
    taken.forEach(allocator::free);
    assertThat(allocator.used()).isZero();
    assertThat(allocator.allocate(1000)).isNotEqualTo(OffsetAllocator.NONE);
  }

  @Test
  void theHintFallsOnFailureAndRisesOnFree() {
    OffsetAllocator allocator = allocator(2000);
    int hole = allocator.allocate(1001);
    allocator.allocate(999);
    allocator.free(hole);
    assertThat(allocator.largestHint()).isBetween(1005L, 1007L);
    assertThat(allocator.allocate(1005)).isEqualTo(OffsetAllocator.NONE);
    assertThat(allocator.largestHint()).isEqualTo(1004);
    assertThat(allocator.allocate(1001)).isEqualTo(hole);
    assertThat(allocator.largestHint()).isZero();
    allocator.free(hole);
    assertThat(allocator.largestHint()).isGreaterThanOrEqualTo(1001);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void randomLivesAgreeWithAModel(long seed) {
    Random random = new Random(seed);
    long capacity = 1 + random.nextInt(1 << (8 + random.nextInt(14)));
    NodeTable nodes = new NodeTable(ExtentMemory.ofProcess(), NodeTable.MAX_NODES);
    OffsetAllocator allocator = new OffsetAllocator(capacity, nodes);
    TreeMap<Long, Integer> model = new TreeMap<>();
    List<Integer> taken = new ArrayList<>();
    long used = 0;
    for (int i = 0; i < 30_000; i++) {
      boolean filling = i / 3000 % 2 == 0;
      long before = allocator.steps();
      int chunksBefore = nodes.capacity();
      if (taken.isEmpty() || random.nextInt(100) < (filling ? 70 : 35)) {
        long length = 1 + (long) (capacity * Math.pow(random.nextDouble(), 6) / 2);
        int node = allocator.allocate(length);
        assertThat(allocator.steps() - before).isLessThanOrEqualTo(MAX_ALLOCATE_STEPS);
        if (node == OffsetAllocator.NONE) {
          assertThat(allocator.largestHint()).isLessThan(length);
          continue;
        }
        long offset = allocator.offset(node);
        assertThat(allocator.length(node)).isEqualTo(length);
        Map.Entry<Long, Integer> below = model.floorEntry(offset);
        if (below != null) {
          assertThat(below.getKey() + allocator.length(below.getValue()))
              .isLessThanOrEqualTo(offset);
        }
        Long above = model.ceilingKey(offset);
        assertThat(offset + length).isLessThanOrEqualTo(above == null ? capacity : above);
        model.put(offset, node);
        taken.add(node);
        used += length;
      } else {
        int index = random.nextInt(taken.size());
        Collections.swap(taken, index, taken.size() - 1);
        int node = taken.removeLast();
        long offset = allocator.offset(node);
        long length = allocator.length(node);
        assertThat(allocator.free(node)).isEqualTo(length);
        assertThat(allocator.steps() - before).isLessThanOrEqualTo(MAX_FREE_STEPS);
        assertThat(model.remove(offset)).isEqualTo(node);
        used -= length;
      }
      assertThat(nodes.capacity() - chunksBefore).isLessThanOrEqualTo(NodeTable.CHUNK_NODES);
      assertThat(allocator.used()).isEqualTo(used);
      if (i % 500 == 0 && !taken.isEmpty()) {
        checkWhole(allocator, nodes, taken.getFirst());
      }
    }
    Collections.shuffle(taken, random);
    taken.forEach(allocator::free);
    assertThat(allocator.used()).isZero();
    int whole = allocator.allocate(capacity);
    assertThat(whole).isNotEqualTo(OffsetAllocator.NONE);
    assertThat(allocator.length(whole)).isEqualTo(capacity);
  }

  @Test
  void nodesAreUsedAgain() {
    NodeTable nodes = new NodeTable(ExtentMemory.ofProcess(), NodeTable.MAX_NODES);
    OffsetAllocator allocator = new OffsetAllocator(1 << 20, nodes);
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      int node = allocator.allocate(1 + i % 50);
      seen.add(node);
      allocator.free(node);
    }
    assertThat(seen).hasSizeLessThan(5);
    assertThat(nodes.capacity()).isEqualTo(NodeTable.CHUNK_NODES);
  }

  @Test
  void theTableGrowsByChunks() {
    NodeTable nodes = new NodeTable(ExtentMemory.ofProcess(), NodeTable.MAX_NODES);
    int count = NodeTable.CHUNK_NODES * 600;
    for (int i = 0; i < count; i++) {
      assertThat(nodes.take()).isEqualTo(i);
      nodes.setOffset(i, i * 4L);
      nodes.setAllocated(i);
    }
    for (int i = 0; i < count; i += 997) {
      assertThat(nodes.offset(i)).isEqualTo(i * 4L);
    }
    assertThat(nodes.capacity()).isEqualTo(count);
    assertThat(nodes.claimForRelease(count - 1, (count - 1) * 4L)).isTrue();
    assertThat(nodes.claimForRelease(count - 1, (count - 1) * 4L)).isFalse();
    assertThat(nodes.claimForRelease(0, 4)).isFalse();
    assertThat(nodes.claimForRelease(count + NodeTable.CHUNK_NODES, 0)).isFalse();
    assertThat(nodes.claimForRelease(-1, 0)).isFalse();
    assertThat(nodes.claimForRelease(Integer.MAX_VALUE, 0)).isFalse();
  }
}
