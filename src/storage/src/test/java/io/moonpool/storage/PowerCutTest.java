package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.storage.file.PowerCut;
import io.moonpool.storage.file.SimulatedDisk;
import io.moonpool.storage.file.SimulatedDisk.Survival;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One story of a store, cut off before every single change that it makes to its disk, and each time
 * started again on what may have been left. What was acknowledged must be as it was acknowledged;
 * what was not may be either, but never wrong.
 */
class PowerCutTest {
  private static final Path ROOT = Path.of("/disk");
  private static final StoreOptions OPTIONS =
      StoreOptions.DEFAULT.withReserveBytes(0).withBuckets(100, 1 << 20, 10);

  /** What must be true of a version after a restart. */
  private enum Fate {
    THERE,
    EITHER,
    GONE
  }

  /** The store under test and what was promised about each version. */
  private static final class Story {
    private final Map<Long, Fate> fates = new TreeMap<>();
    private final Map<Long, Long> buckets = new TreeMap<>();
    private Disk disk;

    void run(SimulatedDisk layer) {
      disk = Disk.open(layer, ROOT, OPTIONS);
      long a = put(1, 100, 2, 5000, 3, 4096);
      long b = put(4, 7001, 5, 300_001);
      tombstone(2, 4);
      long[] many = new long[2 * 70];
      for (int i = 0; i < 70; i++) {
        many[2 * i] = 100 + i;
        many[2 * i + 1] = 10 + 100 * i;
      }
      put(many);
      put(6, 9000, 7, 9000, 8, 12_000, 9, 1, 10, 8192, 11, 5000);
      tombstoneInOpenBucket();
      begin(a);
      cancel(a);
      begin(b);
      finish(b);
      tombstone(7, 8, 9, 10);
      collect(); // rewrites the bucket of 6 to 11
      assertThat(disk.store.contains(11)).isTrue();
      tombstone(6, 11);
      collect(); // deletes it
      overwrite(1, 20);
      reopen(layer);
      promise(Fate.GONE, 1); // the greater version of its key won
      tombstone(20);
      abandon(30);
      begin(put(50, 100, 51, 5000));
      reopen(layer);
      put(40, 100, 41, 4097);
      tombstone(100, 101, 102);
    }

    private void promise(Fate fate, long... versions) {
      for (long version : versions) {
        fates.put(version, fate);
      }
    }

    private long[] inBucket(long bucket, Fate fate) {
      return buckets.entrySet().stream()
          .filter(entry -> entry.getValue() == bucket && fates.get(entry.getKey()) == fate)
          .mapToLong(Map.Entry::getKey)
          .toArray();
    }

    long put(long... versionsAndLengths) {
      long[] versions = new long[versionsAndLengths.length / 2];
      for (int i = 0; i < versions.length; i++) {
        versions[i] = versionsAndLengths[2 * i];
      }
      promise(Fate.EITHER, versions);
      long bucket = disk.put(versionsAndLengths);
      for (long version : versions) {
        buckets.put(version, bucket);
      }
      promise(Fate.THERE, versions);
      return bucket;
    }

    private void tombstone(long... versions) {
      promise(Fate.EITHER, versions);
      assertThat(disk.store.tombstone(versions)).isEqualTo(StoreResult.OK);
      promise(Fate.GONE, versions);
    }

    private void tombstoneInOpenBucket() {
      promise(Fate.EITHER, 12, 13);
      BucketWriter writer = disk.store.newBucket();
      append(writer, "key-12", 12);
      append(writer, "key-13", 13);
      assertThat(disk.store.tombstone(13)).isEqualTo(StoreResult.OK);
      promise(Fate.GONE, 13);
      assertThat(writer.commit()).isEqualTo(StoreResult.OK);
      promise(Fate.THERE, 12);
      buckets.put(12L, writer.bucketId());
    }

