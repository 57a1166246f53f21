package io.moonpool.core.index;

import io.moonpool.core.floor.FloorMap;

/**
 * What a removal by pattern says about records that it could not see, because their disk was not
 * there: those whose keys it chose, and that were written before it, are dead. Only what it passed
 * over is not, since its objects lived on: what was leased, or being written.
 *
 * @param keys chose the objects; asked about each record that a disk reports
 * @param firstShard of the shards that it was made for
 * @param endShard behind the last of them
 * @param below records with this or a higher version were written later
 * @param survivors by the hash of a key, the version that the removal passed over: records with it
 *     or a higher one live. Not changed any more
 */
public record PatternFloor(
    KeyPredicate keys, int firstShard, int endShard, long below, FloorMap survivors) {

  /** Whether a record is dead. */
  boolean isDead(ObjectKey key, long version) {
    int shard = key.shard();
    if (version >= below || shard < firstShard || shard >= endShard) {
      return false;
    }
    long survivor = survivors.get(key.hash());
    return (survivor == FloorMap.NONE || version < survivor)
        && keys.test(key.tenant(), key.bytes(), key.offset(), key.length());
  }

  /** Whether it says all that an earlier one does. */
  boolean replaces(PatternFloor earlier) {
    return firstShard <= earlier.firstShard
        && endShard >= earlier.endShard
        && below >= earlier.below
        && keys.covers(earlier.keys);
  }
}
