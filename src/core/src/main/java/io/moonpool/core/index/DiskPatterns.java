package io.moonpool.core.index;

import io.moonpool.core.floor.FloorMap;
import io.moonpool.core.floor.PatternFloors;
import it.unimi.dsi.fastutil.ints.IntCollection;
import java.util.ArrayList;
import java.util.List;

/**
 * The floors of removals by pattern: those that are kept for disks that are not there, and those of
 * removals that are going on. The latter hold from the first step of their removal on, so that
 * nothing that a disk reports meanwhile slips in behind it; they are kept when it has visited all
 * objects, and some disk needs them then.
 */
final class DiskPatterns {
  private final IndexCore core;
  private final PatternFloors<PatternFloor> kept = new PatternFloors<>();
  private final List<PatternFloor> running = new ArrayList<>();

  DiskPatterns(IndexCore core) {
    this.core = core;
  }

  /** A removal begins: what is written from now on has a version that it does not concern. */
  PatternFloor begin(KeyPredicate keys) {
    long next = 0;
    for (int shard = core.firstShard(); shard < core.endShard(); shard++) {
      next = Math.max(next, core.shard(shard).nextSequence());
    }
    for (int shard = core.firstShard(); shard < core.endShard(); shard++) {
      core.shard(shard).skipTo(next);
    }
    PatternFloor floor =
        new PatternFloor(
            keys, core.firstShard(), core.endShard(), next * ObjectIndex.SHARDS, new FloorMap());
    running.add(floor);
    return floor;
  }

  /** A removal ended early: nobody was told that it has removed anything. */
  void abandon(PatternFloor floor) {
    running.remove(floor);
  }

  /**
   * A removal has visited all objects.
   *
   * @param disks the numbers of those that need its floor
   * @return whether there are any
   */
  boolean commit(PatternFloor floor, IntCollection disks) {
    running.remove(floor);
    add(floor, disks);
    return !disks.isEmpty();
  }

  /** Keeps a floor for disks. */
  void add(PatternFloor floor, IntCollection disks) {
    if (!disks.isEmpty()) {
      core.stats.diskFloors += floor.survivors().size();
      forget(kept.add(floor, disks, PatternFloor::replaces));
    }
  }

  /** A disk does not need any of them any more. */
  void settled(int disk) {
    forget(kept.settle(disk));
  }

  private void forget(List<PatternFloor> gone) {
    gone.forEach(floor -> core.stats.diskFloors -= floor.survivors().size());
    core.stats.diskPatterns = kept.size();
  }

  /** How many there are: with so many a record that the index does not know is compared. */
  int size() {
    return kept.size() + running.size();
  }

  /** Whether a record that the index does not know is dead. */
  boolean isDead(ObjectKey key, long version) {
    for (PatternFloor floor : running) {
      if (floor.isDead(key, version)) {
        return true;
      }
    }
    return kept.anyMatch(floor -> floor.isDead(key, version));
  }
}
