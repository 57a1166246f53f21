package io.moonpool.node.disk;

import io.moonpool.storage.StoreStats;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What a node's disk tier counts; any thread may read. */
public final class DiskStats {
  final LongAdder offloaded = new LongAdder();
  final LongAdder offloadedBytes = new LongAdder();
  final LongAdder offloadFailures = new LongAdder();
  final LongAdder promoted = new LongAdder();
  final LongAdder promotedBytes = new LongAdder();
  final LongAdder promotionFailures = new LongAdder();
  final LongAdder reported = new LongAdder();
  final LongAdder tombstones = new LongAdder();
  final LongAdder evicted = new LongAdder();
  final LongAdder evictionsRefused = new LongAdder();
  final LongAdder scans = new LongAdder();
  private volatile @Nullable StoreStats store;

  DiskStats() {}

  void store(StoreStats now) {
    store = now;
  }

  /** The figures of the store, at most about a second old; null before the first. */
  public @Nullable StoreStats store() {
    return store;
  }

  /** Objects written to disk and acknowledged by the master. */
  public long offloaded() {
    return offloaded.sum();
  }

  /** Their bytes. */
  public long offloadedBytes() {
    return offloadedBytes.sum();
  }

  /** Objects that could not be written. */
  public long offloadFailures() {
    return offloadFailures.sum();
  }

  /** Objects written from disk to memory. */
  public long promoted() {
    return promoted.sum();
  }

  /** Their bytes. */
  public long promotedBytes() {
    return promotedBytes.sum();
  }

  /** Objects that were to be written from disk to memory and could not be. */
  public long promotionFailures() {
    return promotionFailures.sum();
  }

  /** Objects that the master took over after a mount. */
  public long reported() {
    return reported.sum();
  }

  /** Dead records that were tombstoned. */
  public long tombstones() {
    return tombstones.sum();
  }

  /** Objects that left the disk for want of space. */
  public long evicted() {
    return evicted.sum();
  }

  /** Buckets that stayed because the master could not be told. */
  public long evictionsRefused() {
    return evictionsRefused.sum();
  }

  /** Reports to the master that were completed. */
  public long scans() {
    return scans.sum();
  }
}
