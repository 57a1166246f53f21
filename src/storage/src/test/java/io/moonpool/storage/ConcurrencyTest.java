package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.storage.file.PosixFileLayer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers see whole values or nothing, whatever the writer does meanwhile. */
class ConcurrencyTest {
  private static final int READERS = 4;
  private static final int ROUNDS = 60;

  @TempDir Path temporary;

  @Test
  void readersNeverSeeOtherBytes() throws Exception {
    AtomicLong newest = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    LongAdder good = new LongAdder();
    // Two open files only: handles are closed and opened under the readers all the time.
    try (Disk disk = Disk.open(new PosixFileLayer(), temporary, Disk.OPTIONS.withOpenFiles(2));
        ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        Random random = new Random(i);
        readers.add(threads.submit(() -> read(disk.store, random, newest, done, good)));
      }
      try {
        write(disk, newest);
      } finally {
        done.set(true);
      }
      for (Future<?> reader : readers) {
        reader.get(30, TimeUnit.SECONDS);
      }
      assertThat(disk.damages).isEmpty();
      assertThat(good.sum()).isPositive();
      assertThat(disk.store.stats().evictedBuckets()).isPositive();
    }
  }

  private static void write(Disk disk, AtomicLong newest) {
    Random random = new Random(99);
    for (int round = 0; round < ROUNDS; round++) {
      long first = newest.get() + 1;
      disk.put(first, 5000, first + 1, 20_000, first + 2, 300_001, first + 3, 100, first + 4, 8192);
      newest.set(first + 4);
      disk.store.tombstone(first + random.nextInt(5), first + 2);
      if (round % 7 == 3) {
        long oldest = disk.store.bucketIds().getFirst();
        assertThat(disk.store.beginEviction(oldest).ok()).isTrue();
        assertThat(disk.store.finishEviction(oldest, 10_000).ok()).isTrue();
      }
      if (round % 10 == 5) {
        assertThat(disk.store.collect(0.3, Long.MAX_VALUE, 10_000).result())
            .isEqualTo(StoreResult.OK);
      }
    }
  }

  private static void read(
      BucketStore store, Random random, AtomicLong newest, AtomicBoolean done, LongAdder good) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(400_000, 4096);
      while (!done.get()) {
        long upTo = newest.get();
        if (upTo == 0) {
          Thread.onSpinWait();
          continue;
        }
        long version = 1 + random.nextLong(upTo);
        long length = store.length(version);
        if (length < 0) {
          continue;
        }
        ReadResult read = store.read(version, 0, length, into, true);
        if (read.ok()) {
          assertThat(Values.firstWrong(into.asSlice(read.start(), length), version, 0))
              .isEqualTo(-1);
          good.increment();
        } else {
          assertThat(read.code()).as("%s", read).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
        }
      }
    }
  }
}
