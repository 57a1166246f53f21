package io.moonpool.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How much of a segment can be used under a long life of mixed sizes, with a segment of 4 GiB in
 * granules of 64 bytes.
 */
class FragmentationTest {
  private static final int GRANULE = 64;
  private static final long CAPACITY = (4L << 30) / GRANULE;
  private static final int KIB = 1024 / GRANULE;
  private static final int ROUNDS = 150_000;

  /** What objects a cache may see, in granules. */
  enum Workload {
    /** Blocks of three model configurations. */
    FEW_SIZES(r -> new long[] {64L * KIB, 320L * KIB, 1280L * KIB}[r.nextInt(3)]),
    /** Anything from 4 KiB to 4 MiB, each magnitude as often as any other. */
    LOG_UNIFORM(r -> (long) (4 * KIB * Math.pow(2, 10 * r.nextDouble()))),
    /** Many small objects among large ones that need room in one piece. */
    SMALL_AND_LARGE(
        r -> r.nextInt(8) > 0 ? 4L * KIB + r.nextInt(16 * KIB) : (2048L + r.nextInt(2048)) * KIB);

    final ToLongFunction<Random> size;

    Workload(ToLongFunction<Random> size) {
      this.size = size;
    }
  }

  /** The order in which objects go. */
  enum Leaving {
    OLDEST_FIRST,
    AT_RANDOM
  }

  /** A segment, what is stored in it, and the order in which that goes. */
  private static final class Life {
    private final Workload workload;
    private final Leaving leaving;
    private final Random random = new Random(42);
    private final OffsetAllocator allocator =
        new OffsetAllocator(CAPACITY, new NodeTable(ExtentMemory.ofProcess(), NodeTable.MAX_NODES));
    private final ArrayDeque<Integer> byAge = new ArrayDeque<>();
    private final List<Integer> unordered = new ArrayList<>();

    Life(Workload workload, Leaving leaving) {
      this.workload = workload;
      this.leaving = leaving;
    }

    long nextSize() {
      return workload.size.applyAsLong(random);
    }

    boolean store(long size) {
      int node = allocator.allocate(size);
      if (node == OffsetAllocator.NONE) {
        return false;
      }
      if (leaving == Leaving.OLDEST_FIRST) {
        byAge.add(node);
      } else {
        unordered.add(node);
      }
      return true;
    }

    void letOneGo() {
      if (leaving == Leaving.OLDEST_FIRST) {
        allocator.free(byAge.remove());
      } else {
        Collections.swap(unordered, random.nextInt(unordered.size()), unordered.size() - 1);
        allocator.free(unordered.removeLast());
      }
    }
  }

  static List<Arguments> lives() {
    List<Arguments> lives = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      for (Leaving leaving : Leaving.values()) {
        lives.add(Arguments.of(workload, leaving));
      }
    }
    return lives;
  }

  /**
   * Objects leave as soon as the next one would take the segment above 90 %, as eviction at the
   * default watermark has it: then there must practically always be room in one piece.
   */
  @ParameterizedTest
  @MethodSource("lives")
  void ninetyPercentCanBeUsed(Workload workload, Leaving leaving) {
    Life life = new Life(workload, leaving);
    long limit = CAPACITY / 10 * 9;
    long tried = 0;
    long failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long size = life.nextSize();
      while (life.allocator.used() + size > limit) {
        life.letOneGo();
      }
      boolean stored = life.store(size);
      if (round > ROUNDS / 2) {
        tried++;
        failed += stored ? 0 : 1;
      }
    }
    double failures = (double) failed / tried;
    System.out.printf(
        "fragmentation at 90 %%: %-16s %-13s failed %.5f, largest free at most %d KiB, free %d KiB%n",
        workload,
        leaving,
        failures,
        life.allocator.largestHint() / KIB,
        (CAPACITY - life.allocator.used()) / KIB);
    assertThat(failures).isLessThan(0.001);
    assertThat(life.allocator.used()).isGreaterThan(CAPACITY / 100 * 89);
  }

  /** Objects leave only when an allocation fails: how full does the segment get? */
  @ParameterizedTest
  @MethodSource("lives")
  void littleIsLostWhenFilledToTheBrim(Workload workload, Leaving leaving) {
    Life life = new Life(workload, leaving);
    double sum = 0;
    int samples = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long size = life.nextSize();
      while (!life.store(size)) {
        life.letOneGo();
      }
      if (round > ROUNDS / 2) {
        sum += (double) life.allocator.used() / CAPACITY;
        samples++;
      }
    }
    double used = sum / samples;
    System.out.printf(
        "fragmentation to the brim: %-16s %-13s used %.4f on average%n", workload, leaving, used);
    assertThat(used).isGreaterThan(0.9);
  }
}
