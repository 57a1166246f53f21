package io.moonpool.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What objects cost in memory and time. Prints figures; bounds them only loosely. */
class FootprintTest {
  private static final int KEYS = 200_000;
  private static final int KEY_BYTES = 64;
  private static final int BATCH = 128;
  private static final int LOCATES = 256 * 1024;

  private static final WriteTerms TERMS = TestPool.terms();

  private final byte[] keys = new byte[KEYS * KEY_BYTES];
  private final ObjectKey key = new ObjectKey();

  private ObjectKey key(int i) {
    return key.set(keys, i * KEY_BYTES, KEY_BYTES, 0);
  }

  @Test
  void keysOfSixtyFourBytes() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (byte) ('a' + random.nextInt(26));
    }
    SegmentTable segments = new SegmentTable();
    segments.apply(
        new SegmentChange.Mounted(3, 1L << 32, SegmentKind.MEMORY, SegmentStatus.OK, true));
    IndexEffects effects =
        new IndexEffects() {
          @Override
          public void floor(int disk, long keyHash, long version) {}

          @Override
          public void offload(int slot, long generation) {}

          @Override
          public void free(int slot, long generation, long offset, long length, int node) {}

          @Override
          public void send(ShardMail mail) {}
        };
    long before = usedHeap();
    ObjectIndex index =
        new ObjectIndex(0, ObjectIndex.SHARDS, new IndexConfig(10_000, 100, 1), segments, effects);

    long now = 1;
    StartedWrite started = new StartedWrite();
    ExtentList extents = new ExtentList();
    long start = cpuNanos();
    for (int i = 0; i < KEYS; i++) {
      now += i % 100 == 0 ? 1 : 0;
      extents.clear();
      extents.add(3, 1L << 32, i * 64L, 4096, i);
      index.putStart(key(i), 4096, TERMS, null, extents, now, started);
      index.end(key, TestPool.WRITER, started.version(), Checksum.crc32c(i), now);
    }
    print("put start + end", KEYS, start);
    assertThat(index.stats().objects()).isEqualTo(KEYS);
    System.out.printf(
        "heap a key: %d bytes by the collector, %d bytes in tables%n",
        (usedHeap() - before) / KEYS, index.memoryBytes() / KEYS);
    // An object with its replica, its key behind a length and a tenant, and entries of 4 bytes.
    assertThat(index.usedTableBytes()).isBetween(KEYS * (72L + 68 + 5), KEYS * (72L + 68 + 12));
    assertThat(index.tableBytes())
        .isBetween(index.usedTableBytes(), index.memoryBytes() + (4 << 20));

    Counter counter = new Counter();
    int[] batch = new int[BATCH];
    long[] hashes = new long[BATCH];
    for (int round = 0; round < 3; round++) {
      start = cpuNanos();
      for (int n = 0; n < LOCATES; n += BATCH) {
        now++;
        for (int i = 0; i < BATCH; i++) {
          batch[i] = random.nextInt(KEYS);
          hashes[i] = key(batch[i]).hash();
        }
        index.preload(hashes, 0, BATCH);
        for (int i = 0; i < BATCH; i++) {
          key.set(keys, batch[i] * KEY_BYTES, KEY_BYTES, 0, hashes[i]);
          index.locate(key, now, counter);
        }
      }
      print("locate", LOCATES, start);
    }
    assertThat(counter.replicas).isEqualTo(3L * LOCATES);
    start = cpuNanos();
    Evicted evicted =
        index.evict(EvictionTier.UNPINNED, KEYS / 10, Long.MAX_VALUE, now + 20_000, () -> true);
    print("evict", evicted.objects(), start);
    assertThat(evicted.objects()).isEqualTo(KEYS / 10);
    assertThat(index.memoryBytes() / KEYS).isLessThan(160);
  }

  private static void print(String what, long keys, long startNanos) {
    double seconds = (cpuNanos() - startNanos) / 1e9;
    System.out.printf("%s: %,d keys a CPU second%n", what, (long) (keys / seconds));
  }

  /** Time of this thread alone: others share the machine. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static final class Counter implements LocationSink {
    long replicas;

    @Override
    public void object(
        long version, long size, ChecksumKind kind, long checksum, int[] blockChecksums) {}

    @Override
    public void replica(long id, ReplicaType type, long generation, long offset) {
      replicas++;
    }
  }
}