    private void append(BucketWriter writer, String key, long version) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment value = Values.of(arena, version, 5000);
        assertThat(writer.append(Values.record(key, version, 5000), value, 0))
            .isEqualTo(StoreResult.OK);
      }
    }

    private void overwrite(long older, long newer) {
      promise(Fate.EITHER, older, newer);
      BucketWriter writer = disk.store.newBucket();
      append(writer, "key-" + older, newer);
      assertThat(writer.commit()).isEqualTo(StoreResult.OK);
      promise(Fate.THERE, newer);
    }

    private void abandon(long version) {
      BucketWriter writer = disk.store.newBucket();
      append(writer, "abandoned", version);
      promise(Fate.GONE, version);
      writer.abandon();
    }

    private void begin(long bucket) {
      long[] live = inBucket(bucket, Fate.THERE);
      promise(Fate.EITHER, live);
      assertThat(disk.store.beginEviction(bucket)).isEqualTo(StoreResult.OK);
      promise(Fate.GONE, live); // for a restart; until then they can be read
    }

    private void cancel(long bucket) {
      long[] live = new long[] {1, 3};
      promise(Fate.EITHER, live);
      assertThat(disk.store.cancelEviction(bucket)).isEqualTo(StoreResult.OK);
      promise(Fate.THERE, live);
    }

    private void finish(long bucket) {
      assertThat(disk.store.finishEviction(bucket, 0)).isEqualTo(StoreResult.OK);
    }

    private void collect() {
      GcReport report = disk.store.collect(0.4, Long.MAX_VALUE, 0);
      assertThat(report.result()).isEqualTo(StoreResult.OK);
      assertThat(report.complete()).isTrue();
      assertThat(report.emptied() + report.rewritten()).isPositive();
    }

    private void reopen(SimulatedDisk layer) {
      disk.close();
      disk = Disk.open(layer, ROOT, OPTIONS);
    }

    void check(Disk found, String when) {
      fates.forEach(
          (version, fate) -> {
            boolean there = found.store.contains(version);
            if (fate != Fate.EITHER) {
              assertThat(there)
                  .as("%s: version %s is %s", when, version, fate)
                  .isEqualTo(fate == Fate.THERE);
            }
            if (there) {
              assertThat(found.read(version).ok()).as("%s: version %s", when, version).isTrue();
            }
          });
      assertThat(found.damages).as(when).isEmpty();
      // Of a bucket that was never acknowledged the index may have reached the disk without the
      // name of the data file, if the file system keeps no order: nothing can be read of it.
      assertThat(found.store.recovered().damaged())
          .as(when)
          .allMatch(bucket -> bucket.reason().equals("its data file is missing"));
      assertThat(found.store.recovered().damagedTombstones()).as(when).isZero();
      assertThat(found.store.recovered().unknownFiles()).as(when).isZero();
    }

    /** The next life of the store: what is promised now must hold as well. */
    void goOn(Disk next) {
      disk = next;
      fates.replaceAll((version, fate) -> next.store.contains(version) ? Fate.THERE : Fate.GONE);
      put(1000, 5000, 1001, 300_000);
      tombstone(1000);
      fates.keySet().stream().filter(next.store::contains).findFirst().ifPresent(this::tombstone);
    }

    void close() {
      if (disk != null) {
        try {
          disk.close();
        } catch (PowerCut e) {
          disk.directory.close();
        }
      }
    }
  }

  private static Story tell(SimulatedDisk layer) {
    Story story = new Story();
    try {
      story.run(layer);
    } catch (PowerCut e) {
      // That is the point.
    } finally {
      layer.cut();
      story.close();
    }
    return story;
  }

  private static long changesOfTheStory() {
    SimulatedDisk layer = new SimulatedDisk();
    tell(layer);
    return layer.changes();
  }

  @ParameterizedTest
  @EnumSource(Survival.class)
  void keepsItsPromisesWhereverThePowerGoes(Survival survival) {
    long changes = changesOfTheStory();
    assertThat(changes).isGreaterThan(100);
    int rounds = survival == Survival.ANYTHING ? 4 : 1;
    for (long cut = 0; cut <= changes; cut++) {
      for (int round = 0; round < rounds; round++) {
        SimulatedDisk layer = new SimulatedDisk();
        layer.cutBefore(cut);
        Story story = tell(layer);
        String when = "cut before change " + cut + ", round " + round;
        Random random = new Random(cut * 1000 + round);
        SimulatedDisk next = layer.afterCut(survival, random);
        try (Disk found = Disk.open(next, ROOT, OPTIONS)) {
          story.check(found, when);
          story.goOn(found);
          next.cut();
          story.check(Disk.open(next.afterCut(survival, random), ROOT, OPTIONS), when + ", later");
        } catch (PowerCut e) {
          // Closing after the second cut.
        }
      }
    }
  }

  @Test
  void aRecoveryCanBeCutOffToo() {
    long changes = changesOfTheStory();
    for (long cut = 0; cut <= changes; cut++) {
      SimulatedDisk layer = new SimulatedDisk();
      layer.cutBefore(cut);
      Story story = tell(layer);
      Random random = new Random(cut);
      SimulatedDisk first = layer.afterCut(Survival.ANYTHING, random);
      for (long second = 0; ; second++) {
        // The same disk again for each second cut: what survived is chosen by the same seed.
        SimulatedDisk broken = first.afterCut(Survival.EVERYTHING, random);
        broken.cutBefore(second);
        boolean finished = false;
        try {
          Disk.open(broken, ROOT, OPTIONS).store.close();
          finished = true;
        } catch (PowerCut e) {
          // Cut off during the recovery.
        }
        broken.cut();
        try (Disk found = Disk.open(broken.afterCut(Survival.ANYTHING, random), ROOT, OPTIONS)) {
          story.check(found, "cut before change " + cut + ", then before " + second);
        }
        if (finished) {
          break;
        }
      }
    }
  }
}
