package io.moonpool.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.moonpool.core.allocation.SegmentAllocator.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentAllocatorTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  /** One allocation: probes, one extent out of its bin, one in. */
  private static final long ALLOCATE_STEPS = OffsetAllocator.PROBES + 2;

  /** One free: two extents out of their bins, one in. */
  private static final long FREE_STEPS = 3;

  private static final long MAX_CALL_STEPS =
      SegmentAllocator.MAX_BATCHES
              * (ALLOCATE_STEPS + SegmentAllocator.FREES_PER_BATCH * FREE_STEPS)
          + (SegmentAllocator.MAX_HOLDS - 1) * SegmentAllocator.FREES_PER_BATCH * FREE_STEPS;

  private final PoolUsage usage = new PoolUsage();
  private final ExtentList out = new ExtentList();

  private SegmentAllocator allocator(long capacity) {
    SegmentAllocator allocator = new SegmentAllocator(3, 77, capacity, usage);
    allocator.setCounted(true);
    return allocator;
  }

  private void free(SegmentAllocator allocator, int index) {
    allocator.free(out.offsetUnits(index), out.node(index));
  }

  @Test
  void allocatesAndFrees() {
    SegmentAllocator allocator = allocator(MIB);
    assertThat(allocator.tryAllocate(100, out)).isEqualTo(Attempt.ALLOCATED);
    assertThat(allocator.tryAllocate(64, out)).isEqualTo(Attempt.ALLOCATED);
    assertThat(out.get(0)).isEqualTo(new Extent(3, 77, 0, 100, out.node(0)));
    assertThat(out.get(1)).isEqualTo(new Extent(3, 77, 128, 64, out.node(1)));
    assertThat(allocator.usedBytes()).isEqualTo(192);
    assertThat(usage.usedBytes()).isEqualTo(192);
    free(allocator, 0);
    free(allocator, 1);
    assertThat(allocator.usedBytes()).isZero();
    assertThat(usage.usedBytes()).isZero();
    assertThat(allocator.largestFreeBytes()).isEqualTo(MIB);
  }

  @Test
  void fullIsFull() {
    SegmentAllocator allocator = allocator(1024);
    assertThat(allocator.tryAllocate(1025, out)).isEqualTo(Attempt.FULL);
    assertThat(allocator.tryAllocate(Long.MAX_VALUE, out)).isEqualTo(Attempt.FULL);
    assertThat(allocator.tryAllocate(1024, out)).isEqualTo(Attempt.ALLOCATED);
    assertThat(allocator.tryAllocate(1, out)).isEqualTo(Attempt.FULL);
    assertThat(usage.usedRatio()).isEqualTo(1.0);
    assertThat(out.size()).isEqualTo(1);
  }

  @Test
  void aFullSegmentIsRefusedWithoutTheLock() {
    SegmentAllocator allocator = allocator(1024);
    allocator.tryAllocate(1024, out);
    assertThat(allocator.lock().tryLock()).isTrue();
    assertThat(allocator.tryAllocate(1, out)).isEqualTo(Attempt.FULL);
    assertThat(allocator.tryAllocate(2048, out)).isEqualTo(Attempt.FULL);
  }

  @ParameterizedTest
  @ValueSource(longs = {64, 1023, 1000 * MIB + 17, 256 * GIB, 256 * GIB + 256, 1024 * GIB})
  void everyCapacityCanBeFilled(long capacity) {
    SegmentAllocator allocator = allocator(capacity);
    int granule = capacity > 256 * GIB ? 256 : 64;
    assertThat(allocator.capacityBytes()).isEqualTo(capacity / granule * granule);
    long half = allocator.capacityBytes() / granule / 2 * granule;
    if (half > 0) {
      assertThat(allocator.tryAllocate(half, out)).isEqualTo(Attempt.ALLOCATED);
    }
    assertThat(allocator.tryAllocate(allocator.capacityBytes() - half, out))
        .isEqualTo(Attempt.ALLOCATED);
    Extent last = out.get(out.size() - 1);
    assertThat(last.offset() + last.length()).isEqualTo(allocator.capacityBytes());
    assertThat(last.offset() % granule).isZero();
    assertThat(last.offsetUnits()).isLessThan(1L << 34);
    assertThat(allocator.usedBytes()).isEqualTo(allocator.capacityBytes());
    for (int i = 0; i < out.size(); i++) {
      free(allocator, i);
    }
    assertThat(allocator.usedBytes()).isZero();
  }

  @Test
  void capacityOutOfRangeIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> allocator(63));
    assertThatIllegalArgumentException().isThrownBy(() -> allocator((1L << 40) + 1));
  }

  @Test
  void givingBackTwiceIsABugThatChangesNothing() {
    SegmentAllocator allocator = allocator(MIB);
    allocator.tryAllocate(100, out);
    allocator.tryAllocate(100, out);
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(out.offsetUnits(1), out.node(0)));
    free(allocator, 0);
    assertThatIllegalStateException().isThrownBy(() -> free(allocator, 0));
    assertThatIllegalStateException().isThrownBy(() -> allocator.free(0, 12_345));
    assertThat(allocator.usedBytes()).isEqualTo(128);
  }

  @Test
  void givingBackTwiceIsFoundWhileTheLockIsHeld() {
    SegmentAllocator allocator = allocator(MIB);
    allocator.tryAllocate(100, out);
    assertThat(allocator.lock().tryLock()).isTrue();
    free(allocator, 0);
    assertThatIllegalStateException().isThrownBy(() -> free(allocator, 0));
    allocator.lock().unlock();
    assertThat(allocator.settle()).isFalse();
    assertThat(allocator.usedBytes()).isZero();
  }

  @Test
  void whileTheLockIsHeldAllocationsAreBusyAndFreesWait() {
    SegmentAllocator allocator = allocator(MIB);
    allocator.tryAllocate(MIB / 2, out);
    assertThat(allocator.lock().tryLock()).isTrue();
    assertThat(allocator.tryAllocate(64, out)).isEqualTo(Attempt.BUSY);
    free(allocator, 0);
    assertThat(allocator.usedBytes()).isEqualTo(MIB / 2);
    assertThat(allocator.settle()).isTrue();
    allocator.lock().unlock();
    // Whoever comes next applies what was left behind, and can use it at once.
    assertThat(allocator.tryAllocate(MIB, out)).isEqualTo(Attempt.ALLOCATED);
  }

  @Test
  void workOfOneCallIsBoundedHoweverMuchWasLeftBehind() {
    SegmentAllocator allocator = allocator(64 * MIB);
    int extents = 100_000;
    for (int i = 0; i < extents; i++) {
      assertThat(allocator.tryAllocate(64 + i % 7 * 64, out)).isEqualTo(Attempt.ALLOCATED);
    }
    long steps = allocator.steps();
    assertThat(allocator.lock().tryLock()).isTrue();
    for (int i = 0; i < extents; i += 2) {
      free(allocator, i);
    }
    for (int i = 1; i < extents; i += 2) {
      free(allocator, i);
    }
    allocator.lock().unlock();
    assertThat(allocator.steps()).isEqualTo(steps);

    ExtentList more = new ExtentList();
    // Nothing of that size is free yet: the call goes as far as it ever may.
    assertThat(allocator.tryAllocate(60 * MIB, more)).isEqualTo(Attempt.BUSY);
    assertThat(allocator.steps() - steps).isBetween(1L, MAX_CALL_STEPS);
    steps = allocator.steps();
    assertThat(allocator.tryAllocate(64, more)).isEqualTo(Attempt.ALLOCATED);
    assertThat(allocator.steps() - steps).isBetween(1L, MAX_CALL_STEPS);

    int calls = 0;
    boolean left = true;
    while (left) {
      steps = allocator.steps();
      left = allocator.settle();
      assertThat(allocator.steps() - steps).isLessThanOrEqualTo(MAX_CALL_STEPS);
      calls++;
    }
    assertThat(calls).isGreaterThan(extents / SegmentAllocator.FREES_PER_BATCH / 10);
    assertThat(allocator.usedBytes()).isEqualTo(64);
    allocator.free(more.offsetUnits(0), more.node(0));
    assertThat(allocator.tryAllocate(64 * MIB, more)).isEqualTo(Attempt.ALLOCATED);
  }

  @Test
  void onlyCountedSegmentsWeighOnThePool() {
    SegmentAllocator allocator = allocator(MIB);
    allocator.tryAllocate(1000, out);
    assertThat(usage.capacityBytes()).isEqualTo(MIB);
    allocator.setCounted(false);
    assertThat(usage.capacityBytes()).isZero();
    assertThat(usage.usedBytes()).isZero();
    assertThat(usage.usedRatio()).isZero();
    allocator.tryAllocate(1000, out);
    free(allocator, 0);
    assertThat(usage.usedBytes()).isZero();
    allocator.setCounted(true);
    assertThat(usage.usedBytes()).isEqualTo(1024);
    assertThat(usage.capacityBytes()).isEqualTo(MIB);
  }

  @Test
  void countingChangesEvenWhileTheLockIsHeld() {
    SegmentAllocator allocator = allocator(MIB);
    allocator.tryAllocate(1000, out);
    assertThat(allocator.lock().tryLock()).isTrue();
    allocator.setCounted(false);
    assertThat(usage.capacityBytes()).isEqualTo(MIB);
    allocator.lock().unlock();
    free(allocator, 0);
    assertThat(usage.capacityBytes()).isZero();
    assertThat(usage.usedBytes()).isZero();
  }

  @Test
  void nothingIsLostWhenManyThreadsGiveBackAtOnce() throws Exception {
    SegmentAllocator allocator = allocator(4 * MIB);
    int extents = 60_000;
    int threads = 3;
    for (int i = 0; i < extents; i++) {
      assertThat(allocator.tryAllocate(64, out)).isEqualTo(Attempt.ALLOCATED);
    }
    assertThat(allocator.lock().tryLock()).isTrue();
    AtomicInteger ready = new AtomicInteger();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int first = t;
      tasks.add(
          () -> {
            ready.incrementAndGet();
            while (ready.get() < threads) {
              Thread.onSpinWait();
            }
            for (int i = first; i < extents; i += threads) {
              free(allocator, i);
            }
            return null;
          });
    }
    runAll(tasks);
    assertThat(allocator.usedBytes()).isEqualTo(extents * 64L);
    allocator.lock().unlock();
    settleAll(allocator);
    assertThat(allocator.usedBytes()).isZero();
    assertThat(allocator.tryAllocate(4 * MIB, out)).isEqualTo(Attempt.ALLOCATED);
  }

  private static void settleAll(SegmentAllocator allocator) {
    int calls = 1;
    while (allocator.settle()) {
      assertThat(++calls).as("what is left becomes less with each call").isLessThan(10_000);
    }
  }

  /**
   * Threads allocate, mark every granule of what they got as theirs, and give back their own and
   * each other's extents; the owner meanwhile changes what counts. A granule that is marked twice
   * is an overlap.
   */
  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void threadsNeverShareAGranuleAndLoseNone(long seed) throws Exception {
    long capacity = 4 * MIB;
    SegmentAllocator allocator = allocator(capacity);
    AtomicIntegerArray owners = new AtomicIntegerArray((int) (capacity / 64));
    ConcurrentLinkedQueue<Extent> foreign = new ConcurrentLinkedQueue<>();
    AtomicInteger allocations = new AtomicInteger();
    AtomicInteger running = new AtomicInteger();
    int threads = 4;
    int rounds = 20_000;
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int t = 1; t <= threads; t++) {
      int me = t;
      running.incrementAndGet();
      tasks.add(
          () -> {
            Random random = new Random(seed * 31 + me);
            ExtentList got = new ExtentList();
            List<Extent> mine = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
              int dice = random.nextInt(10);
              if (dice < 5) {
                got.clear();
                long bytes = 1 + (long) (100_000 * Math.pow(random.nextDouble(), 4));
                if (allocator.tryAllocate(bytes, got) == Attempt.ALLOCATED) {
                  Extent extent = got.get(0);
                  mark(owners, extent, 0, me);
                  mine.add(extent);
                  allocations.incrementAndGet();
                }
              } else if (dice < 8 && !mine.isEmpty()) {
                giveBack(allocator, owners, mine.remove(random.nextInt(mine.size())), me);
              } else if (dice == 8 && !mine.isEmpty()) {
                Extent extent = mine.removeLast();
                mark(owners, extent, me, 99);
                foreign.add(extent);
              } else {
                Extent extent = foreign.poll();
                if (extent != null) {
                  giveBack(allocator, owners, extent, 99);
                }
              }
            }
            for (Extent extent : mine) {
              giveBack(allocator, owners, extent, me);
            }
            running.decrementAndGet();
            return null;
          });
    }
    tasks.add(
        () -> {
          boolean counted = false;
          while (running.get() > 0) {
            allocator.setCounted(counted);
            counted = !counted;
            assertThat(allocator.usedBytes()).isBetween(0L, capacity);
            Thread.onSpinWait();
          }
          return null;
        });
    runAll(tasks);
    for (Extent extent = foreign.poll(); extent != null; extent = foreign.poll()) {
      giveBack(allocator, owners, extent, 99);
    }
    // How many succeed depends on who holds the lock when; none at all would prove nothing.
    assertThat(allocations.get()).isPositive();
    allocator.setCounted(true);
    settleAll(allocator);
    assertThat(allocator.usedBytes()).isZero();
    assertThat(usage.usedBytes()).isZero();
    assertThat(usage.capacityBytes()).isEqualTo(capacity);
    assertThat(allocator.tryAllocate(capacity, out)).isEqualTo(Attempt.ALLOCATED);
    assertThat(usage.usedBytes()).isEqualTo(capacity);
  }

  /**
   * Runs the tasks at once; threads that broken code sends into a loop must not hold up the test.
   */
  private static void runAll(List<Callable<Void>> tasks) throws Exception {
    ExecutorService executor =
        Executors.newFixedThreadPool(tasks.size(), Thread.ofPlatform().daemon().factory());
    try {
      for (Future<Void> result : executor.invokeAll(tasks, 120, TimeUnit.SECONDS)) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static void giveBack(
      SegmentAllocator allocator, AtomicIntegerArray owners, Extent extent, int owner) {
    mark(owners, extent, owner, 0);
    allocator.free(extent.offsetUnits(), extent.node());
  }

  private static void mark(AtomicIntegerArray owners, Extent extent, int from, int to) {
    int first = (int) (extent.offset() / 64);
    int last = (int) ((extent.offset() + extent.length() - 1) / 64);
    for (int i = first; i <= last; i++) {
      if (!owners.compareAndSet(i, from, to)) {
        throw new AssertionError(
            "granule " + i + " of " + extent + " belongs to " + owners.get(i) + ", not " + from);
      }
    }
  }
}
