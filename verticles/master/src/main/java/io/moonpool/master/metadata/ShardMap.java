package io.moonpool.master.metadata;

import io.moonpool.core.index.KeyHash;
import io.moonpool.core.index.ObjectIndex;

/**
 * Which metadata loop owns which shards: consecutive ones, as evenly as the numbers allow.
 * Immutable; any thread.
 */
final class ShardMap {
  private final int loops;
  private final byte[] ownerOfShard = new byte[ObjectIndex.SHARDS];

  ShardMap(int loops) {
    this.loops = loops;
    for (int owner = 0; owner < loops; owner++) {
      for (int shard = first(owner); shard < end(owner); shard++) {
        ownerOfShard[shard] = (byte) owner;
      }
    }
  }

  int loops() {
    return loops;
  }

  /** The first shard of a loop. */
  int first(int owner) {
    return (int) ((long) ObjectIndex.SHARDS * owner / loops);
  }

  /** One more than the last shard of a loop. */
  int end(int owner) {
    return first(owner + 1);
  }

  /** The loop of a key with that hash. */
  int owner(long hash) {
    return ownerOfShard(KeyHash.shard(hash));
  }

  /** The loop of a shard. */
  int ownerOfShard(int shard) {
    return ownerOfShard[shard] & 0xff;
  }
}
