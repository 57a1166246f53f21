package io.moonpool.bench.disk;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Threads of this process that read until their time is over, and what that cost the process. */
final class Readers {
  private final int count;
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long seed = 1;

  /** So many threads in each turn. */
  Readers(int count) {
    this.count = count;
  }

  /** One reader. Used by one thread. */
  interface Reader extends AutoCloseable {
    /**
     * Reads one value.
     *
     * @return its bytes
     */
    long readAny(RandomGenerator random) throws IOException;

    @Override
    void close();
  }

  /** Makes a reader, on the thread that will use it. */
  interface Source {
    Reader open() throws IOException;
  }

  /** Reads for a while on all threads. */
  ReadTurn read(Source source, long millis) throws IOException, InterruptedException {
    List<FutureTask<Long>> tasks = new ArrayList<>();
    long cpuBefore = system.getProcessCpuTime();
    long start = System.nanoTime();
    long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
    for (int i = 0; i < count; i++) {
      SplittableRandom random = new SplittableRandom(seed++);
      FutureTask<Long> task = new FutureTask<>(() -> readUntil(end, source, random));
      tasks.add(task);
      Thread.ofPlatform().daemon().name("bench-disk-" + i).start(task);
    }
    long bytes = 0;
    for (FutureTask<Long> task : tasks) {
      try {
        bytes += task.get();
      } catch (ExecutionException e) {
        throw new IOException(String.valueOf(e.getCause()), e.getCause());
      }
    }
    return new ReadTurn(bytes, System.nanoTime() - start, system.getProcessCpuTime() - cpuBefore);
  }

  private static long readUntil(long endNanos, Source source, RandomGenerator random)
      throws IOException {
    long bytes = 0;
    try (Reader reader = source.open()) {
      while (System.nanoTime() - endNanos < 0) {
        bytes += reader.readAny(random);
      }
    }
    return bytes;
  }
}
