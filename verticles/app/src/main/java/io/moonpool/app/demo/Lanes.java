package io.moonpool.app.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Some threads that take objects one after the other, each with two buffers outside the heap. The
 * first failure ends all.
 */
final class Lanes {
  private static final long ALIGNMENT = 4096;

  private final int count;
  private final long bufferBytes;

  /**
   * Lanes that do not run yet.
   *
   * @param bufferBytes the largest piece that one call moves
   */
  Lanes(int count, long bufferBytes) {
    this.count = count;
    this.bufferBytes = bufferBytes;
  }

  /**
   * The memory of a lane.
   *
   * @param ours what an object should hold
   * @param theirs what the pool gave
   */
  record Buffers(MemorySegment ours, MemorySegment theirs) {}

  /** What is done with each object. */
  interface Work {
    /** Does it, on a lane's thread. */
    void accept(DemoObject object, Buffers buffers);
  }

  /** Does the work for all objects and waits for it. Throws the first failure. */
  void run(List<DemoObject> objects, Work work) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(count, objects.size()); i++) {
      threads.add(
          Thread.ofPlatform()
              .name("demo-lane-" + i)
              .daemon()
              .start(() -> lane(objects, next, failure, work)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  private void lane(
      List<DemoObject> objects,
      AtomicInteger next,
      AtomicReference<@Nullable Throwable> failure,
      Work work) {
    // Shared: the client's threads read and write it, too.
    try (Arena arena = Arena.ofShared()) {
      Buffers buffers =
          new Buffers(
              arena.allocate(bufferBytes, ALIGNMENT), arena.allocate(bufferBytes, ALIGNMENT));
      for (int i = next.getAndIncrement();
          i < objects.size() && failure.get() == null;
          i = next.getAndIncrement()) {
        work.accept(objects.get(i), buffers);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }
}
