package io.moonpool.bench.allocator;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.allocation.Placement;
import io.moonpool.core.allocation.PlacementSegment;
import io.moonpool.core.allocation.PoolUsage;
import io.moonpool.core.allocation.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Fills a segment with objects of mixed sizes, without memory behind it, and replaces them at
 * random: how much of it can be used, and what that costs. Call it on one thread.
 */
public final class AllocatorBench {
  /** The fill at which allocations are timed: what eviction would let a pool reach, and more. */
  static final double FILL = 0.95;

  private static final int SLOT = 0;
  private static final long GENERATION = 1;
  private static final int SPEED_ROUNDS = 20;
  private static final int AT_ONCE = 1_000;

  private final long segmentBytes;
  private final long seed;

  /**
   * A bench.
   *
   * @param segmentBytes of the segment, at least 64 MiB
   * @param seed of what is random; the same seed gives the same utilisation
   */
  public AllocatorBench(long segmentBytes, long seed) {
    if (segmentBytes < 64L << 20) {
      throw new IllegalArgumentException("the segment must have at least 64 MiB");
    }
    this.segmentBytes = segmentBytes;
    this.seed = seed;
  }

  /** Measures one mix. */
  public AllocatorFigure run(SizeMix mix) {
    Pool pool = new Pool(mix, new SplittableRandom(seed));
    pool.fill(1);
    double firstFailure = pool.used();
    double churned = pool.churn();
    pool.freeDownTo(FILL);
    // Twice: the first time is for the compiler.
    pool.speed();
    Speed speed = pool.speed();
    return new AllocatorFigure(
        mix, firstFailure, churned, speed.allocateNanos(), speed.freeNanos());
  }

  private record Speed(double allocateNanos, double freeNanos) {}

  /** The segment and what is stored in it. */
  private final class Pool {
    private final SizeMix mix;
    private final SplittableRandom random;
    private final SegmentAllocator allocator =
        new SegmentAllocator(SLOT, GENERATION, segmentBytes, new PoolUsage());
    private final Placement placement =
        Placement.of(
            AllocationStrategy.RANDOM, List.of(new PlacementSegment(allocator, "bench", "", true)));
    private final ExtentList found = new ExtentList();

    /** Offsets and nodes of what is stored, in no order. */
    private long[] offsets = new long[1024];

    private int[] nodes = new int[1024];
    private int stored;

    Pool(SizeMix mix, SplittableRandom random) {
      this.mix = mix;
      this.random = random;
    }

    double used() {
      return (double) allocator.usedBytes() / segmentBytes;
    }

    private boolean store(long bytes) {
      found.clear();
      AllocationResult result =
          placement.allocateOn(SLOT, GENERATION, bytes, (slot, generation) -> true, found);
      if (result != AllocationResult.ALLOCATED) {
        return false;
      }
      if (stored == offsets.length) {
        offsets = Arrays.copyOf(offsets, stored * 2);
        nodes = Arrays.copyOf(nodes, stored * 2);
      }
      offsets[stored] = found.offsetUnits(0);
      nodes[stored++] = found.node(0);
      return true;
    }

    /** Frees one of them at random. */
    private void freeOne() {
      int chosen = random.nextInt(stored);
      placement.free(SLOT, GENERATION, offsets[chosen], nodes[chosen]);
      offsets[chosen] = offsets[--stored];
      nodes[chosen] = nodes[stored];
    }

    /** Stores until so much is used, or something finds no space. */
    void fill(double part) {
      while (used() < part && store(mix.next(random))) {
        // goes on
      }
    }

    void freeDownTo(double part) {
      while (used() > part) {
        freeOne();
      }
    }

    /**
     * Goes on storing, and frees at random what makes room, until about twice the segment was
     * replaced; answers how full it was on average when something found no space.
     */
    double churn() {
      long failures = 0;
      double fills = 0;
      for (long replaced = 0; replaced < 2 * segmentBytes; ) {
        long bytes = mix.next(random);
        boolean first = true;
        while (!store(bytes)) {
          if (first) {
            failures++;
            fills += used();
            first = false;
          }
          freeOne();
        }
        replaced += bytes;
      }
      return failures == 0 ? used() : fills / failures;
    }

    /** Replaces some at a time at {@link #FILL}, and times both halves. */
    Speed speed() {
      long allocating = 0;
      long allocated = 0;
      long freeing = 0;
      long freed = 0;
      int atOnce = Math.min(AT_ONCE, stored / 4);
      for (int round = 0; round < SPEED_ROUNDS; round++) {
        long start = System.nanoTime();
        for (int i = 0; i < atOnce; i++) {
          freeOne();
        }
        long between = System.nanoTime();
        int before = stored;
        fill(FILL);
        allocating += System.nanoTime() - between;
        freeing += between - start;
        allocated += stored - before;
        freed += atOnce;
      }
      return new Speed(
          (double) allocating / Math.max(1, allocated), (double) freeing / Math.max(1, freed));
    }
  }
}
