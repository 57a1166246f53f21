package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.model.KeyBatch;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Where a client of the load gets the keys of its calls. Each belongs to one client. */
interface KeyBatches {
  /** The keys of the next call; null when there are no more. */
  @Nullable KeyBatch next();

  /**
   * Keys that were not used before, up to a number.
   *
   * @param next the number of the next one, shared by the clients
   */
  static KeyBatches fresh(AtomicLong next, long end, int batch) {
    return () -> {
      long first = next.getAndAdd(batch);
      int count = (int) Math.min(batch, end - first);
      return count <= 0 ? null : HeartbeatPool.batch(count, i -> first + i);
    };
  }

  /**
   * Keys among the first ones, at random, again and again. Large batches are made beforehand, since
   * that must not count.
   */
  static KeyBatches random(long keys, int batch, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    if (batch < 16) {
      return () -> random(keys, batch, random);
    }
    KeyBatch[] ring = new KeyBatch[(int) Math.min(1_024, Math.max(1, 2 * keys / batch))];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = random(keys, batch, random);
    }
    return new KeyBatches() {
      private int at;

      @Override
      public KeyBatch next() {
        at = at + 1 < ring.length ? at + 1 : 0;
        return ring[at];
      }
    };
  }

  private static KeyBatch random(long keys, int batch, SplittableRandom random) {
    return HeartbeatPool.batch(batch, i -> random.nextLong(keys));
  }
}
