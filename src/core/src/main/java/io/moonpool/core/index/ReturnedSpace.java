package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentTable;
import java.util.function.BooleanSupplier;

/** Gives the extents of removed replicas back, when nobody can touch them any more. */
final class ReturnedSpace {
  /** Nobody can touch the bytes. */
  static final long UNTOUCHED = 0;

  private final IndexConfig config;
  private final SegmentTable segments;
  private final IndexEffects effects;
  private final IndexStats stats;
  private final Quarantine quarantine;
  private final Quarantine.Release release = this::free;

  ReturnedSpace(
      TableMemory memory,
      IndexConfig config,
      SegmentTable segments,
      IndexEffects effects,
      IndexStats stats) {
    quarantine = new Quarantine(memory);
    this.config = config;
    this.segments = segments;
    this.effects = effects;
    this.stats = stats;
  }

  /**
   * An extent is given up.
   *
   * @param touchedUntilMillis until when somebody may touch it, or {@link #UNTOUCHED}
   */
  void add(
      int slot,
      long generation,
      long offsetUnits,
      long size,
      int node,
      long touchedUntilMillis,
      long nowMillis) {
    long releaseMillis = touchedUntilMillis + config.clockSkewMillis();
    if (touchedUntilMillis == UNTOUCHED || nowMillis >= releaseMillis) {
      free(slot, generation, offsetUnits, size, node);
    } else {
      quarantine.add(releaseMillis, slot, generation, offsetUnits, size, node);
      count();
    }
  }

  private void free(int slot, long generation, long offsetUnits, long size, int node) {
    // Otherwise its allocator is gone, or goes with the mount.
    if (segments.isLive(slot, generation)) {
      stats.extentsFreed++;
      effects.free(slot, generation, offsetUnits, size, node);
    }
  }

  /** Frees what may be freed now. Answers whether nothing is left of that. */
  boolean release(long nowMillis, BooleanSupplier mayContinue) {
    boolean done = true;
    while (done && quarantine.nextMillis() <= nowMillis) {
      done = mayContinue.getAsBoolean();
      if (done) {
        quarantine.releaseFirst(release);
      }
    }
    count();
    return done;
  }

  /** When the next extent may be freed, in milliseconds, or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    return quarantine.nextMillis();
  }

  /** What the extents that wait take in the tables, in bytes. */
  long usedBytes() {
    return quarantine.usedBytes();
  }

  private void count() {
    stats.quarantinedExtents = quarantine.count();
    stats.quarantinedBytes = quarantine.waitingBytes();
  }
}
