package io.moonpool.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.segment.SegmentChange;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentStatus;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A million random calls to one index of all shards, which grows and shrinks meanwhile: tables
 * migrate, rows and keys of many sizes are reused, slabs are compacted. Every answer is what a map
 * says; evictions take what was under a lease least lately; now and then everything is audited.
 *
 * <p>{@link ModelTest} knows more rules, but only few keys.
 */
class MillionOperationsTest {
  private static final int OPERATIONS = Integer.getInteger("moonpool.model.operations", 1_000_000);
  private static final int NAMES = 120_000;
  private static final int SLOTS = 3;
  private static final int BATCH = 64;

  private final SplittableRandom random = new SplittableRandom(7);
  private final TestPool pool = new TestPool();
  private final Map<Integer, Known> objects = new HashMap<>();
  private final long[] hashes = new long[BATCH];
  private final int[] batch = new int[BATCH];

  /** How likely a put is, in percent: the index grows while it is high. */
  private int puts = 60;

  private static final class Known {
    long version;
    int slot;
    long leaseEnd;
  }

  /** Keys of many lengths, a few of them so long that they have a page of their own. */
  private static ObjectKey key(int name) {
    int tail = name % 1_000 == 0 ? 20_000 + name % 45_000 : name % 61;
    return TestPool.key("key-" + name + "x".repeat(tail), name % 200);
  }

  @Test
  void answersAreThoseOfMap() {
    for (int slot = 1; slot < SLOTS; slot++) {
      pool.mount(slot);
    }
    for (int done = 0; done < OPERATIONS; ) {
      int what = random.nextInt(100);
      if (what < puts) {
        put(random.nextInt(NAMES));
        done += 2;
      } else if (what < 80) {
        remove(random.nextInt(NAMES));
        done++;
      } else if (what < 85) {
        upsert(random.nextInt(NAMES));
        done += 2;
      } else if (what < 86) {
        abandonedPut(random.nextInt(NAMES));
        done += 2;
      } else {
        read();
        done += BATCH;
      }
      if (random.nextInt(100) == 0) {
        pool.now++;
      }
      if (random.nextInt(20_000) == 0) {
        evict();
      }
      if (random.nextInt(60_000) == 0) {
        sweep(random.nextInt(SLOTS));
      }
      if (random.nextInt(40_000) == 0) {
        puts = puts == 60 ? 15 : 60;
        audit();
      }
    }
    audit();
    assertThat(pool.index.stats().objects()).isEqualTo(objects.size());
  }

  private void put(int name) {
    int slot = random.nextInt(SLOTS);
    ErrorCode code = pool.putStart(key(name), TestPool.SIZE, TestPool.terms(), slot);
    if (objects.containsKey(name)) {
      same(name, code, ErrorCode.OBJECT_ALREADY_EXISTS);
      return;
    }
    same(name, code, ErrorCode.OK);
    end(name, slot);
  }

  private void upsert(int name) {
    int slot = random.nextInt(SLOTS);
    same(name, pool.upsertStart(key(name), TestPool.SIZE, TestPool.terms(), slot), ErrorCode.OK);
    end(name, slot);
  }

  private void end(int name, int slot) {
    long version = pool.started.version();
    same(name, pool.end(key(name), version), ErrorCode.OK);
    Known known = objects.computeIfAbsent(name, ignored -> new Known());
    known.version = version;
    known.slot = slot;
    known.leaseEnd = Math.max(known.leaseEnd, pool.now);
  }

  private void abandonedPut(int name) {
    ErrorCode code = pool.putStart(key(name), TestPool.SIZE, TestPool.terms(), 0);
    if (code == ErrorCode.OK) {
      same(name, pool.locate(key(name)).code, ErrorCode.REPLICA_IS_NOT_READY);
      long version = pool.started.version();
      same(name, pool.index.revoke(key(name), TestPool.WRITER, version, pool.now), ErrorCode.OK);
    }
    same(name, code, objects.containsKey(name) ? ErrorCode.OBJECT_ALREADY_EXISTS : ErrorCode.OK);
  }

  private void remove(int name) {
    ErrorCode code = pool.index.remove(key(name), true, pool.now);
    same(name, code, objects.remove(name) == null ? ErrorCode.OBJECT_NOT_FOUND : ErrorCode.OK);
  }

  /** A batch, read ahead as the metadata loops do. */
  private void read() {
    for (int i = 0; i < BATCH; i++) {
      batch[i] = random.nextInt(NAMES);
      hashes[i] = key(batch[i]).hash();
    }
    pool.index.preload(hashes, 0, BATCH);
    boolean locate = random.nextBoolean();
    for (int name : batch) {
      Known known = objects.get(name);
      if (locate) {
        TestPool.Location location = pool.locate(key(name));
        same(name, location.code, known == null ? ErrorCode.OBJECT_NOT_FOUND : ErrorCode.OK);
        if (known != null) {
          same(name, location.version, known.version);
        }
      } else {
        same(name, pool.index.exists(key(name), pool.now), known != null);
      }
      if (known != null) {
        known.leaseEnd = pool.now + TestPool.LEASE;
      }
    }
  }

  /** After all leases have ended, those that ended first go first. */
  private void evict() {
    pool.now += TestPool.LEASE + 1;
    pool.index.releaseQuarantine(pool.now, () -> true);
    long wanted = objects.size() / 4;
    long evicted = pool.evict(EvictionTier.UNPINNED, wanted);
    same(-1, evicted, wanted);
    long lastEvicted = Long.MIN_VALUE;
    long firstLeft = Long.MAX_VALUE;
    long gone = 0;
    Iterator<Map.Entry<Integer, Known>> all = objects.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Integer, Known> each = all.next();
      ErrorCode code = pool.index.describe(key(each.getKey()), pool.now, object -> true);
      if (code == ErrorCode.OK) {
        firstLeft = Math.min(firstLeft, each.getValue().leaseEnd);
      } else {
        lastEvicted = Math.max(lastEvicted, each.getValue().leaseEnd);
        gone++;
        all.remove();
      }
    }
    same(-1, gone, evicted);
    assertThat(lastEvicted).isLessThanOrEqualTo(firstLeft);
  }

  private void sweep(int slot) {
    long generation = pool.segments.generation(slot);
    pool.status(slot, SegmentStatus.UNMOUNTING);
    assertThat(pool.index.sweep(slot, generation, pool.now, () -> true)).isTrue();
    objects.values().removeIf(known -> known.slot == slot);
    pool.segments.apply(new SegmentChange.Unmounted(slot, generation));
    pool.mount(slot);
  }

  private void audit() {
    IndexAudit.check(pool.index, SLOTS);
  }

  // An assertion library would take most of the test's time here.
  private static void same(int name, Object actual, Object expected) {
    if (!actual.equals(expected)) {
      throw new AssertionError("key " + name + ": expected " + expected + " but was " + actual);
    }
  }
}
