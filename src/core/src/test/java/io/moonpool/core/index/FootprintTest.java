package io.moonpool.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentKind;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentStatus;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a million objects cost. Prints figures; bounds them only loosely. */
class FootprintTest {
  private static final int KEYS = 200_000;
  private static final int KEY_BYTES = 64;
  private static final int BATCH = 128;

  private final byte[] keys = new byte[KEYS * KEY_BYTES];
  private final ObjectKey key = new ObjectKey();

  private ObjectKey key(int i) {
    return key.set(keys, i * KEY_BYTES, KEY_BYTES, 0);
  }

  @Test
  void millionKeysOfSixtyFourBytes() {
    for (int i = 0; i < KEYS; i++) {
      byte[] text =
          "%016x/layer-%02d/tp-%d/block-"
              .formatted(i * 0x9E37_79B9_7F4A_7C15L, i % 80, i % 8)
              .getBytes(StandardCharsets.UTF_8);
      System.arraycopy(text, 0, keys, i * KEY_BYTES, text.length);
      byte[] rest = "%032d".formatted(i).getBytes(StandardCharsets.UTF_8);
      System.arraycopy(
          rest, 0, keys, i * KEY_BYTES + text.length, Math.min(32, KEY_BYTES - text.length));
    }
    SegmentTable segments = new SegmentTable();
    segments.apply(
        new SegmentChange.Mounted(3, 1L << 32, SegmentKind.MEMORY, SegmentStatus.OK, true));
    IndexEffects effects =
        new IndexEffects() {
          @Override
          public void free(int slot, long generation, long offset, long length, int node) {}

          @Override
          public void send(ShardMail mail) {}
        };
    long before = usedHeap();
    ObjectIndex index =
        new ObjectIndex(
            0, ObjectIndex.SHARDS, new IndexConfig(10_000, 100, 1), segments, effects);

    long now = 1;
    StartedWrite started = new StartedWrite();
    ExtentList extents = new ExtentList();
    long start = cpuNanos();
    for (int i = 0; i < KEYS; i++) {
      now += i % 100 == 0 ? 1 : 0;
      extents.clear();
      extents.add(3, 1L << 32, i * 64L, 4096, i);
      assertThat(index.putStart(key(i), 4096, TestPool.terms(), null, extents, now, started))
          .isEqualTo(ErrorCode.OK);
      index.end(key(i), TestPool.WRITER, started.version(), Checksum.crc32c(i), now);
    }
    print("put start + end", KEYS, start);
    System.out.printf(
        "heap a key: %d bytes by the collector, %d bytes in tables%n",
        (usedHeap() - before) / KEYS, index.memoryBytes() / KEYS);

    Counter counter = new Counter();
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 5; round++) {
      start = cpuNanos();
      for (int batch = 0; batch < KEYS / BATCH; batch++) {
        now++;
        for (int i = 0; i < BATCH; i++) {
          index.locate(key(random.nextInt(KEYS)), now, counter);
        }
      }
      print("locate", KEYS / BATCH * BATCH, start);
    }
    assertThat(counter.replicas).isEqualTo(5L * (KEYS / BATCH * BATCH));
    start = cpuNanos();
    int found = 0;
    for (int i = 0; i < KEYS; i++) {
      found += index.exists(key(random.nextInt(KEYS)), now) ? 1 : 0;
    }
    print("exists", KEYS, start);
    assertThat(found).isEqualTo(KEYS);
    start = cpuNanos();
    Evicted evicted =
        index.evict(EvictionTier.UNPINNED, KEYS / 2, Long.MAX_VALUE, now + 20_000, () -> true);
    print("evict", evicted.objects(), start);
    assertThat(evicted.objects()).isEqualTo(KEYS / 2);
    assertThat(index.memoryBytes() / KEYS).isLessThan(190);
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
